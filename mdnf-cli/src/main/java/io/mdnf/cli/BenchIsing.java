package io.mdnf.cli;

import io.mdnf.evaluation.ImportanceDiagnostics;
import io.mdnf.fit.Answer;
import io.mdnf.fit.Answers;
import io.mdnf.fit.Budget;
import io.mdnf.objective.Bound;
import io.mdnf.space.Estimate;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.Lattice;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mdnf bench ising}: a model whose log Z physics knows exactly. */
@Command(name = "ising", footer = "  mdnf bench ising --size 16 --beta 0.4407", description = {
    "Answers the periodic Ising model within a budget, beside its exact log Z by Kaufman's formula.",
    "The ELBO and the share of effective samples are those of the posterior that was found."})
final class BenchIsing implements Callable<Integer> {

    private static final int SAMPLES = 10_000;

    @Option(names = "--size", paramLabel = "N", defaultValue = "16", description = "Sites along a side")
    private int size;

    @Option(names = "--beta", paramLabel = "B", defaultValue = "0.4407", description = "Coupling over temperature")
    private double beta;

    @Option(names = "--budget", paramLabel = "SECONDS", defaultValue = "300", description = "Seconds")
    private double seconds;

    @Option(names = "--memory", paramLabel = "SIZE", description = "What tables may take, such as 2GB.")
    private String memory;

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() {
        if (size < 3 || size > 1000 || !(beta > 0) || !(seconds > 0)) {
            throw new UsageProblem("--size " + size + " --beta " + beta + " --budget " + seconds
                    + ": 3 to 1000 sites along a side, and numbers above 0, are possible");
        }
        Nd4jStart.now();
        FactorTarget target = Lattice.ising(size, beta);
        Answer answer = new Answers(target, Budget.usual().within(seconds).withMemory(BnCase.bytes(memory)))
                .ask(seed.seed());
        double[] logWeights = Bound.logWeights(target, answer.distribution(), SAMPLES, seed.seed().fold("elbo"));
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("logZ", Lattice.isingLogSum(size, beta));
        facts.put("elbo", Estimate.of(logWeights).value());
        facts.put("elboStandardError", Estimate.of(logWeights).standardError());
        facts.put("effectiveShare", ImportanceDiagnostics.of(logWeights).effectiveSampleSize() / SAMPLES);
        facts.put("lower", answer.logEvidence().lower());
        facts.put("upper", answer.logEvidence().upper());
        facts.put("estimate", answer.logEvidence().estimate().value());
        facts.put("algorithm", answer.algorithm());
        facts.put("seconds", answer.seconds());
        json.answer(() -> facts, out -> facts.forEach((name, value) -> out.printf(Locale.ROOT,
                value instanceof Double ? "%-18s %.4f%n" : "%-18s %s%n", name, value)));
        return 0;
    }
}
