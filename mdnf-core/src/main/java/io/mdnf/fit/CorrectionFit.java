package io.mdnf.fit;

import io.mdnf.distribution.Conditionals;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.MiniBucketPlan;
import io.mdnf.inference.ConditionalsLearner;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.target.TargetModel;
import io.mdnf.training.Algorithm;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Learns corrections of what bounded elimination leaves, within some time: for every variable whose bucket was split,
 * or got messages from one that was, a network that looks at the variables of the unsplit bucket.
 */
final class CorrectionFit {

    private final TargetModel target;
    private final Effort.Correction effort;
    private final SortedMap<Integer, int[]> seen;

    /** The same order unsplit and split. */
    CorrectionFit(TargetModel target, EliminationPlan unsplit, MiniBucketPlan split, Effort.Correction effort) {
        this.target = target;
        this.effort = effort;
        this.seen = ConditionalsLearner.lost(target.space(), unsplit, split, effort.mostSeen());
    }

    /**
     * Returns conditionals with corrections, learned for about so many seconds; the same ones where those are few.
     *
     * @param stage how often they were learned before: each time with twice as many steps
     */
    Conditionals of(Conditionals q, int stage, double seconds, Predicate<Algorithm.Info> goOn, Seed seed) {
        if (seen.isEmpty() || seconds <= 0) {
            return q;
        }
        long begin = System.nanoTime();
        long most = effort.steps() << stage;
        double each;
        try (GradientTraining<Conditionals> training = learner(q, stage, most)) {
            TrainingState warm = training.advance(training.init(seed), 1);
            long start = System.nanoTime();
            TrainingState tried = training.advance(warm, effort.triedSteps());
            each = (System.nanoTime() - start) / 1e9 / effort.triedSteps();
            if (most * each <= seconds - (start - begin) / 1e9) {
                return training.result(until(training, tried, begin, seconds, goOn));
            }
        }
        long steps = (long) ((seconds - (System.nanoTime() - begin) / 1e9) / each);
        if (steps < effort.fewestSteps()) {
            return q;
        }
        try (GradientTraining<Conditionals> training = learner(q, stage, steps)) {
            return training.result(until(training, training.init(seed), begin, seconds, goOn));
        }
    }

    /** The same in as many steps as a slow core makes in so many seconds, whatever this one needs. */
    Conditionals counted(Conditionals q, double seconds, Seed seed) {
        double products = 3.0 * batch() * seen.size() * inputs() * (effort.hidden() + target.space().width());
        long steps = Math.min(effort.steps(), (long) (seconds * effort.products() / products));
        if (seen.isEmpty() || steps < effort.fewestSteps()) {
            return q;
        }
        try (GradientTraining<Conditionals> training = learner(q, 0, steps)) {
            return training.result(training.advance(training.init(seed), Integer.MAX_VALUE));
        }
    }

    /** To the end, unless it takes longer than was foreseen, or someone wants to stop. */
    private static TrainingState until(GradientTraining<Conditionals> training, TrainingState state, long begin,
            double seconds, Predicate<Algorithm.Info> goOn) {
        return training.advance(state, Integer.MAX_VALUE,
                info -> (System.nanoTime() - begin) / 1e9 < seconds && goOn.test(info));
    }

    /** Of the place that sees the most. */
    private double inputs() {
        return seen.values().stream().mapToDouble(some -> IntStream.of(some).map(target.space()::cardinality).sum())
                .max().orElse(0);
    }

    private int batch() {
        return (int) Math.max(effort.fewestChains(),
                Math.min(effort.chains(), effort.mostInputs() / (inputs() * seen.size())));
    }

    private GradientTraining<Conditionals> learner(Conditionals q, int stage, long steps) {
        return new GradientTraining<>(new ConditionalsLearner(target, q, stage, seen, batch(), steps,
                ConditionalsLearner.First.OFFERED, effort));
    }
}
