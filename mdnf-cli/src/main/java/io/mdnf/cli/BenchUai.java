package io.mdnf.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.Memory;
import io.mdnf.evaluation.Baseline;
import io.mdnf.evaluation.LoopyPropagation;
import io.mdnf.file.AtomicFiles;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mdnf bench uai}: problems of the UAI competitions, ours beside what others would use. */
@Command(name = "uai", footer = "  mdnf bench uai problems --budget 60 --tables 65536", description = {
    "Answers every UAI model of a folder and compares with its reference marginals.",
    "Mean Hellinger distances and errors of log Z: ours, and those of loopy belief propagation, mean field and Gibbs "
        + "sampling, each in as much time as ours (a second at least). log Z is known where exact inference fits "
        + "into memory and a minute, whatever ours may use. The score is 100 less the percentage of the distance "
        + "that uniform marginals have. A problem that fails is a row."})
final class BenchUai implements Callable<Integer> {

    /** What a baseline gets where ours is exact at once: time to settle. */
    private static final double LEAST_SECONDS = 1;
    /** Of all tables: what a minute of elimination has. */
    private static final double MOST_EXACT = 2e9;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Parameters(index = "0", paramLabel = "DIR",
            description = "A folder of models, with evidence and marginals beside them as the competitions name them.")
    private Path folder;

    @Option(names = "--budget", paramLabel = "TIME", defaultValue = "60s",
            description = "How long each problem may take, such as 30s or 5m")
    private String budget;

    @Option(names = "--baselines", paramLabel = "SECONDS",
            description = "Seconds for each of the baselines; as many as ours took unless given.")
    private Double others;

    @Mixin
    private TableOptions tables;

    @Option(names = "--out", paramLabel = "FILE", converter = FileToWrite.class,
            description = "Keep finished rows in this file; those that are there already are not computed again.")
    private Path kept;

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    /**
     * What a method found.
     *
     * @param distance from the reference, Hellinger's, on average over variables
     * @param logZ its estimate; NaN where it has none
     */
    record Figures(double distance, double logZ) {

        private static final Figures NONE = new Figures(Double.NaN, Double.NaN);
    }

    /** A problem's figures; NaN where there is none. */
    record Row(String name, int variables, int width, double logZ, Figures ours, double lower, double upper,
            double score, Figures loopy, Figures meanField, Figures gibbs, double seconds, String algorithm) {

        static Row failed(String name, int variables, String why) {
            return new Row(name, variables, 0, Double.NaN, Figures.NONE, Double.NaN, Double.NaN, Double.NaN,
                    Figures.NONE, Figures.NONE, Figures.NONE, Double.NaN, why);
        }

        double error(Figures of) {
            return Math.abs(of.logZ - logZ);
        }

        /** Whether a bound is on the wrong side of what is known, by more than rounding. */
        boolean isWrong() {
            double rounding = 1e-6 * Math.max(1, Math.abs(logZ));
            return lower > logZ + rounding || upper < logZ - rounding;
        }
    }

    @Override
    public Integer call() throws IOException {
        if (!Files.isDirectory(folder) || others != null && !(others > 0)) {
            throw new UsageProblem(!Files.isDirectory(folder) ? folder + ": no such folder"
                    : "--baselines " + others + ": more than 0 is needed");
        }
        Budget allowed = tables.within(budget);
        if (kept != null) {
            UsageProblem.ifNotMade(kept.toAbsolutePath().getParent());
        }
        Nd4jStart.now();
        List<Row> rows = new ArrayList<>();
        if (kept != null && Files.exists(kept)) {
            for (String line : Files.readAllLines(kept)) {
                rows.add(MAPPER.readValue(line, Row.class));
            }
        }
        List<Path> problems;
        try (Stream<Path> files = Files.list(folder)) {
            problems = files.filter(f -> f.toString().endsWith(".uai")).sorted().toList();
        }
        for (Path problem : problems) {
            String name = problem.getFileName().toString().replaceFirst("\\.uai$", "");
            if (rows.stream().noneMatch(row -> row.name.equals(name))) {
                Row row = row(name, problem, allowed);
                rows.add(row);
                json.note(String.format(Locale.ROOT, "%s: distance %.5f, %.1f s, %s", name, row.ours.distance,
                        row.seconds, row.algorithm));
                if (kept != null) {
                    StringBuilder lines = new StringBuilder();
                    for (Row each : rows) {
                        lines.append(MAPPER.writeValueAsString(each)).append('\n');
                    }
                    AtomicFiles.write(kept, lines.toString());
                }
            }
        }
        Map<String, Object> summary = summary(rows);
        json.answer(() -> Map.of("problems", rows, "summary", summary, "score", summary.get("score")), out -> {
            out.print(TextTables.text(table(rows)));
            summary.forEach((name, value) -> out.printf(Locale.ROOT,
                    value instanceof Double ? "%-26s %.5f%n" : "%-26s %s%n", name, value));
        });
        return 0;
    }

