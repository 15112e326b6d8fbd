package io.mdnf.cli;

import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.Memory;
import io.mdnf.evaluation.ImportanceDiagnostics;
import io.mdnf.fit.Answer;
import io.mdnf.fit.Answers;
import io.mdnf.fit.Budget;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.space.Estimate;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.Lattice;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Mixin for benches on periodic square lattices of physics, beside the exact log Z where that is known. */
final class BenchLattice {

    private static final int SAMPLES = 10_000;
    /** Of all tables: what half a minute of elimination has. */
    private static final double MOST_EXACT = 1e9;

    @Option(names = "--size", paramLabel = "N", defaultValue = "16", description = "Sites along a side")
    private int size;

    @Option(names = "--beta", paramLabel = "B", defaultValue = "0.4407", description = "Coupling over temperature")
    private double beta;

    @Option(names = "--budget", paramLabel = "TIME", defaultValue = "300s",
            description = "How long an answer may take, such as 30s or 5m")
    private String budget;

    @Mixin
    private TableOptions tables;

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** Makes a lattice of a size and a beta. */
    interface Made {
        FactorTarget of(int size, double beta, Seed seed);
    }

    /** Answers, and prints what is known. */
    int answer(Made lattice, ToDoubleBiFunction<Integer, Double> logSum) {
        if (size < 3 || size > 1000 || !(beta > 0)) {
            throw new UsageProblem("--size " + size + " --beta " + beta
                    + ": 3 to 1000 sites along a side, and a number above 0, are possible");
        }
        Budget allowed = tables.within(budget);
        Nd4jStart.now();
        FactorTarget target = lattice.of(size, beta, seed.seed().fold("lattice"));
        Answer answer = new Answers(target, allowed).closely().ask(seed.seed());
        double[] logWeights = Bound.logWeights(target, answer.distribution(), SAMPLES, seed.seed().fold("elbo"));
        double logZ = logSum.applyAsDouble(size, beta);
        double elbo = Estimate.of(logWeights).value();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("logZ", Double.isNaN(logZ) ? exact(target, answer) : logZ);
        facts.put("elbo", elbo);
        facts.put("elboStandardError", Estimate.of(logWeights).standardError());
        facts.put("gap", (Double) facts.get("logZ") - elbo);
        facts.put("effectiveShare", ImportanceDiagnostics.of(logWeights).effectiveSampleSize() / SAMPLES);
        facts.put("lower", answer.logEvidence().lower());
        facts.put("upper", answer.logEvidence().upper());
        facts.put("estimate", answer.logEvidence().estimate().value());
        facts.put("standardError", answer.logEvidence().estimate().standardError());
        facts.put("algorithm", answer.algorithm());
        facts.put("seconds", answer.seconds());
        json.answer(spec, () -> facts, out -> facts.forEach((name, value) -> out.printf(Locale.ROOT,
                value instanceof Double ? "%-18s %.4f%n" : "%-18s %s%n", name, value)));
        return 0;
    }

    /** By elimination where that is feasible, else NaN. */
    private static double exact(FactorTarget target, Answer answer) {
        EliminationPlan plan = target.reduction().plan();
        return answer.isExact() ? answer.logEvidence().estimate().value()
                : plan.totalEntries() > MOST_EXACT || plan.bytes() > Memory.available() ? Double.NaN
                : target.reduction().eliminate(Memory.available(), "log Z", false).value();
    }
}
