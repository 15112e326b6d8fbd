package io.mdnf.training;

import java.time.Duration;
import java.util.List;

/**
 * When a run ends. The rules here are values whose text says what they are; a rule of one's own may be a function.
 *
 * <p>Example: {@code StopRule.any(StopRule.maxSteps(10_000), StopRule.noImprovement(1_000))}.
 */
@FunctionalInterface
public interface StopRule {

    /**
     * Whether to end now.
     *
     * @param progress where the run stands
     * @return true to end
     */
    boolean isMet(Progress progress);

    /** Returns a rule that is met after a number of steps. */
    static StopRule maxSteps(long steps) {
        record MaxSteps(long steps) implements StopRule {
            @Override
            public boolean isMet(Progress progress) {
                return progress.step() >= steps;
            }
        }

        return new MaxSteps(steps);
    }

    /** Returns a rule that is met when the best bound is this many steps old. */
    static StopRule noImprovement(long steps) {
        record NoImprovement(long steps) implements StopRule {
            @Override
            public boolean isMet(Progress progress) {
                return progress.step() - progress.bestStep() > steps;
            }
        }

        return new NoImprovement(steps);
    }

    /** Returns a rule that is met when the averaged ELBO moves by less than a tolerance over about 100 steps. */
    static StopRule tolerance(double nats) {
        record Tolerance(double nats) implements StopRule {
            @Override
            public boolean isMet(Progress progress) {
                return progress.step() > Progress.MEMORY
                        && Math.abs(progress.averageElbo() - progress.slowAverageElbo()) < nats;
            }
        }

        return new Tolerance(nats);
    }

    /**
     * For algorithms whose bound never falls, such as EM: when a step gains hardly anything.
     *
     * @param nats the smallest gain worth another step, not negative
     * @param atLeast steps made in any case: such bounds have plateaus
     * @return the rule
     */
    static StopRule converged(double nats, long atLeast) {
        record Converged(double nats, long atLeast) implements StopRule {
            @Override
            public boolean isMet(Progress progress) {
                return progress.step() >= atLeast && progress.gain() <= nats;
            }
        }

        if (!(nats >= 0)) {
            throw new IllegalArgumentException("nats = " + nats + ": the smallest gain must not be negative");
        }
        return new Converged(nats, atLeast);
    }

    /** Returns a rule that is met after a time. A run that ends by the clock is not reproducible to the step. */
    static StopRule wallClock(Duration budget) {
        record WallClock(Duration budget) implements StopRule {
            @Override
            public boolean isMet(Progress progress) {
                return progress.elapsed().compareTo(budget) >= 0;
            }
        }

        return new WallClock(budget);
    }

    /** Returns a rule that is met when any of several is. */
    static StopRule any(StopRule... rules) {
        record Any(List<StopRule> rules) implements StopRule {
            @Override
            public boolean isMet(Progress progress) {
                return rules.stream().anyMatch(rule -> rule.isMet(progress));
            }
        }

        return new Any(List.of(rules));
    }

    /**
     * Where a run stands.
     *
     * @param step steps done
     * @param bestStep the step of the best bound so far
     * @param averageElbo the ELBO, averaged exponentially
     * @param slowAverageElbo the same with a memory twice as long
     * @param gain what the last step gained; +infinity where steps are noisy, and before the first
     * @param elapsed time spent in steps, all resumed parts together
     */
    record Progress(long step, long bestStep, double averageElbo, double slowAverageElbo, double gain, Duration elapsed) {
        /** Steps an exponential average remembers. */
        public static final long MEMORY = 100;

        /**
         * Of an algorithm whose bound never falls.
         *
         * @param step steps done
         * @param elbo the bound
         * @param before the bound a step before; -infinity at the start
         * @return where it stands
         */
        public static Progress rising(long step, double elbo, double before) {
            return new Progress(step, step, elbo, elbo, elbo - before, Duration.ZERO);
        }
    }
}
