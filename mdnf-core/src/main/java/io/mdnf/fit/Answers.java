package io.mdnf.fit;

import io.mdnf.distribution.Conditionals;
import io.mdnf.distribution.Expanded;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.MiniBucketPlan;
import io.mdnf.elimination.MiniBuckets;
import io.mdnf.elimination.Reduction;
import io.mdnf.evaluation.ImportanceDiagnostics;
import io.mdnf.evaluation.LogEvidence;
import io.mdnf.evaluation.WeightedSamples;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Answers questions about a target with factors within a {@link Budget}: exactly where elimination fits into it, else
 * by samples of what bounded elimination leaves, weighted by importance, until time is up or nothing more is gained.
 *
 * <pre>{@code
 * Answer answer = new Answers(target, Budget.usual()).ask(Seed.of(1));
 * LogEvidence evidence = answer.logEvidence();
 * }</pre>
 */
public final class Answers {

    /** Entries of tables that are passed in a second, forwards and backwards, on a slow core. */
    private static final double ENTRIES_PER_SECOND = 5e6;
    /** The same where messages alone are held, in blocks. */
    private static final double EXACT_ENTRIES_PER_SECOND = 2e7;
    /** Of the time, for messages that are exact; and for bounded ones, before samples have theirs. */
    private static final double EXACT_SHARE = 0.5;
    private static final double MESSAGE_SHARE = 0.1;
    /** A table of messages, and what is made of it on the way. */
    private static final int BYTES_PER_ENTRY = 3 * Double.BYTES;
    /** Passes by which a bound is made tighter; what they gain falls off. */
    private static final int PASSES = 10;
    /** The same where they are counted: each takes about the share of the messages. */
    private static final int COUNTED_PASSES = 2;
    /** Weighted samples of a variable, its conditional with them, that a slow core makes in a second. */
    private static final double SAMPLES_PER_SECOND = 4e6;
    private static final int PILOT = 2000;
    /** What is worth more than this share of its samples needs no network, only some samples more. */
    private static final double LEARNED_BELOW = 0.3;
    /** Whoever wants a distribution, and not only what it says, wants this much. */
    private static final double CLOSE = 0.95;
    /** Of the time, up to where learning may go on. */
    private static final double LEARNING_SHARE = 0.7;
    private static final int BATCH = 4096;
    private static final int DEFENDED = 8;
    private static final int CHUNK = 256;
    /** Standard errors of marginals, on average, that nobody would see. */
    private static final double GOOD_ENOUGH = 2e-4;
    /** Below the largest log weight of a batch by so much, a sample counts for nothing in marginals. */
    private static final double LEAST_WEIGHT = -25;

    private final TargetModel asked;
    private final Reduction reduction;
    /** What the reduction leaves of what is asked about. */
    private final FactorTarget target;
    private final Budget budget;
    private final double learnedBelow;
    private final Predicate<LogEvidence> goOn;

    /** Answers within a budget. */
    public Answers(TargetModel target, Budget budget) {
        this(target, target.reduction(), budget, LEARNED_BELOW, known -> true);
    }

    private Answers(TargetModel asked, Reduction reduction, Budget budget, double learnedBelow,
            Predicate<LogEvidence> goOn) {
        this.learnedBelow = learnedBelow;
        Check.that(!asked.factors().isEmpty(), asked, " has no factors to eliminate: fit a family instead");
        this.asked = asked;
        this.reduction = reduction;
        this.target = new FactorTarget(reduction.space(), reduction.factors());
        this.budget = budget;
        this.goOn = goOn;
    }

    /** Returns the same that eliminates in an order, [D], found before: the search for one takes a while. */
    public Answers ordered(int... found) {
        return new Answers(asked, reduction.ordered(found), budget, learnedBelow, goOn);
    }

    /** Returns the same that asks, every now and then, whether to go on with what is known of log p(D) so far. */
    public Answers whilst(Predicate<LogEvidence> other) {
        return new Answers(asked, reduction, budget, learnedBelow, other);
    }

