package io.mdnf.gmm;

/**
 * When EM ends: after {@code maxSteps}, or, once {@code minSteps} are done, as soon as a step gains no more than
 * {@code tolerance} nats.
 *
 * @param tolerance the smallest gain worth another step, in nats, not negative
 * @param minSteps steps done in any case
 * @param maxSteps steps never exceeded, at least {@code minSteps}
 */
public record StopRule(double tolerance, int minSteps, int maxSteps) {

    /**
     * Checks the ranges.
     *
     * @param tolerance the smallest gain worth another step
     * @param minSteps steps done in any case
     * @param maxSteps steps never exceeded
     */
    public StopRule {
        if (!(tolerance >= 0)) {
            throw new IllegalArgumentException("tolerance is " + tolerance + "; it must not be negative");
        }
        if (minSteps < 0 || maxSteps < minSteps) {
            throw new IllegalArgumentException("minSteps is " + minSteps + " and maxSteps " + maxSteps
                    + "; 0 <= minSteps <= maxSteps is needed");
        }
    }

    /** {@return the default: EM has plateaus, so 1e-7 nats, within 10 to 1000 steps} */
    public static StopRule standard() {
        return new StopRule(1e-7, 10, 1000);
    }

    /**
     * {@return a rule for exactly so many steps}
     *
     * @param steps the number of steps
     */
    public static StopRule after(int steps) {
        return new StopRule(0, steps, steps);
    }

    /**
     * {@return whether EM ends with {@code current}}
     *
     * @param previous the ELBO one step before
     * @param current the state reached
     */
    public boolean ends(double previous, EmState current) {
        return current.step() >= maxSteps || current.step() >= minSteps && current.elbo() - previous <= tolerance;
    }
}
