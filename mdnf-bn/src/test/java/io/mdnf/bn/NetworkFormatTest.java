package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.uai.UaiReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NetworkFormatTest {

    private static final List<String> ODD = List.of("<5", "12+", "5-12", ">=3", "a.b", "a b", "a,b", "a|b", "{", "\"",
            "\\", "\\\"", "//", "/*", "%", "=", "&amp;", "]]>", "<!--", "states", "data", "node", "\u00e9",
            "\ud83d\ude00", ";", " ", "\u00a0", "  x ", "'", "1e-3");

    /** What comes back of a network: all of it, or from UAI all but the names. */
    private static BayesianNetwork kept(NetworkFormat format, BayesianNetwork network) {
        return format != NetworkFormat.UAI ? network
                : UaiNetworks.network(UaiNetworks.model(network), NetworkDraft.UNNAMED);
    }

    @ParameterizedTest
    @EnumSource
    void writeThenReadGivesAnEqualNetwork(NetworkFormat format) {
        Random random = new Random(2);
        for (int trial = 0; trial < 200; trial++) {
            BayesianNetwork network = RandomNetworks.network(random, 1 + random.nextInt(12), 4, 0.2);
            assertThat(format.parse(format.text(network), "random")).isEqualTo(kept(format, network));
        }
        for (String name : BuiltInNetworks.names()) {
            BayesianNetwork network = BuiltInNetworks.open(name);
            assertThat(format.parse(format.text(network), name)).isEqualTo(kept(format, network));
        }
    }

    @ParameterizedTest
    @EnumSource
    void oddNamesSurviveInAFileThatIsToldByItsContent(NetworkFormat format, @TempDir Path folder) throws IOException {
        double[] table = new double[ODD.size()];
        table[3] = 1;
        BayesianNetwork network = BayesianNetwork.of("odd \"name\" & <co>", ODD.stream()
                .map(name -> new Node(name, ODD, List.of(), table)).toList());
        Path file = folder.resolve("odd.data");
        format.write(network, file);
        assertThat(NetworkFormat.of(file)).isEqualTo(format);
        assertThat(format.read(file)).isEqualTo(kept(format, network));
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(packed)) {
            zip.write(Files.readAllBytes(file));
        }
        Files.write(file, packed.toByteArray());
        assertThat(NetworkFormat.of(file)).isEqualTo(format);
        assertThat(NetworkSource.open(file.toString()).nodes()).isEqualTo(kept(format, network).nodes());
    }

    /** Through all four and back; UAI last, since it forgets names. */
    @Test
    void goingThroughAllFormatsKeepsEveryBit() {
        BayesianNetwork network = BuiltInNetworks.open("hepar2");
        BayesianNetwork now = network;
        for (NetworkFormat format : List.of(NetworkFormat.HUGIN, NetworkFormat.XMLBIF, NetworkFormat.BIF,
                NetworkFormat.HUGIN)) {
            now = format.parse(format.text(now), "now");
        }
        assertThat(now).isEqualTo(network);
        BayesianNetwork nameless = NetworkFormat.UAI.parse(NetworkFormat.UAI.text(now), "now");
        for (int i = 0; i < network.size(); i++) {
            assertThat(nameless.node(i).table()).isEqualTo(network.node(i).table());
            assertThat(nameless.parents(i)).isEqualTo(network.parents(i));
        }
    }

    @ParameterizedTest
    @CsvSource({"x.bif, BIF", "x.BIF.gz, BIF", "x.xml, XMLBIF", "x.xmlbif, XMLBIF", "a.b.net, HUGIN", "x.uai, UAI"})
    void aNameTellsTheFormatWhereTheContentDoesNot(String name, NetworkFormat format, @TempDir Path folder)
            throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, " \n");
        assertThat(NetworkFormat.of(file)).isEqualTo(format);
        assertThat(NetworkFormat.named(Path.of("x.csv"))).isEmpty();
        Files.writeString(file, "% by Hugin\nnet {}\n");
        assertThat(NetworkFormat.of(file)).isEqualTo(NetworkFormat.HUGIN);
        assertThat(NetworkFormat.stem(file)).isEqualTo(name.startsWith("a") ? "a.b" : "x");
    }

    @Test
    void aMarkovFieldIsNoNetworkButFactors(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("field");
        Files.writeString(file, "MARKOV 2 2 2 1 2 0 1 4 1 2 3 4");
        assertThatThrownBy(() -> NetworkSource.open(file.toString())).isInstanceOf(NetworkFileException.class)
                .hasMessageStartingWith(file + ":1:1: found no network").hasMessageContaining("Markov field");
        assertThat(NetworkSource.factors(file.toString()).factors()).hasSize(1);
        assertThat(UaiReader.model(file).variables()).isEqualTo(2);
    }

    @Test
    void latin1IsReadAsXmlSaysItIs(@TempDir Path folder) throws IOException {
        String xml = NetworkFormat.XMLBIF.text(BayesianNetwork.of("n", List.of(new Node("\u00c3\u00a9", List.of("a"),
                List.of(), new double[] {1})))).replace("UTF-8", "ISO-8859-1");
        Path file = folder.resolve("n.xml");
        Files.write(file, xml.getBytes(StandardCharsets.ISO_8859_1)); // these bytes would be an accented e in UTF-8
        assertThat(NetworkSource.open(file.toString()).node(0).name()).isEqualTo("\u00c3\u00a9");
    }
}
