package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.BifWriter;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Node;
import io.mdnf.work.Workers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code mdnf bn query} promises at the terminal. */
class BnQueryTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private String cases(String text) throws IOException {
        return Files.writeString(folder.resolve("cases.csv"), text).toString();
    }

    @Test
    void aRowOfEvidenceBecomesARowOfMarginals() throws IOException {
        String cases = cases("Cancer,Xray\nTrue,\n?,positive\nmaybe,\n");
        assertThat(run("bn", "query", "cancer", "--cases", cases, "--targets", "Xray,Cancer")).isZero();

        List<String> lines = out.toString().lines().toList();
        assertThat(lines.get(0)).isEqualTo("case,algorithm,logEvidence,error,Xray=positive,Xray=negative,Cancer=True,"
                + "Cancer=False");
        String[] first = lines.get(1).split(",");
        // entries of the published tables
        assertThat(first[1]).isEqualTo("exact");
        assertThat(Double.parseDouble(first[2])).isCloseTo(-4.4541673124516, within(1e-9));
        assertThat(first).endsWith("0.9", "0.1", "1", "0");
        assertThat(lines.get(3)).startsWith("3,,,\"variable 'Cancer' has no state 'maybe'").endsWith(",,,,");
    }

    @Test
    void manyQuestionsAboutOneCase() throws IOException {
        assertThat(run("bn", "query", "cancer", "--evidence", "Xray=positive", "--query", "Cancer", "--joint",
                "Cancer,Smoker", "--most-probable", "2", "--influences", "--information", "--sensitivity",
                "Cancer=True", "--json")).isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        double p = answer.at("/variables/Cancer/posterior/True").doubleValue();
        // p(Cancer) = 0.01163, and 0.9 against 0.2 for a positive picture
        assertThat(answer.at("/variables/Cancer/prior/True").doubleValue()).isCloseTo(0.01163, within(1e-9));
        assertThat(p).isCloseTo(0.01163 * 0.9 / (0.01163 * 0.9 + 0.98837 * 0.2), within(1e-9));
        assertThat(answer.get("joint")).hasSize(4);
        assertThat(answer.get("joint").findValues("probability").stream().mapToDouble(JsonNode::doubleValue).sum())
                .isCloseTo(1, within(1e-9));
        assertThat(answer.get("mostProbable")).hasSize(2);
        assertThat(answer.at("/influences/Cancer/Xray").doubleValue()).isPositive();
        assertThat(answer.at("/information/Cancer/Dyspnoea").doubleValue()).isPositive();
        assertThat(answer.at("/sensitivity/0/derivative").isNumber()).isTrue();

        assertThat(run("bn", "query", "cancer", "--soft", "Xray: positive=.7,negative=.3")).isZero();
        assertThat(out.toString()).contains("log evidence").contains("Marginals").contains("Cancer");
    }

    @Test
    void softEvidenceTakesNamesWithItsSignsInQuotes() throws IOException {
        Path file = folder.resolve("odd.bif");
        Files.writeString(file, BifWriter.text(BayesianNetwork.of("odd", List.of(new Node("a:b, c=d",
                List.of("x=1", "\"y\", z"), List.of(), new double[] {0.25, 0.75})))));
        assertThat(run("bn", "query", file.toString(), "--soft",
                "\"a:b, c=d\":\"x=1\"=0.5,\"\\\"y\\\", z\"=1e-1", "--json")).isZero();
        assertThat(new ObjectMapper().readTree(out.toString()).path("logEvidence").asDouble())
                .isCloseTo(Math.log(0.25 * 0.5 + 0.75 * 0.1), within(1e-9));
    }

    @Test
    void namesWithCommasAreAskedForInQuotes() throws IOException {
        Path file = folder.resolve("odd.bif");
        Files.writeString(file, BifWriter.text(BayesianNetwork.of("odd", List.of(
                new Node("a, b", List.of("x", "y"), List.of(), new double[] {0.25, 0.75}),
                new Node("\"c\"", List.of("x", "y"), List.of(), new double[] {0.5, 0.5})))));
        assertThat(run("bn", "query", file.toString(), "--query", "\"a, b\"", "--joint", "\"\\\"c\\\"\", \"a, b\"",
                "--json")).isZero();
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertThat(answer.get("variables").fieldNames()).toIterable().containsExactly("a, b");
        assertThat(answer.at("/joint/1/states/a, b").textValue()).isEqualTo("y");
        assertThat(answer.at("/joint/1/probability").doubleValue()).isCloseTo(0.375, within(1e-9));
        assertThat(run("bn", "query", file.toString(), "--cases", cases("\"a, b\",id\nx,1\n"), "--ignore", "\"id\"",
                "--targets", "\"a, b\"")).isZero();
        assertThat(out.toString()).contains("\"a, b=x\"");
    }

    @Test
    void aQuestionThatIsTooLargeIsRefusedBeforeAnythingIsMade() {
        String all = String.join(",", BuiltInNetworks.open("hepar2").nodes().stream().map(Node::name).toList());
        for (String[] more : List.of(new String[] {"--joint", all}, new String[] {"--memory", "1k"})) {
            assertThat(run("bn", "query", "hepar2", more[0], more[1])).isEqualTo(1);
            assertThat(err.toString()).contains("exact inference is too large here", "may take").hasLineCount(1);
        }
    }

    @Test
    void wrongQuestionsAboutOneCaseAreOneLine() throws IOException {
        assertThat(run("bn", "query", "cancer", "--soft", "Xray: positive=.7")).isEqualTo(2);
        assertThat(err.toString()).contains("state 'negative' is missing").hasLineCount(1);
        assertThat(run("bn", "query", "cancer", "--soft", "Xray: positive=.7,positive=.3")).isEqualTo(2);
        assertThat(err.toString()).contains("state 'positive' appears twice").hasLineCount(1);
        for (String table : List.of("--long", "--threads=2", "--ignore=id")) {
            assertThat(run("bn", "query", "cancer", table)).isEqualTo(2);
            assertThat(err.toString()).contains("need a table of cases").hasLineCount(1);
        }
        assertThat(run("bn", "query", "cancer", "--soft", "Xray positive=.7")).isEqualTo(2);
        assertThat(err.toString()).contains("expected 'variable: state=likelihood").hasLineCount(1);
        assertThat(run("bn", "query", "cancer", "--soft", "Xray: positive=much")).isEqualTo(2);
        assertThat(err.toString()).contains("expected state=likelihood").hasLineCount(1);
        assertThat(run("bn", "query", "cancer", "--sensitivity", "Xray=positive,Cancer=True")).isEqualTo(2);
        assertThat(run("bn", "query", "cancer", "--cases", cases("Cancer\nTrue\n"), "--joint", "Cancer")).isEqualTo(2);
        assertThat(err.toString()).contains("leave other questions out").hasLineCount(1);
    }

    @Test
    void longTablesHaveALineForEachState() throws IOException {
        assertThat(run("bn", "query", "cancer", "--cases", cases("Cancer\nTrue\nno\n"), "--targets", "Xray", "--long"))
                .isZero();
        assertThat(out.toString().lines().toList()).hasSize(4).element(1).asString().startsWith("1,exact,-4.45416")
                .endsWith(",,Xray,positive,0.9");
    }

    @Test
    void wrongQuestionsAreOneLine() throws IOException {
        String cases = cases("Cancer\nTrue\n");
        assertThat(run("bn", "query", "cancer", "--cases", cases, "--targets", "Xrai")).isEqualTo(2);
        assertThat(err.toString()).contains("did you mean 'Xray'?").hasLineCount(1);
        assertThat(run("bn", "query", "cancer", "--cases", cases, "--json")).isEqualTo(2);
        assertThat(run("bn", "query", "cancer", "--cases", cases, "--out", folder.resolve("a.csv").toString(),
                "--resume")).isEqualTo(2);
        assertThat(err.toString()).contains("nothing of this question was begun").hasLineCount(1);
        for (String none : List.of("there-is-none.csv", ".")) {
            assertThat(run("bn", "query", "cancer", "--cases", none)).isEqualTo(2);
            assertThat(err.toString()).startsWith("mdnf: " + none + ": ").hasLineCount(1);
        }
        assertThat(run("bn", "query", "cancer", "--cases", cases("Canser\nTrue\n"))).isEqualTo(2);
        assertThat(err.toString()).contains("did you mean 'Cancer'?").hasLineCount(1);
    }

    /** Threads that stop when they have given some results. */
    private record Stopped(Workers workers, int after) implements Workers {

        @Override
        public <T> Sent<T> send(T value) {
            return workers.send(value);
        }

        @Override
        public <P, R> void run(List<P> pieces, Work<P, R> work, Taker<R> taker) throws IOException {
            workers.run(pieces, work, (piece, result) -> {
                if (piece == after) {
                    throw new IOException("stopped");
                }
                taker.take(piece, result);
            });
        }
    }

    private int stopped(int after, String... args) {
        return Main.run(master -> new Stopped(Workers.here(1), after), new PrintWriter(out, true),
                new PrintWriter(err, true), args);
    }

    private Path part() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().matches(".*csv\\.[0-9a-f]+\\.part")).findFirst().orElseThrow();
        }
    }

    /** Blocks have 4096 cases; the third does not come, and what came is cut or damaged. */
    @Test
    void stoppedDamagedAndResumedGivesTheSameFile() throws IOException {
        Random random = new Random(5);
        StringBuilder table = new StringBuilder("Cancer,Xray,Smoker\n");
        for (int i = 0; i < 9000; i++) {
            table.append(List.of("True", "False", "?", "no").get(random.nextInt(4))).append(',')
                    .append(random.nextBoolean() ? "positive" : "").append(",\n");
        }
        String cases = cases(table.toString());
        Path answers = folder.resolve("answers.csv");
        for (String form : List.of("--long", "--threads=2")) {
            String[] command = {"bn", "query", "cancer", "--cases", cases, "--out", answers.toString(), form};
            String[] again = Stream.concat(Stream.of(command), Stream.of("--resume")).toArray(String[]::new);
            assertThat(run(command)).isZero();
            byte[] whole = Files.readAllBytes(answers);
            for (String damage : List.of("none", "nul", "line", "byte", "cut")) {
                Files.delete(answers);
                assertThat(stopped(2, command)).isEqualTo(1);
                byte[] part = Files.readAllBytes(part());
                switch (damage) {
                    case "nul" -> Files.write(part(), new byte[100], StandardOpenOption.APPEND);
                    case "line" -> Files.writeString(part(), "garbage\n", StandardOpenOption.APPEND);
                    case "byte" -> part[part.length - 100] ^= 1;
                    default -> part = Arrays.copyOf(part, damage.equals("cut") ? part.length - 1 : part.length);
                }
                if (damage.equals("byte") || damage.equals("cut")) {
                    Files.write(part(), part);
                }
                int kept = damage.equals("byte") || damage.equals("cut") ? 4096 : 8192;
                assertThat(run(again)).isZero();
                assertThat(answers).as(damage).hasBinaryContent(whole);
                assertThat(err.toString().lines()).hasSize(2).element(0).asString()
                        .startsWith("mdnf: --resume: " + kept + " answers are kept")
                        .matches(line -> line.endsWith("answered again") != damage.equals("none"), damage);
                assertThat(err.toString()).contains("9000 cases: " + kept + " answered before, ");
            }
        }
    }
}
