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
import io.mdnf.search.Effort;
import io.mdnf.space.Check;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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

    /** A table of messages, and what is made of it on the way. */
    private static final int BYTES_PER_ENTRY = 3 * Double.BYTES;
    /** Codes whose conditionals one thread makes in turn. */
    private static final int CHUNK = 256;
    /** Numbers in the conditionals of codes that are held at once, some 100 MB with what Java keeps beside them. */
    private static final int HELD = 1 << 22;
    /** Halvings of the largest tables that are tried: Ising, 16 x 16, has 43 splits with 2^18 entries, 53 with 2^20. */
    private static final int HALVINGS = 3;

    /** Nobody looks at what is known so far. */
    private static final Predicate<LogEvidence> ALWAYS = known -> true;

    private final TargetModel asked;
    private final Reduction reduction;
    /** What the reduction leaves of what is asked about. */
    private final FactorTarget target;
    private final Budget budget;
    private final Effort effort;
    private final boolean close;
    private final Predicate<LogEvidence> goOn;
    private final Consumer<Algorithm.Info> learning;

    /** Answers within a budget. */
    public Answers(TargetModel target, Budget budget) {
        this(target, target.reduction(), budget);
    }

    private Answers(TargetModel asked, Reduction reduction, Budget budget) {
        this(asked, reduction, new FactorTarget(reduction.space(), reduction.factors()), budget, Effort.standard(),
                false, ALWAYS, step -> { });
    }

    private Answers(TargetModel asked, Reduction reduction, FactorTarget target, Budget budget, Effort effort,
            boolean close, Predicate<LogEvidence> goOn, Consumer<Algorithm.Info> learning) {
        Check.that(!asked.factors().isEmpty(), asked, " has no factors to eliminate: fit a family instead");
        this.asked = asked;
        this.reduction = reduction;
        this.target = target;
        this.budget = budget;
        this.effort = effort;
        this.close = close;
        this.goOn = goOn;
        this.learning = learning;
    }

    /** Returns the same with another effort. */
    public Answers with(Effort other) {
        return new Answers(asked, reduction, target, budget, other, close, goOn, learning);
    }

    /** Returns the same that eliminates in an order, [D], found before: the search for one takes a while. */
    public Answers ordered(int... found) {
        return new Answers(asked, reduction.ordered(found), target, budget, effort, close, goOn, learning);
    }

    /** Returns the same that asks, every now and then, whether to go on with what is known of log p(D) so far. */
    public Answers whilst(Predicate<LogEvidence> other) {
        return new Answers(asked, reduction, target, budget, effort, close, other, learning);
    }

    /** Returns the same that tells of every step of learning, where anything is learned. */
    public Answers telling(Consumer<Algorithm.Info> other) {
        return new Answers(asked, reduction, target, budget, effort, close, goOn, other);
    }

    /** Returns the same that learns until q is close to the posterior, though weights would do for its figures. */
    public Answers closely() {
        return new Answers(asked, reduction, target, budget, effort, true, goOn, learning);
    }

    /** {@return what the reduction leaves of what is asked about} */
    FactorTarget reduced() {
        return target;
    }

    /** Returns the answer; the same seed gives the same samples, as many as there is time for. */
    public Answer ask(Seed seed) {
        long start = System.nanoTime();
        Effort.Messages own = effort.messages();
        List<int[]> scopes = target.factors().stream().map(Factor::variables).toList();
        EliminationPlan plan = reduction.plan();
        if (isExact(reduction, budget, own)) {
            if (plan.totalEntries() > own.exactEntries() && goOn != ALWAYS) {
                roughly(scopes, plan.order(), seed);
            }
            return ExactFit.of(asked, reduction, budget.memory(), start).answer().orElseThrow();
        }
        MiniBuckets messages = new MiniBuckets(target.space(), target.factors(), bounded(scopes, plan.order()));
        Check.that(messages.upper() > Double.NEGATIVE_INFINITY, "every code of ", asked, " has probability 0");
        Tried q = tried(Conditionals.of(messages), messages, seed);
        int passes = budget.counted() ? own.countedPasses() : own.passes();
        for (int pass = 0; pass < passes && seconds(start) < 2 * own.messageShare() * budget.seconds()
                && goOn.test(q.known); pass++) {
            messages.tighten(1);
        }
        q = q.orBetter(tried(Conditionals.of(messages), messages, seed));
        Conditionals unlearned = q.conditionals;
        CorrectionFit fit = new CorrectionFit(target, plan, messages.plan(), effort.correction());
        double enough = (close ? own.close() : own.learnedBelow()) * own.pilot();
        double until = (close ? own.closeShare() : own.learningShare()) * budget.seconds();
        for (int stage = 0; stage < own.stages() && q.worth > 0 && q.worth < enough && goOn.test(q.known); stage++) {
            Conditionals further = learned(q, fit, stage, until - seconds(start),
                    seed.fold("learned").fold(stage));
            if (further == q.conditionals) {
                break;
            }
            q = q.orBetter(tried(further, messages, seed));
        }
        return sampled(q, unlearned, messages, start, seed.fold("samples"));
    }

    /** Whether elimination fits into a budget, so that the answer will be exact. */
    static boolean isExact(Reduction reduction, Budget budget, Effort.Messages effort) {
        EliminationPlan plan = reduction.plan();
        return plan.largestTable() <= budget.tableEntries() && plan.bytes() <= budget.memory()
                && plan.totalEntries() <= effort.exactShare() * budget.seconds() * effort.exactEntries();
    }

    /** Tells bounds that take no time before what may take long. */
    private void roughly(List<int[]> scopes, int[] order, Seed seed) {
        MiniBuckets rough = new MiniBuckets(target.space(), target.factors(),
                MiniBucketPlan.of(target.space(), scopes, order, effort.messages().roughEntries()));
        goOn.test(tried(Conditionals.of(rough), rough, seed).known);
    }

    private Conditionals learned(Tried from, CorrectionFit fit, int stage, double seconds, Seed seed) {
        if (budget.counted()) {
            return stage > 0 ? from.conditionals : fit.counted(from.conditionals, seconds, seed);
        }
        return fit.of(from.conditionals, stage, seconds, step -> {
            learning.accept(step);
            return goOn.test(from.known);
        }, seed);
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
        double[] logWeights = logWeights(q.draw(effort.messages().pilot(), seed.fold("pilot")));
        return new Tried(q, LogEvidence.of(logWeights, messages.upper()),
                ImportanceDiagnostics.of(logWeights).effectiveSampleSize());
    }

    /** None where work is counted. */
    private double seconds(long since) {
        return budget.counted() ? 0 : (System.nanoTime() - since) / 1e9;
    }

    /**
     * The largest tables that the budget allows, or smaller ones with fewer splits: what fills tables early may be in
     * the way later.
     */
    private MiniBucketPlan bounded(List<int[]> scopes, int[] order) {
        double most = Math.min(budget.tableEntries(), 1 << 28);
        double all = Math.min(budget.memory() / BYTES_PER_ENTRY,
                effort.messages().messageShare() * budget.seconds() * effort.messages().boundedEntries());
        MiniBucketPlan plan = MiniBucketPlan.of(target.space(), scopes, order, most);
        while (plan.totalEntries() > all && most > 1) {
            most /= 2;
            plan = MiniBucketPlan.of(target.space(), scopes, order, most);
        }
        for (int halved = 0; halved < HALVINGS && most > 1; halved++) {
            most /= 2;
            MiniBucketPlan smaller = MiniBucketPlan.of(target.space(), scopes, order, most);
            plan = smaller.minis().size() < plan.minis().size() ? smaller : plan;
        }
        return plan;
    }

    private double[] logWeights(Conditionals.Drawn drawn) {
        double[] logWeights = target.logJoint(drawn.codes());
        Arrays.setAll(logWeights, i -> logWeights[i] - drawn.logProb()[i]);
        return logWeights;
    }

    /**
     * Codes of q, and some of what q was learned from, with the log-probabilities of both together:
     * chains may never have met a part of the posterior, and q forget it; so the weights there say so.
     */
    private Conditionals.Drawn drawn(Conditionals q, Conditionals unlearned, Seed seed) {
        int batch = effort.messages().batch();
        int defended = effort.messages().defended();
        if (q == unlearned) {
            return q.draw(batch, seed);
        }
        int[][] most = q.draw(batch - batch / defended, seed).codes();
        int[][] some = unlearned.draw(batch / defended, seed.fold("unlearned")).codes();
        int[][] codes = new int[batch][];
        Arrays.setAll(codes, i -> i % defended == 0 ? some[i / defended] : most[i - i / defended - 1]);
        double[] logProb = q.logProb(codes);
        double[] before = unlearned.logProb(codes);
        Arrays.setAll(logProb, i -> LogSpace.sumExp(Math.log1p(-1.0 / defended) + logProb[i],
                before[i] - Math.log(defended)));
        return new Conditionals.Drawn(codes, logProb);
    }

    private Answer sampled(Tried from, Conditionals unlearned, MiniBuckets messages, long start, Seed seed) {
        Conditionals q = from.conditionals;
        LogEvidence known = from.known;
        WeightedSamples samples = new WeightedSamples(target.space());
        double most = budget.counted()
                ? budget.seconds() * effort.messages().sampledVariables() / target.space().variables()
                : Double.POSITIVE_INFINITY;
        boolean done = false;
        for (int batch = 0; !done; batch++) {
            Conditionals.Drawn drawn = drawn(q, unlearned, seed.fold(batch));
            double[] logWeights = logWeights(drawn);
            add(samples, drawn.codes(), logWeights);
            // bounds take a pass over all samples
            known = (batch & batch - 1) == 0 ? samples.logEvidence(messages.upper()) : known;
            done = seconds(start) >= budget.seconds() || samples.count() >= most
                    || samples.meanError() < effort.messages().meanError() || !goOn.test(known);
        }
        double[] logWeights = samples.logWeights();
        return new Answer(LogEvidence.of(logWeights, messages.upper()),
                reduction.codes().spread(samples.marginals(), 1), reduction.codes().spread(samples.standardErrors(), 0),
                Expanded.of(q, reduction.codes()), Optional.of(ImportanceDiagnostics.of(logWeights)),
                "messages of bounded elimination, " + messages.plan() + "; " + samples.count()
                + " samples weighted by importance", seconds(start));
    }

    /** Some codes at a time: their conditionals take far more memory than they do. */
    private void add(WeightedSamples samples, int[][] codes, double[] logWeights) {
        double least = Arrays.stream(logWeights).max().orElseThrow() + effort.messages().leastLogWeight();
        int held = Math.max(CHUNK, HELD / (target.space().oneHotLength() + target.space().variables()));
        for (int from = 0; from < codes.length; from += held) {
            double[] weights = Arrays.copyOfRange(logWeights, from, Math.min(codes.length, from + held));
            double[][][] conditionals = conditionals(Arrays.copyOfRange(codes, from, from + weights.length), weights,
                    least);
            samples.add(weights, i -> conditionals[i]);
        }
    }

    /** Of each variable given the others at every code whose weight counts, [n][D][K_d]. */
    private double[][][] conditionals(int[][] codes, double[] logWeights, double least) {
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
