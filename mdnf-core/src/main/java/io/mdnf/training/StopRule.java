package io.mdnf.training;

import io.mdnf.space.Check;
import java.util.List;

/**
 * When a run ends. The rules here are values whose text says what they are; a rule of one's own may be a function.
 *
 * <p>Example: {@code StopRule.any(StopRule.maxSteps(10_000), StopRule.noImprovement(1_000))}.
 */
@FunctionalInterface
public interface StopRule {

    /** Returns whether to end now. */
    boolean isMet(Progress progress);

    /** Returns a rule that is met after a number of steps, at least 0. */
    static StopRule maxSteps(long steps) {
        Check.that(steps >= 0, "steps = " + steps + ": a run has at least 0");
        return new Named("maxSteps(" + steps + ")", progress -> progress.step() >= steps);
    }

    /** Returns a rule that is met when the best bound is this many steps old. */
    static StopRule noImprovement(long steps) {
        return new Named("noImprovement(" + steps + ")", progress -> progress.step() - progress.bestStep() > steps);
    }

    /**
     * Returns a rule for algorithms whose bound never falls, such as EM: a step gains hardly anything, at most so many
     * nats, at least 0. Some steps are made in any case: such bounds have plateaus.
     */
    static StopRule converged(double nats, long atLeast) {
        Check.that(nats >= 0, "nats = " + nats + ": the smallest gain must not be negative");
        return new Named("converged(" + nats + ", " + atLeast + ")",
                progress -> progress.step() >= atLeast && progress.gain() <= nats);
    }

    /** Returns a rule that is met when any of several is. */
    static StopRule any(StopRule... rules) {
        List<StopRule> all = List.of(rules);
        return new Named("any" + all, progress -> all.stream().anyMatch(rule -> rule.isMet(progress)));
    }

    /** A rule whose text, as it is written in Java, says what it is. */
    record Named(String text, StopRule rule) implements StopRule {
        @Override
        public boolean isMet(Progress progress) {
            return rule.isMet(progress);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * Where a run stands: steps done, the step of the best bound so far, and what the last step gained, +infinity where
     * steps are noisy and before the first.
     */
    record Progress(long step, long bestStep, double gain) {

        /** Returns where an algorithm stands whose bound never falls; a step before, it was -infinity at the start. */
        public static Progress rising(long step, double elbo, double before) {
            return new Progress(step, step, elbo - before);
        }
    }
}
