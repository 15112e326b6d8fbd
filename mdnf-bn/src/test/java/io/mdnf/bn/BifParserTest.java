package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BifParserTest {

    private static final String AB = "network n { }\n"
            + "variable A { type discrete [ 2 ] { a0, a1 }; }\n"
            + "variable B { type discrete [ 3 ] { b0, b1, b2 }; }\n"
            + "probability ( A ) { table 0.3, 0.7; }\n";

    private static BayesianNetwork read(String text) {
        return NetworkFormat.BIF.parse(text, "n.bif");
    }

    private static double[] tableOf(String text, String node) {
        BayesianNetwork network = read(text);
        return network.node(network.indexOf(node)).table();
    }

    @Test
    void rowsGoWhereTheirStateNamesSay() {
        String rows = "probability ( B | A ) { (a1) 0.1, 0.2, 0.7; (a0) 0.5, 0.25, 0.25; }";
        assertThat(tableOf(AB + rows, "B")).containsExactly(0.5, 0.25, 0.25, 0.1, 0.2, 0.7);
    }

    /** The format's own example: p(light-on | family-out) is 0.6 for true and 0.05 for false. */
    @Test
    void wholeTablesHaveTheChildSlowest() {
        String dogs = "network \"Dog-Problem\" { //5 variables\n property \"credal-set constant-density 1.1\" ;\n}\n"
                + "variable \"light-on\" { //2 values\n type discrete[2] { \"true\" \"false\" };\n"
                + " property \"position = (218, 195)\" ;\n}\n"
                + "variable \"bowel\" { type discrete[2] { \"true\" \"false\" }; property position = (335, 99) ;}\n"
                + "variable \"family-out\" { type discrete[2] { \"true\" \"false\" }; }\n"
                + "variable \"dog-out\" { type discrete[2] { \"true\" \"false\" }; }\n"
                + "probability ( \"light-on\" \"family-out\" ) { //2 variables and 4 values\n"
                + " table 0.6 0.05 0.4 0.95 ;\n}\n"
                + "probability ( \"bowel\" ) { table 0.01 0.99 ; }\n"
                + "probability ( \"dog-out\" \"bowel\" \"family-out\" ) {\n"
                + " table 0.99 0.97 0.9 0.3 0.01 0.03 0.1 0.7 ; }\n"
                + "probability ( \"family-out\" ) { table 0.15 0.85 ; }\n";
        assertThat(read(dogs).name()).isEqualTo("Dog-Problem");
        assertThat(tableOf(dogs, "light-on")).containsExactly(0.6, 0.4, 0.05, 0.95);
        assertThat(tableOf(dogs, "dog-out")).containsExactly(0.99, 0.01, 0.97, 0.03, 0.9, 0.1, 0.3, 0.7);
    }

    @Test
    void wholeTablesWithTheChildFastestAreToldByTheirSums() {
        String fastest = "probability ( B | A ) { table 0.5, 0.25, 0.25, 0.1, 0.2, 0.7; }";
        String slowest = "probability ( B | A ) { table 0.5, 0.1, 0.25, 0.2, 0.25, 0.7; }";
        assertThat(tableOf(AB + fastest, "B")).containsExactly(0.5, 0.25, 0.25, 0.1, 0.2, 0.7);
        assertThat(read(AB + slowest)).isEqualTo(read(AB + fastest));
    }

    @Test
    void defaultFillsTheRowsNotGiven() {
        String text = AB + "probability ( B | A ) { default 0.2, 0.3, 0.5; (a1) 1, 0, 0; }";
        assertThat(tableOf(text, "B")).containsExactly(0.2, 0.3, 0.5, 1, 0, 0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '/', value = {"( B | A )", "(B|A)", "( B, A )", "( B A )", "( \"B\" | \"A\" )"})
    void headersMaySeparateParentsInEveryDialect(String header) {
        assertThat(tableOf(AB + "probability " + header + " { (a0) 1 0 0; (a1) 0 1e0 .0; }", "B"))
                .containsExactly(1, 0, 0, 0, 1, 0);
    }

    @Test
    void stateNamesMayBeAlmostAnything() {
        String text = "variable V { type discrete [ 9 ] { <5, 12+, 5-12, >=3, a.b, N/A, 1e-3, \"x, y\", property }; }\n"
                + "variable W { type discrete [ 2 ] { table, \"quo\\\"te\\\\\" }; }\n"
                + "probability ( W ) { table 1, 0; }\n"
                + "probability ( V | W ) { (\"quo\\\"te\\\\\") 0 0 0 0 0 0 0 0 1; (table) 1 0 0 0 0 0 0 0 0; }\n";
        BayesianNetwork network = read(text);
        assertThat(network.node(0).states()).containsExactly("<5", "12+", "5-12", ">=3", "a.b", "N/A", "1e-3", "x, y",
                "property");
        assertThat(network.node(1).states()).containsExactly("table", "quo\"te\\");
        assertThat(network.node(0).probability(1, 8)).isEqualTo(1);
    }

    @Test
    void commentsPropertiesLineEndsAndBlockOrderDoNotMatter() {
        String plain = AB + "probability ( B | A ) { (a0) 0.5, 0.25, 0.25; (a1) 1e-1, 2.0E-1, 7e-01; }";
        String dressed = "\uFEFF// first\r\nprobability ( B /* child */ | A ) {\r\n property note = }{;"
                + " (a0) 0.5, 0.25, 0.25;"
                + "property \"semi;colon\"; \r\n (a1) .1, 0.2, 0.7; }\r\n"
                + "variable A { property 5\" pipe; type discrete [2] { a0 a1 }; /* ** / * */ }\r"
                + "network n { property x; }\n/**/probability ( A ) { table 0.3 0.7; }"
                + "variable B { type discrete [ 3 ] { b0 b1// comment\n b2 }; }//last";
        BayesianNetwork expected = read(plain);
        BayesianNetwork found = read(dressed);
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void gzipIsToldByItsFirstBytes(@TempDir Path folder) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(BifWriter.text(BuiltInNetworks.open("sachs")).getBytes(StandardCharsets.UTF_8));
        }
        Path file = folder.resolve("sachs.bif");
        Files.write(file, bytes.toByteArray());
        assertThat(NetworkFormat.BIF.read(file)).isEqualTo(BuiltInNetworks.open("sachs"));
        Files.write(file, Arrays.copyOf(bytes.toByteArray(), bytes.size() / 2));
        assertThatThrownBy(() -> NetworkFormat.BIF.read(file)).isInstanceOf(NetworkFileException.class)
                .hasMessageStartingWith(file + ":1:1: found a damaged gzip stream");
    }

    @Test
    void latin1IsReadWhenTheBytesAreNotUtf8() throws IOException {
        String text = "variable A { type discrete [ 1 ] { caf\u00e9 }; } probability ( A ) { table 1; }";
        for (Charset charset : new Charset[] {StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1}) {
            assertThat(NetworkFormat.BIF.read(new ByteArrayInputStream(text.getBytes(charset)), "x").node(0).states())
                    .containsExactly("caf\u00e9");
        }
    }

    @Test
    void errorsSayWhereWhatWasFoundAndWhatWasExpected() {
        refused("probability ( B | A ) {\n  (a0) 0.5, 0.25, 0.26;\n  (a1) 1, 0, 0;\n}",
                "n.bif:6:3: found row (a0) of 'B', which sums to 1.01, expected 1 within 1.0E-6");
        refused("probability ( B | A ) { (a0) 1, 0, 0; }",
                "n.bif:5:1: found no row (a1) of 'B' (1 of 2 rows are missing), expected every row or a 'default'");
        refused("probability ( B | A ) { (a0) 1, 0, 0; (a2) 1, 0, 0; }",
                "n.bif:5:40: found 'a2' (did you mean 'a0'?), expected a state of 'A': 'a0', 'a1'");
        refused("probability ( B | A ) { (a0) 1, 0, 0; (a0) 1, 0, 0; }",
                "n.bif:5:39: found row (a0) of 'B' twice, expected every row once");
        refused("probability ( B | A ) { (a0) 1, 0; }",
                "n.bif:5:34: found ';' after 2 probabilities, expected 3, one per state of 'B'");
        refused("probability ( B | A ) { (a0) 1, 0, 0, 0; }",
                "n.bif:5:37: found ',', expected ';' after 3 probabilities, one per state of 'B'");
        refused("probability ( B | A ) { (a0, a1) 1, 0, 0; }",
                "n.bif:5:25: found 2 parent states, expected 1, one for each of 'A'");
        refused("probability ( B | A ) { table 0.5, 0.25, 0.25, 0.1, 0.2, 0.8; }",
                "n.bif:5:25: found row (a0) of 'B', which sums to 0.95, expected 1 within 1.0E-6");
        refused("probability ( B ) { default 0.5, 0.25, 0.5; }",
                "n.bif:5:21: found the default row of 'B', which sums to 1.25, expected 1 within 1.0E-6");
        refused("probability ( B | C ) { }",
                "n.bif:5:19: found unknown variable 'C' (did you mean 'A'?), expected a declared variable");
        refused("probability ( B | B ) { }", "n.bif:5:19: found 'B' as its own parent, expected another variable");
        refused("probability ( B | A, A ) { }", "n.bif:5:22: found parent 'A' twice, expected different parents");
        refused("probability ( A | B ) { default 1 0; }",
                "n.bif:5:1: found a second distribution of 'A', first at line 4, expected one");
        refused("", "n.bif:3:10: found variable 'B' without probabilities, expected a block 'probability' for it");
        refused("variable C { type discrete [2] { x, y, z }; }",
                "n.bif:5:29: found 3 states of 'C', expected 2 as declared in [ 2 ]");
        refused("variable C { type discrete [2] { x, x }; }",
                "n.bif:5:37: found state 'x' of 'C' twice, expected different states");
        refused("variable A { type discrete [2] { x, y }; }",
                "n.bif:5:10: found a second variable 'A', expected every variable once");
        refused("variable C { }", "n.bif:5:14: found the end of variable 'C', expected its 'type'");
        refused("variable C { type continuous; }", "n.bif:5:19: found 'continuous', expected 'discrete'");
        refused("varable C { }", "n.bif:5:1: found 'varable', expected 'network', 'variable', 'probability' "
                + "or the end of the file");
        refused("network m { }", "n.bif:5:1: found a second 'network' block, expected one");
        refused("/* open", "n.bif:5:1: found a comment without an end, expected '*/'");
        refused("variable \"open\n", "n.bif:5:10: found a quoted name that runs into the end of the line, "
                + "expected a closing '\"'");
        refused("probability ( B | A ) { (a0) 1, 0, 0", "n.bif:5:37: found the end of the file, "
                + "expected ';' after 3 probabilities, one per state of 'B'");
    }

    private static void refused(String more, String message) {
        assertThatThrownBy(() -> read(AB + more)).isInstanceOf(NetworkFileException.class).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({"NaN", "Infinity", "-0.1", "+1", "0x1p0", "1f", "1d", "1e", ".", "1_0", "\"1\"", "1e9999999999"})
    void onlyPlainNumbersAreProbabilities(String number) {
        String text = "variable A { type discrete [ 1 ] { a }; } probability ( A ) { table " + number + "; }";
        assertThatThrownBy(() -> read(text)).isInstanceOf(NetworkFileException.class);
    }

    @Test
    void decimalCommasAreRefused() {
        assertThatThrownBy(() -> read("variable A { type discrete [ 2 ] { a, b }; } "
                + "probability ( A ) { table 0,1 0,9; }")).isInstanceOf(NetworkFileException.class);
    }

    @Test
    void tableMustStandAlone() {
        for (String body : new String[] {"table 1 0; table 1 0;", "table 1 0; default 1 0;", "default 1 0; table 1 0;",
            "default 1 0; default 1 0;"}) {
            assertThatThrownBy(() -> read("variable A { type discrete [ 2 ] { a, b }; } probability ( A ) { " + body
                    + " }")).isInstanceOf(NetworkFileException.class).hasMessageContaining("each row to be given once");
        }
    }

    @Test
    void cyclesAreNamed() {
        String two = "variable A { type discrete [ 1 ] { a }; }\nvariable B { type discrete [ 1 ] { b }; }\n"
                + "probability ( A | B ) { (b) 1; }\nprobability ( B | A ) { (a) 1; }\n";
        assertThatThrownBy(() -> read(two)).isInstanceOf(NetworkFileException.class)
                .hasMessageContaining("found a cycle").hasMessageContaining("'A'").hasMessageContaining("'B'");
    }

    /** 2 * 2^30 numbers would be 16 GB: the refusal must come from arithmetic alone. */
    @Test
    void hugeTablesAreRefusedBeforeTheyAreAllocated() {
        String parents = IntStream.range(0, 30).mapToObj(i -> "p" + i).collect(Collectors.joining(", "));
        String declared = IntStream.range(0, 30)
                .mapToObj(i -> "variable p" + i + " { type discrete [ 2 ] { y, n }; }\nprobability ( p" + i
                        + " ) { table 1 0; }\n").collect(Collectors.joining());
        assertThatThrownBy(() -> read(declared + "variable X { type discrete [ 2 ] { y, n }; }\nprobability ( X | "
                + parents + " ) { default 1 0; }")).isInstanceOf(NetworkFileException.class)
                .hasMessageContaining("'X' with 2 states and 30 parents")
                .hasMessageContaining("expected at most 10000000");
    }

    /** 200 MB of blanks pack into 200 kB. */
    @Test
    @Tag("slow")
    void gzipBombsAreRefused() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            byte[] blanks = new byte[1 << 20];
            Arrays.fill(blanks, (byte) ' ');
            for (int i = 0; i < 200; i++) {
                zip.write(blanks);
            }
        }
        assertThatThrownBy(() -> NetworkFormat.BIF.read(new ByteArrayInputStream(bytes.toByteArray()), "bomb"))
                .isInstanceOf(NetworkFileException.class).hasMessageStartingWith("bomb:1:1: found more than");
    }

    @Test
    void messagesStayOneShortLine() {
        String longName = "x".repeat(9_000);
        assertThatThrownBy(() -> read("variable A { type discrete [ 1 ] { a }; } probability ( A | " + longName + " )"))
                .isInstanceOf(NetworkFileException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400).doesNotContain("\n"));
    }

    @Test
    void anEmptyFileIsRefused() {
        assertThatThrownBy(() -> read("network n {\n}\n")).isInstanceOf(NetworkFileException.class)
                .hasMessage("n.bif:3:1: found the end of the file, expected at least one 'variable'");
    }
}
