package io.mdnf.experiments;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.RandomNetworks;
import io.mdnf.bn.VariableElimination;
import io.mdnf.fit.Fit;
import io.mdnf.fit.Fitter;
import io.mdnf.fit.Plan;
import io.mdnf.mixture.Weighting;
import io.mdnf.random.Seed;
import io.mdnf.report.Progress;
import io.mdnf.space.CodeSpace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which promises about fits were broken on random networks of 3 to 12 nodes with zeros, mixed cardinalities and random
 * evidence: no bound is above the log evidence or above what the distribution is worth, a distribution sums to 1, no
 * sample is impossible, nothing is thrown while fitting and judging.
 *
 * @param fits how many were made
 * @param withoutBound how many of them, by plan, say honestly that they have mass on impossible codes: their bound is
 *     minus infinity
 * @param impossible how many of those drew an impossible sample, which is a broken promise of any other fit
 * @param problems every broken promise
 */
public record Soundness(int networks, int fits, Map<String, Long> withoutBound, int impossible,
        List<Problem> problems) {

    /** Beyond rounding: sums of float tables are good to a millionth. */
    private static final double ROUNDING = 1e-5;
    /** Five standard errors above the truth come about once in 3 million honest estimates. */
    private static final double ERRORS = 5;
    private static final int SAMPLES = 200;
    /** Codes of a network that is used, since all are listed for every fit. */
    private static final int MOST_CODES = 20_000;

    /** What can go wrong. */
    public enum Kind { BOUND, SUM, SAMPLE, EXCEPTION }

    /** One broken promise; {@code mdnf bench soundness --networks 1 --seed N} shows it again. */
    public record Problem(long seed, String plan, Kind kind, String what) { }

    /** Every family and algorithm, with the search that follows and alone; small, since there are many networks. */
    private static Map<String, Plan> plans() {
        Plan.Joint joint = Plan.joint().withComponents(4).withSteps(100);
        Map<String, Plan> plans = new LinkedHashMap<>();
        plans.put("exact", new Plan.Exact());
        plans.put("vif, equal weights", joint);
        for (Plan.Training training : Plan.Training.values()) {
            String name = training.name().toLowerCase(Locale.ROOT);
            plans.put(name + ", free weights", joint.by(training, Weighting.FREE));
            plans.put(name + " alone", joint.by(training, Weighting.FREE).unrefined());
        }
        plans.put("factorised", Plan.factorised().withComponents(20));
        plans.put("factorised alone", new Plan.Factorised(20, false, 100));
        plans.put("autoregressive", Plan.autoregressive().withComponents(4).withSteps(100));
        return plans;
    }

    /** Fits all plans to networks number seed, seed + 1, ..., on so many threads. */
    public static Soundness of(int networks, long seed, int threads, Progress progress) {
        List<Callable<Soundness>> all = new ArrayList<>();
        IntStream.range(0, networks).forEach(i -> all.add(() -> of(seed + i)));
        List<Soundness> found = FitPool.run(all, threads, progress);
        return new Soundness(networks, found.stream().mapToInt(Soundness::fits).sum(),
                found.stream().flatMap(one -> one.withoutBound().keySet().stream())
                        .collect(Collectors.groupingBy(plan -> plan, TreeMap::new, Collectors.counting())),
                found.stream().mapToInt(Soundness::impossible).sum(),
                found.stream().flatMap(one -> one.problems().stream()).toList());
    }

    private static Soundness of(long seed) {
        NetworkTarget target = new NetworkTarget(evidence(new Random(seed)));
        Map<String, Long> withoutBound = new LinkedHashMap<>();
        List<Problem> problems = new ArrayList<>();
        int impossible = 0;
        for (Map.Entry<String, Plan> each : plans().entrySet()) {
            try (Fit fit = new Fitter(target, target.order()).fit(each.getValue(), Seed.of(seed))) {
                Map<Kind, String> broken = broken(target, fit, Seed.of(seed));
                if (fit.bound().value() == Double.NEGATIVE_INFINITY) {
                    withoutBound.put(each.getKey(), 1L);
                    impossible += broken.remove(Kind.SAMPLE) == null ? 0 : 1;
                }
                broken.forEach((kind, what) ->
                        problems.add(new Problem(seed, each.getKey(), kind, what)));
            } catch (IOException | RuntimeException e) {
                problems.add(new Problem(seed, each.getKey(), Kind.EXCEPTION, String.valueOf(e)));
            }
        }
        return new Soundness(1, plans().size(), withoutBound, impossible, problems);
    }

    /** Possible evidence that leaves few codes, and at least one variable, open. */
    private static Evidence evidence(Random random) {
        while (true) {
            BayesianNetwork network = RandomNetworks.network(random, 3 + random.nextInt(10), 3,
                    0.6 * random.nextDouble());
            Evidence evidence = RandomNetworks.possibleEvidence(random, network);
            if (evidence.latents().length > 0
                    && CodeSpace.of(evidence.latentCardinalities()).size() <= MOST_CODES) {
                return evidence;
            }
        }
    }

    /** What a fit promises and does not keep, each in words. */
    static Map<Kind, String> broken(NetworkTarget target, Fit fit, Seed seed) {
        Map<Kind, String> broken = new LinkedHashMap<>();
        int[][] codes = target.space().all();
        double[] logQ = fit.distribution().logProb(codes);
        double[] logP = target.logJoint(codes);
        double sum = Arrays.stream(logQ).map(Math::exp).sum();
        if (!(Math.abs(sum - 1) < ROUNDING)) {
            broken.put(Kind.SUM, "sums to " + sum);
        }
        double worth = IntStream.range(0, codes.length).filter(c -> logQ[c] > Double.NEGATIVE_INFINITY)
                .mapToDouble(c -> Math.exp(logQ[c]) * (logP[c] - logQ[c])).sum();
        double most = Math.min(worth, VariableElimination.logEvidence(target.evidence()));
        double error = Double.isFinite(fit.bound().standardError()) ? fit.bound().standardError() : 0;
        if (!(fit.bound().value() - ERRORS * error <= most + ROUNDING)) {
            broken.put(Kind.BOUND, "bound " + fit.bound() + ", at most " + most + " is true");
        }
        int[][] samples = fit.distribution().sample(SAMPLES, seed.fold("samples"));
        double[] q = fit.distribution().logProb(samples);
        double[] p = target.logJoint(samples);
        IntStream.range(0, SAMPLES).filter(s -> !(q[s] > Double.NEGATIVE_INFINITY)
                || !(p[s] > Double.NEGATIVE_INFINITY)).findFirst().ifPresent(s -> broken.put(Kind.SAMPLE,
                        Arrays.toString(samples[s]) + " has log q " + q[s] + ", log p " + p[s]));
        return broken;
    }

    /** Returns how many promises of a kind were broken. */
    public long count(Kind kind) {
        return problems.stream().filter(problem -> problem.kind() == kind).count();
    }
}
