package io.mdnf.training;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Map;

/** A step under way, as a task sees it: its number, from 0, its tau, the run's seed, and the task's parts by name. */
public record TrainingStep(Seed seed, long number, double temperature, Map<String, double[]> parts) {

    /** Returns all randomness of the step. */
    public Draws draws() {
        return drawsOf(number);
    }

    /** Returns all randomness of the step after this one. */
    public Draws nextDraws() {
        return drawsOf(number + 1);
    }

    private Draws drawsOf(long step) {
        return new Draws(seed.fold("step").fold(step));
    }
}
