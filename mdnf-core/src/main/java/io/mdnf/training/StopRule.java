package io.mdnf.training;

import java.time.Duration;
import java.util.List;

/**
 * When a run ends.
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

    /**
     * After a number of steps.
     *
     * @param steps the most steps
     * @return the rule
     */
    static StopRule maxSteps(long steps) {
        return progress -> progress.step() >= steps;
    }

    /**
     * When the best bound is this many steps old.
     *
     * @param steps the patience
     * @return the rule
     */
    static StopRule noImprovement(long steps) {
        return progress -> progress.step() - progress.bestStep() > steps;
    }

    /**
     * When the exponentially averaged ELBO moves by less than a tolerance over its memory (about 100 steps).
     *
     * @param nats the tolerance
     * @return the rule
     */
    static StopRule tolerance(double nats) {
        return progress -> progress.step() > Progress.MEMORY
                && Math.abs(progress.averageElbo() - progress.slowAverageElbo()) < nats;
    }

    /**
     * After a time. A run that ends by the clock is not reproducible to the step.
     *
     * @param budget the time
     * @return the rule
     */
    static StopRule wallClock(Duration budget) {
        return progress -> progress.elapsed().compareTo(budget) >= 0;
    }

    /**
     * When any of several rules is met.
     *
     * @param rules the rules
     * @return the rule
     */
    static StopRule any(StopRule... rules) {
        List<StopRule> all = List.of(rules);
        return progress -> all.stream().anyMatch(rule -> rule.isMet(progress));
    }

    /**
     * Where a run stands.
     *
     * @param step steps done
     * @param bestStep the step of the best bound so far
     * @param averageElbo the ELBO, averaged exponentially
     * @param slowAverageElbo the same with a memory twice as long
     * @param elapsed time spent in steps, all resumed parts together
     */
    record Progress(long step, long bestStep, double averageElbo, double slowAverageElbo, Duration elapsed) {
        /** Steps an exponential average remembers. */
        public static final long MEMORY = 100;
    }
}
