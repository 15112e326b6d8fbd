package io.mdnf.cli;

import io.mdnf.elimination.BucketTree;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.TooLargeException;
import io.mdnf.file.AtomicFiles;
import io.mdnf.fit.Answer;
import io.mdnf.report.Decimals;
import io.mdnf.target.FactorTarget;
import io.mdnf.uai.UaiEvidence;
import io.mdnf.uai.UaiModel;
import io.mdnf.uai.UaiWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mdnf uai}: models of the UAI competitions, Markov fields and Bayesian networks alike. */
@Command(name = "uai", footer = "  mdnf uai fit grid.uai --evidence grid.uai.evid", description =
        "Files of the UAI competitions: look at one, infer exactly, or between bounds within a budget.")
final class Uai extends CommandGroup {

    @Command(name = "info", footer = "  mdnf uai info grid.uai",
            description = "Variables, tables, and what exact inference would cost.")
    int info(@Mixin UaiCase asked, @Mixin JsonOption json) throws IOException {
        Map<String, Object> facts = facts(asked);
        FactorTarget target = asked.model().target(asked.evidence());
        EliminationPlan plan = target.reduction().plan();
        facts.put("tables", asked.model().tables().size());
        facts.put("width", plan.width());
        facts.put("largestTable", plan.largestTable());
        facts.put("exactBytes", plan.bytes());
        facts.put("exactFeasible", plan.bytes() <= asked.memory());
        json.answer(() -> facts, out -> {
            out.printf(Locale.ROOT, "%s: %s, %d variables, %d observed, %d tables%n", facts.get("model"),
                    facts.get("kind"), facts.get("variables"), ((Map<?, ?>) facts.get("observed")).size(),
                    facts.get("tables"));
            out.println("exact inference: " + plan + ", " + (plan.bytes() <= asked.memory() ? "feasible in "
                    : "too large: needs ") + EliminationPlan.size(plan.bytes()));
        });
        return 0;
    }

    @Command(name = "exact", footer = "  mdnf uai exact grid.uai --evidence grid.uai.evid --json",
            description = "Log partition function and marginals by exact inference, where that is feasible.")
    int exact(@Mixin UaiCase asked, @Mixin JsonOption json) throws IOException {
        long start = System.nanoTime();
        UaiEvidence evidence = asked.evidence();
        FactorTarget target = asked.model().target(evidence);
        EliminationPlan plan = target.reduction().plan();
        BucketTree tree;
        try {
            tree = target.reduction().eliminate(asked.memory(), "exact inference on " + asked.name(), false);
        } catch (TooLargeException e) {
            json.note("mdnf: " + e.getMessage() + "; use 'mdnf uai fit', or give Java more memory with MDNF_JAVA_OPTS");
            return 1;
        }
        if (tree.value() == Double.NEGATIVE_INFINITY) {
            throw new UsageProblem(asked.name() + ": no code is possible" + asked.given());
        }
        double[][] marginals = evidence.complete(target.reduction().codes().spread(tree.marginals(), 1));
        Map<String, Object> answer = facts(asked);
        answer.put("logEvidence", tree.value());
        answer.put("marginals", listed(marginals));
        answer.put("method", "exact elimination, " + plan);
        answer.put("seconds", (System.nanoTime() - start) / 1e9);
        json.answer(() -> answer, out -> {
            out.printf(Locale.ROOT, "log evidence %.9f%n%n", tree.value());
            print(out, marginals);
        });
        return 0;
    }

    @Command(name = "fit", footer = "  mdnf uai fit grid.uai --budget 60s --memory 2GB --json", description = {
        "Log partition function between bounds and marginals with errors, within a budget.",
        "Exact where that fits into it; else by bounded elimination and samples weighted by importance.",
        "The upper bound holds for certain, the lower one, which is made of samples, but for one chance in a million."})
    int fit(@Mixin UaiCase asked, @Mixin SeedOption seed, @Mixin JsonOption json) throws IOException {
        asked.answer(seed.seed(), found -> told(asked, found, json));
        return 0;
    }

