package io.mdnf.cli;

import io.mdnf.evaluation.LoopyPropagation;
import io.mdnf.fit.Answer;
import io.mdnf.fit.Answers;
import io.mdnf.fit.Budget;
import io.mdnf.report.Block;
import io.mdnf.report.Block.Column;
import io.mdnf.report.Decimals;
import io.mdnf.target.FactorTarget;
import io.mdnf.uai.UaiEvidence;
import io.mdnf.uai.UaiModel;
import io.mdnf.uai.UaiReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mdnf bench uai}: problems of the UAI competitions, ours beside loopy belief propagation. */
@Command(name = "uai", footer = "  mdnf bench uai problems --budget 60 --tables 65536", description = {
    "Answers every UAI model of a folder and compares with its reference marginals.",
    "Mean Hellinger distances, ours and those of loopy belief propagation in as much time (a second at "
        + "least); the score is 100 less the percentage of the distance that uniform marginals have. "
        + "A problem that fails is a row."})
final class BenchUai implements Callable<Integer> {

    /** What the baseline gets where ours is exact at once: time to settle. */
    private static final double LEAST_SECONDS = 1;

    @Parameters(index = "0", paramLabel = "DIR",
            description = "A folder of models, with evidence and marginals beside them as the competitions name them.")
    private Path folder;

    @Option(names = "--budget", paramLabel = "SECONDS", defaultValue = "60", description = "Seconds for each problem")
    private double seconds;

    @Option(names = "--memory", paramLabel = "SIZE", description = "What tables may take, such as 2GB.")
    private String memory;

    @Option(names = "--tables", paramLabel = "ENTRIES", description = "How many entries one table may have.")
    private Long tables;

    @Option(names = "--out", paramLabel = "FILE",
            description = "Keep finished rows in this file; those that are there already are not computed again.")
    private Path kept;

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    /** A problem's figures; NaN where there is none. */
    record Row(String name, int variables, int width, double distance, double loopy, double score, double lower,
            double upper, double loopyLogZ, double seconds, String algorithm) {

        private String line() {
            return String.join("\t", name, "" + variables, "" + width, "" + distance, "" + loopy, "" + score,
                    "" + lower, "" + upper, "" + loopyLogZ, "" + seconds, algorithm) + "\n";
        }

        private static Row of(String line) {
            String[] f = line.split("\t");
            double[] d = Stream.of(f).skip(3).limit(7).mapToDouble(Double::parseDouble).toArray();
            return new Row(f[0], Integer.parseInt(f[1]), Integer.parseInt(f[2]), d[0], d[1], d[2], d[3], d[4], d[5],
                    d[6], f[10]);
        }
    }

    @Override
    public Integer call() throws IOException {
        if (!Files.isDirectory(folder) || !(seconds > 0)) {
            throw new UsageProblem(seconds > 0 ? folder + ": no such folder" : "--budget " + seconds
                    + ": more than 0 is needed");
        }
        Nd4jStart.now();
        List<Row> rows = new ArrayList<>();
        if (kept != null && Files.exists(kept)) {
            Files.readAllLines(kept).forEach(line -> rows.add(Row.of(line)));
        }
        List<Path> problems;
        try (Stream<Path> files = Files.list(folder)) {
            problems = files.filter(f -> f.toString().endsWith(".uai")).sorted().toList();
        }
        for (Path problem : problems) {
            String name = problem.getFileName().toString().replaceFirst("\\.uai$", "");
            if (rows.stream().noneMatch(row -> row.name.equals(name))) {
                Row row = row(name, problem);
                rows.add(row);
                json.note(row.line().strip());
                if (kept != null) {
                    Files.writeString(kept, row.line(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                }
            }
        }
        double score = rows.stream().mapToDouble(row -> Double.isNaN(row.score) ? 0 : row.score).average().orElse(0);
        json.answer(() -> Map.of("problems", rows, "score", score), out -> {
            out.print(TextTables.text(table(rows)));
            out.printf(Locale.ROOT, "%d problems, score %.2f on average; no better than loopy belief propagation on %d,"
                    + " within .02 on %d%n", rows.size(), score,
                    rows.stream().filter(row -> !(row.distance <= row.loopy)).count(),
                    rows.stream().filter(row -> row.distance <= 0.02).count());
        });
        return 0;
    }

    private static Block.Table table(List<Row> rows) {
        return Block.Table.of("Hellinger distances", Column.text("problem"), Column.number("variables"),
                Column.number("width"), Column.number("ours"), Column.number("loopy BP"), Column.number("score"),
                Column.number("log Z from"), Column.number("to"), Column.number("Bethe"), Column.number("s"),
                Column.text("algorithm")).rows(rows, r -> List.of(r.name, "" + r.variables, "" + r.width,
                        Decimals.fixed(r.distance, 5), Decimals.fixed(r.loopy, 5), Decimals.fixed(r.score, 2),
                        Decimals.fixed(r.lower, 3), Decimals.fixed(r.upper, 3), Decimals.fixed(r.loopyLogZ, 3),
                        Decimals.fixed(r.seconds, 1), r.algorithm));
    }

    private Row row(String name, Path problem) {
        int variables = 0;
        try {
            UaiModel model = UaiReader.model(problem);
            variables = model.variables();
            Path observed = Path.of(problem + ".evid");
            UaiEvidence evidence = Files.exists(observed) ? UaiReader.evidence(observed, model)
                    : UaiEvidence.none(model);
            double[][] reference = UaiReader.marginals(Path.of(problem + ".MAR"));
            FactorTarget target = model.target(evidence);
            int width = target.reduction().plan().width();
            Answer answer = new Answers(target, new Budget(seconds, BnCase.bytes(memory),
                    tables == null ? Double.POSITIVE_INFINITY : tables)).ask(seed.seed());
            LoopyPropagation loopy = LoopyPropagation.of(target.space(), target.factors(),
                    Math.max(LEAST_SECONDS, answer.seconds()));
            double[][] uniform = new double[reference.length][];
            for (int v = 0; v < uniform.length; v++) {
                uniform[v] = new double[reference[v].length];
                Arrays.fill(uniform[v], 1.0 / uniform[v].length);
            }
            double distance = distance(evidence.complete(answer.marginals()), reference);
            double worst = distance(evidence.complete(uniform), reference);
            return new Row(name, variables, width, distance, distance(evidence.complete(loopy.marginals()), reference),
                    worst == 0 ? 100 : 100 * Math.max(0, 1 - distance / worst), answer.logEvidence().lower(),
                    answer.logEvidence().upper(), loopy.logSum(), answer.seconds(), answer.isExact() ? "exact"
                            : "samples");
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            return new Row(name, variables, 0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN,
                    Double.NaN, Failure.of(e).sentence().replace('\t', ' '));
        }
    }

    /** The mean over variables of sqrt(1 - sum_k sqrt(p_k q_k)). */
    static double distance(double[][] p, double[][] q) {
        double sum = 0;
        for (int v = 0; v < q.length; v++) {
            double[] norms = {0, 0};
            double overlap = 0;
            for (int k = 0; k < q[v].length; k++) {
                overlap += Math.sqrt(p[v][k] * q[v][k]);
                norms[0] += p[v][k];
                norms[1] += q[v][k];
            }
            // references have six digits and sum to 1 only about
            sum += Math.sqrt(Math.max(0, 1 - overlap / Math.sqrt(norms[0] * norms[1])));
        }
        return sum / q.length;
    }
}