    /** Returns the same that learns until q is close to the posterior, though weights would do for its figures. */
    public Answers closely() {
        return new Answers(asked, reduction, budget, CLOSE, goOn);
    }

    /** Returns the answer; the same seed gives the same samples, as many as there is time for. */
    public Answer ask(Seed seed) {
        long start = System.nanoTime();
        List<int[]> scopes = target.factors().stream().map(Factor::variables).toList();
        EliminationPlan plan = reduction.plan();
        if (plan.largestTable() <= budget.tableEntries() && plan.bytes() <= budget.memory()
                && plan.totalEntries() <= EXACT_SHARE * budget.seconds() * EXACT_ENTRIES_PER_SECOND) {
            return ExactFit.of(asked, reduction, budget.memory(), start).answer().orElseThrow();
        }
        MiniBuckets messages = new MiniBuckets(target.space(), target.factors(), bounded(scopes, plan.order()));
        Check.that(messages.upper() > Double.NEGATIVE_INFINITY, "every code of ", asked, " has probability 0");
        Tried q = tried(Conditionals.of(messages), messages, seed);
        int passes = budget.counted() ? COUNTED_PASSES : PASSES;
        for (int pass = 0; pass < passes && seconds(start) < 2 * MESSAGE_SHARE * budget.seconds(); pass++) {
            messages.tighten(1);
        }
        q = q.orBetter(tried(Conditionals.of(messages), messages, seed));
        Conditionals unlearned = q.conditionals;
        if (q.worth > 0 && q.worth < learnedBelow * PILOT) {
            q = q.orBetter(tried(learned(q, new CorrectionFit(target, plan, messages.plan()),
                    LEARNING_SHARE * budget.seconds() - seconds(start), seed.fold("learned")), messages, seed));
        }
        return sampled(q.conditionals, unlearned, messages, start, seed.fold("samples"));
    }

    private Conditionals learned(Tried from, CorrectionFit fit, double seconds, Seed seed) {
        return budget.counted() ? fit.counted(from.conditionals, seconds, seed)
                : fit.of(from.conditionals, seconds, () -> goOn.test(from.known), seed);
    }

    /**
     * Conditionals of which a few samples were drawn.
     *
     * @param known what these say of log p(D)
     * @param worth how many exact samples they are worth
     */
    private record Tried(Conditionals conditionals, LogEvidence known, double worth) {

        /** By the lower bound, which says more than the worth where a few weights carry all. */
        Tried orBetter(Tried other) {
            return other.known.lower() > known.lower() ? other : this;
        }
    }

    private Tried tried(Conditionals q, MiniBuckets messages, Seed seed) {
        double[] logWeights = logWeights(q.draw(PILOT, seed.fold("pilot")));
        return new Tried(q, LogEvidence.of(logWeights, messages.upper()),
                ImportanceDiagnostics.of(logWeights).effectiveSampleSize());
    }

    /** None where work is counted. */
    private double seconds(long since) {
        return budget.counted() ? 0 : (System.nanoTime() - since) / 1e9;
    }

    /** The largest tables that the budget allows. */
    private MiniBucketPlan bounded(List<int[]> scopes, int[] order) {
        double most = Math.min(budget.tableEntries(), 1 << 28);
        double all = Math.min(budget.memory() / BYTES_PER_ENTRY,
                MESSAGE_SHARE * budget.seconds() * ENTRIES_PER_SECOND);
        MiniBucketPlan plan = MiniBucketPlan.of(target.space(), scopes, order, most);
        while (plan.totalEntries() > all && most > 1) {
            most /= 2;
            plan = MiniBucketPlan.of(target.space(), scopes, order, most);
        }
        return plan;
    }

    private double[] logWeights(Conditionals.Drawn drawn) {
        double[] logWeights = target.logJoint(drawn.codes());
        Arrays.setAll(logWeights, i -> logWeights[i] - drawn.logProb()[i]);
        return logWeights;
    }