    private static void told(UaiCase asked, Answer found, JsonOption json) throws IOException {
        double[][] marginals = asked.evidence().complete(found.marginals());
        double[][] errors = found.standardErrors();
        asked.evidence().observed().forEach((v, state) -> errors[v] = new double[marginals[v].length]);
        Map<String, Object> answer = facts(asked);
        answer.put("logEvidence", BnFitted.between(found.logEvidence()));
        answer.put("marginals", listed(marginals, errors));
        answer.put("exact", found.isExact());
        answer.put("method", found.algorithm());
        found.diagnostics().ifPresent(weights -> {
            answer.put("paretoK", weights.paretoK());
            answer.put("effectiveSampleSize", weights.effectiveSampleSize());
            answer.put("verdict", Manual.word(weights.verdict()));
        });
        answer.put("trust", found.sentence());
        answer.put("seconds", found.seconds());
        json.answer(() -> answer, out -> {
            out.println("log evidence " + found.logEvidence());
            out.println("by " + found.algorithm());
            out.println();
            print(out, marginals, errors);
            out.println();
            out.println(found.sentence());
        });
    }

    @Command(name = "mar", footer = "  mdnf uai mar grid.uai --out grid.uai.MAR",
            description = "Marginals as the competitions write them, MAR, within a budget.")
    int mar(@Mixin UaiCase asked, @Mixin SeedOption seed, @Mixin JsonOption json,
            @Option(names = "--out", paramLabel = "FILE", converter = FileToWrite.class,
                    description = "Write here instead of stdout.") Path file)
            throws IOException {
        asked.answer(seed.seed(), found -> {
            double[][] marginals = asked.evidence().complete(found.marginals());
            result(json, file, UaiWriter.marginals(marginals), "marginals", listed(marginals));
        });
        return 0;
    }

    @Command(name = "pr", footer = "  mdnf uai pr grid.uai --evidence grid.uai.evid",
            description = "Log10 of the partition function as the competitions write it, PR, within a budget.")
    int pr(@Mixin UaiCase asked, @Mixin SeedOption seed, @Mixin JsonOption json,
            @Option(names = "--out", paramLabel = "FILE", converter = FileToWrite.class,
                    description = "Write here instead of stdout.") Path file)
            throws IOException {
        asked.answer(seed.seed(), found -> {
            double log = found.logEvidence().estimate().value();
            result(json, file, UaiWriter.logPartition(log), "log10", log / Math.log(10));
        });
        return 0;
    }

    private static void result(JsonOption json, Path file, String text, String name, Object value) throws IOException {
        if (file != null) {
            AtomicFiles.write(file, text.getBytes(StandardCharsets.UTF_8));
        }
        json.answer(() -> file == null ? Map.of(name, value) : Map.of(name, value, "file", file.toString()), out ->
                out.print(file == null ? text : ""));
    }

    private static Map<String, Object> facts(UaiCase asked) throws IOException {
        UaiModel model = asked.model();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("model", asked.name());
        facts.put("kind", model.kind().name());
        facts.put("variables", model.variables());
        facts.put("observed", asked.evidence().observed());
        return facts;
    }

    /** In the file's order, observed ones included, with standard errors where there are any. */
    private static List<Map<String, Object>> listed(double[][] marginals, double[]... errors) {
        return IntStream.range(0, marginals.length).mapToObj(v -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("variable", v);
            row.put("probabilities", marginals[v]);
            if (errors.length > 0) {
                row.put("standardErrors", errors[v]);
            }
            return row;
        }).toList();
    }

    private static void print(PrintWriter out, double[][] marginals, double[]... errors) {
        for (int v = 0; v < marginals.length; v++) {
            double error = errors.length == 0 ? 0 : Arrays.stream(errors[v]).max().orElse(0);
            out.printf("%6d  %s%s%n", v, Arrays.stream(marginals[v]).mapToObj(p -> Decimals.fixed(p, 4))
                    .collect(Collectors.joining(" ")), error == 0 ? "" : "  +- " + Decimals.fixed(error, 4));
        }
    }
}
