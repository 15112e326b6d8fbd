package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BifWriterTest {

    @Test
    void writeThenReadGivesAnEqualNetwork() {
        Random random = new Random(2);
        for (int trial = 0; trial < 300; trial++) {
            BayesianNetwork network = RandomNetworks.network(random, 1 + random.nextInt(12), 4, 0.2);
            assertThat(NetworkFormat.BIF.parse(BifWriter.text(network), "random")).isEqualTo(network);
        }
    }

    @Test
    void oddNamesSurvive(@TempDir Path folder) throws IOException {
        List<String> names = List.of("<5", "12+", "5-12", ">=3", "a.b", "a b", "a,b", "a|b", "{", "\"", "\\", "\\\"",
                "//", "/*", "table", "property", "default", "\u00e9", "\ud83d\ude00", ";", " ", "\u00a0", "'", "1e-3");
        double[] table = new double[names.size()];
        table[3] = 1;
        BayesianNetwork network = BayesianNetwork.of("odd name", names.stream()
                .map(name -> new Node(name, names, List.of(), table)).toList());
        Path file = folder.resolve("odd.bif");
        NetworkFormat.BIF.write(network, file);
        assertThat(NetworkFormat.BIF.read(file)).isEqualTo(network);
    }

    @Test
    void numbersAreShortAndExact() {
        assertThat(BifWriter.number(0.1)).isEqualTo("0.1");
        assertThat(BifWriter.number(0.0)).isEqualTo("0.0");
        assertThat(BifWriter.number(1.0)).isEqualTo("1.0");
        assertThat(BifWriter.number(7.682262e-5)).isEqualTo("0.00007682262");
        assertThat(BifWriter.number(1e-7)).isEqualTo("1.0e-7");
        assertThat(BifWriter.number(2e-3)).isEqualTo("0.002");
        assertThat(BifWriter.number(2.0000000001e-10)).isEqualTo("2.0000000001e-10");
        Random random = new Random(3);
        for (int trial = 0; trial < 20_000; trial++) {
            double value = trial % 2 == 0 ? random.nextDouble() : Math.exp(-700 * random.nextDouble());
            assertThat(Double.parseDouble(BifWriter.number(value))).isEqualTo(value);
        }
        assertThat(Double.parseDouble(BifWriter.number(Double.MIN_VALUE))).isEqualTo(Double.MIN_VALUE);
    }
}