    /**
     * Codes of q, and one in {@link #DEFENDED} of what q was learned from, with the log-probabilities of both together:
     * chains may never have met a part of the posterior, and q forget it; so the weights there say so.
     */
    private static Conditionals.Drawn drawn(Conditionals q, Conditionals unlearned, Seed seed) {
        if (q == unlearned) {
            return q.draw(BATCH, seed);
        }
        int[][] most = q.draw(BATCH - BATCH / DEFENDED, seed).codes();
        int[][] some = unlearned.draw(BATCH / DEFENDED, seed.fold("unlearned")).codes();
        int[][] codes = new int[BATCH][];
        Arrays.setAll(codes, i -> i % DEFENDED == 0 ? some[i / DEFENDED] : most[i - i / DEFENDED - 1]);
        double[] logProb = q.logProb(codes);
        double[] before = unlearned.logProb(codes);
        Arrays.setAll(logProb, i -> LogSpace.sumExp(Math.log1p(-1.0 / DEFENDED) + logProb[i],
                before[i] - Math.log(DEFENDED)));
        return new Conditionals.Drawn(codes, logProb);
    }

    private Answer sampled(Conditionals q, Conditionals unlearned, MiniBuckets messages, long start, Seed seed) {
        WeightedSamples samples = new WeightedSamples(target.space());
        double most = budget.counted()
                ? budget.seconds() * SAMPLES_PER_SECOND / target.space().variables() : Double.POSITIVE_INFINITY;
        boolean done = false;
        for (int batch = 0; !done; batch++) {
            Conditionals.Drawn drawn = drawn(q, unlearned, seed.fold(batch));
            double[] logWeights = logWeights(drawn);
            double[][][] conditionals = conditionals(drawn.codes(), logWeights);
            samples.add(logWeights, i -> conditionals[i]);
            done = seconds(start) >= budget.seconds() || samples.count() >= most
                    || samples.meanError() < GOOD_ENOUGH
                    || (batch & batch - 1) == 0 && !goOn.test(samples.logEvidence(messages.upper()));
        }
        double[] logWeights = samples.logWeights();
        return new Answer(LogEvidence.of(logWeights, messages.upper()),
                reduction.codes().spread(samples.marginals(), 1), reduction.codes().spread(samples.standardErrors(), 0),
                Expanded.of(q, reduction.codes()), Optional.of(ImportanceDiagnostics.of(logWeights)),
                "messages of bounded elimination, " + messages.plan() + "; " + samples.count()
                + " samples weighted by importance", seconds(start));
    }

    /** Of each variable given the others at every code whose weight counts, [n][D][K_d]. */
    private double[][][] conditionals(int[][] codes, double[] logWeights) {
        double least = Arrays.stream(logWeights).max().orElseThrow() + LEAST_WEIGHT;
        int[] counting = IntStream.range(0, codes.length)
                .filter(i -> logWeights[i] > Double.NEGATIVE_INFINITY && logWeights[i] >= least).toArray();
        double[][][] all = new double[codes.length][][];
        IntStream.range(0, (counting.length + CHUNK - 1) / CHUNK).parallel().forEach(chunk -> {
            int[] some = Arrays.copyOfRange(counting, chunk * CHUNK, Math.min(counting.length, (chunk + 1) * CHUNK));
            int[][] part = IntStream.of(some).mapToObj(i -> codes[i]).toArray(int[][]::new);
            IntStream.of(some).forEach(i -> all[i] = new double[target.space().variables()][]);
            for (int d = 0; d < target.space().variables(); d++) {
                double[][] rows = target.conditionals(part, d);
                for (int j = 0; j < some.length; j++) {
                    LogSpace.normalise(rows[j], 0, rows[j].length);
                    all[some[j]][d] = rows[j];
                }
            }
        });
        return all;
    }
}
