package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BuiltInNetworksTest {

    static List<String> names() {
        return BuiltInNetworks.names();
    }

    /** Counts of nodes, arcs and free parameters as the publications and repositories of these networks state. */
    @ParameterizedTest
    @CsvSource({"asia, 8, 8, 18", "cancer, 5, 4, 10", "earthquake, 5, 4, 10", "sachs, 11, 17, 178",
        "hepar2, 70, 123, 1453"})
    void sizesAreThePublishedOnes(String name, int nodes, int arcs, long parameters) {
        BayesianNetwork network = BuiltInNetworks.open(name);
        assertThat(network.name()).isEqualTo(name);
        assertThat(network.size()).isEqualTo(nodes);
        assertThat(network.arcs()).isEqualTo(arcs);
        assertThat(network.parameters()).isEqualTo(parameters);
    }

    @ParameterizedTest
    @MethodSource("names")
    void filesAreWhatOurWriterWrites(String name) throws IOException {
        try (InputStream in = BuiltInNetworks.class.getResourceAsStream(name + ".bif")) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("// Figures published in: "
                    + BuiltInNetworks.citation(name) + "\n" + BifWriter.text(BuiltInNetworks.open(name)));
        }
    }

    @Test
    void aFewFiguresStandWhereTheyWerePublished() {
        BayesianNetwork asia = BuiltInNetworks.open("asia");
        Node dysp = asia.node(asia.indexOf("dysp"));
        assertThat(dysp.parents()).containsExactly("bronc", "either");
        // bronchitis no, either yes: the source file lists this row second, by name it is row 2
        assertThat(dysp.probability(2, 0)).isEqualTo(0.7);
        assertThat(dysp.probability(1, 0)).isEqualTo(0.8);
        BayesianNetwork cancer = BuiltInNetworks.open("cancer");
        // Pollution=high (1), Smoker=True (0)
        assertThat(cancer.node(cancer.indexOf("Cancer")).probability(2, 0)).isEqualTo(0.05);
    }

    @Test
    void unknownNamesAreRefusedWithTheNearest() {
        assertThatThrownBy(() -> BuiltInNetworks.open("hepar")).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no built-in network 'hepar' (did you mean 'hepar2'?), built in: "
                        + "'asia', 'cancer', 'earthquake', 'sachs', 'hepar2'");
        assertThatThrownBy(() -> NetworkSource.open("Aisa")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no network file and no built-in network 'Aisa' (did you mean 'asia'?)");
        assertThatThrownBy(() -> NetworkSource.open("\u0000")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sourcesAreNamesOrPaths(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("mine.bif");
        NetworkFormat.BIF.write(BuiltInNetworks.open("cancer"), file);
        assertThat(NetworkSource.open(file.toString())).isEqualTo(NetworkSource.open("cancer"));
        Files.writeString(file, "nonsense");
        assertThatThrownBy(() -> NetworkSource.open(file.toString())).isInstanceOf(NetworkFileException.class)
                .hasMessageStartingWith(file + ":1:1: ");
    }

    @Test
    void aNetworkWithoutANameIsCalledByItsFile(@TempDir Path folder) throws IOException {
        String text = BifWriter.text(BuiltInNetworks.open("cancer"));
        Path file = folder.resolve("my clinic.bif");
        Files.writeString(file, text.replaceFirst("network \\S+ ", "network unknown "));
        assertThat(NetworkSource.open(file.toString()).name()).isEqualTo("my clinic");
        Files.writeString(file, text);
        assertThat(NetworkSource.open(file.toString()).name()).isEqualTo("cancer");
    }
}
