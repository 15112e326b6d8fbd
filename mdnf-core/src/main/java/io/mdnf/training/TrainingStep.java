package io.mdnf.training;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Map;

/**
 * A step under way, as a task sees it.
 *
 * @param seed of the run
 * @param number of the step, from 0
 * @param temperature tau of the step
 * @param parts what the task remembers, by name
 */
public record TrainingStep(Seed seed, long number, double temperature, Map<String, double[]> parts) {

    /** Returns all randomness of the step. */
    public Draws draws() {
        return new Draws(seed.fold("step").fold(number));
    }
}