    /** Over all problems; a failed one scores 0, and is in no other average. */
    private static Map<String, Object> summary(List<Row> rows) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("problems", rows.size());
        all.put("score", rows.stream().mapToDouble(row -> Double.isNaN(row.score) ? 0 : row.score).average().orElse(0));
        Map<String, Function<Row, Figures>> methods = new LinkedHashMap<>();
        methods.put("ours", Row::ours);
        methods.put("loopy", Row::loopy);
        methods.put("meanField", Row::meanField);
        methods.put("gibbs", Row::gibbs);
        methods.forEach((name, of) -> all.put(name + "Distance", mean(rows, row -> of.apply(row).distance)));
        methods.forEach((name, of) -> all.put(name + "LogZError", mean(rows, row -> row.error(of.apply(row)))));
        all.put("notWorseThanLoopy", count(rows, row -> row.ours.distance <= row.loopy.distance));
        all.put("within.02", count(rows, row -> row.ours.distance <= 0.02));
        all.put("logZKnown", count(rows, row -> !Double.isNaN(row.logZ)));
        all.put("wrongBounds", count(rows, Row::isWrong));
        return all;
    }

    private static long count(List<Row> rows, Predicate<Row> which) {
        return rows.stream().filter(which).count();
    }

    private static double mean(List<Row> rows, ToDoubleFunction<Row> of) {
        return rows.stream().mapToDouble(of).filter(x -> !Double.isNaN(x)).average().orElse(Double.NaN);
    }

    private static Block.Table table(List<Row> rows) {
        return Block.Table.of("Hellinger distances, and log Z less its true value", Column.text("problem"),
                Column.number("variables"), Column.number("width"), Column.number("ours"), Column.number("loopy BP"),
                Column.number("mean field"), Column.number("Gibbs"), Column.number("score"), Column.number("log Z"),
                Column.number("from"), Column.number("to"), Column.number("ours"), Column.number("Bethe"),
                Column.number("mean field"), Column.number("s"), Column.text("algorithm")).rows(rows, r -> List.of(
                        r.name, "" + r.variables, "" + r.width, fixed(r.ours.distance), fixed(r.loopy.distance),
                        fixed(r.meanField.distance), fixed(r.gibbs.distance), Decimals.fixed(r.score, 2),
                        Decimals.fixed(r.logZ, 3), Decimals.fixed(r.lower, 3), Decimals.fixed(r.upper, 3),
                        Decimals.fixed(r.ours.logZ - r.logZ, 3), Decimals.fixed(r.loopy.logZ - r.logZ, 2),
                        Decimals.fixed(r.meanField.logZ - r.logZ, 2), Decimals.fixed(r.seconds, 1), r.algorithm));
    }

    private static String fixed(double distance) {
        return Decimals.fixed(distance, 5);
    }

    private Row row(String name, Path problem, Budget allowed) {
        int variables = 0;
        try {
            UaiModel model = UaiReader.model(problem);
            variables = model.variables();
            Path observed = Path.of(problem + ".evid");
            UaiEvidence evidence = Files.exists(observed) ? UaiReader.evidence(observed, model)
                    : UaiEvidence.none(model);
            double[][] reference = UaiReader.marginals(Path.of(problem + ".MAR"));
            FactorTarget target = model.target(evidence);
            Answer answer = new Answers(target, allowed).ask(seed.seed());
            double[][] uniform = Stream.of(reference).map(row -> {
                double[] same = new double[row.length];
                Arrays.fill(same, 1.0 / row.length);
                return same;
            }).toArray(double[][]::new);
            double equal = others != null ? others : Math.max(LEAST_SECONDS, answer.seconds());
            LoopyPropagation loopy = LoopyPropagation.of(target.space(), target.factors(), equal);
            Baseline field = Baseline.meanField(target, equal, seed.seed().fold("mean field"));
            Baseline gibbs = Baseline.gibbs(target, equal, seed.seed().fold("Gibbs"));
            double distance = distance(evidence.complete(answer.marginals()), reference);
            double worst = distance(evidence.complete(uniform), reference);
            return new Row(name, variables, target.reduction().plan().width(), logSum(target, answer),
                    new Figures(distance, answer.logEvidence().estimate().value()), answer.logEvidence().lower(),
                    answer.logEvidence().upper(), worst == 0 ? 100 : 100 * Math.max(0, 1 - distance / worst),
                    new Figures(distance(evidence.complete(loopy.marginals()), reference), loopy.logSum()),
                    figures(field, evidence, reference), figures(gibbs, evidence, reference), answer.seconds(),
                    answer.isExact() ? "exact" : "samples");
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            return Row.failed(name, variables, Failure.of(e).sentence().replace('\t', ' '));
        }
    }

    private static Figures figures(Baseline of, UaiEvidence evidence, double[][] reference) {
        return new Figures(distance(evidence.complete(of.marginals()), reference), of.logSum());
    }

    /** Known exactly, or NaN. */
    private static double logSum(FactorTarget target, Answer answer) {
        if (answer.isExact()) {
            return answer.logEvidence().estimate().value();
        }
        EliminationPlan plan = target.reduction().plan();
        return plan.totalEntries() > MOST_EXACT || plan.bytes() > Memory.available() ? Double.NaN
                : target.reduction().eliminate(Memory.available(), "log Z", false).value();
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
