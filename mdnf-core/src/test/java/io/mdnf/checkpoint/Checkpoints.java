package io.mdnf.checkpoint;

import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Precision;
import io.mdnf.random.Seed;
import java.util.List;

/** Small checkpoints for tests. */
final class Checkpoints {

    static final ParameterLayout LAYOUT = new ParameterLayout(List.of(
            new Parameter("base/logits", Initialiser.constant(0), 2, 3),
            new Parameter("weights", Initialiser.constant(0), 2)));

    private Checkpoints() {
    }

    static Checkpoint atStep(long step) {
        double s = step + 1.0 / 3;
        return Checkpoint.of("{\"task\":\"test\"}", Seed.of(7), step, LAYOUT,
                new double[] {s, -s, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6})
                .optimiser(Precision.DOUBLE, "RmsProp", new double[][] {{1, 2, 3, 4, 5, 6, 7, s}}, step)
                .array("best", 1, 2, Double.NEGATIVE_INFINITY)
                .number("lastImprovement", step / 2);
    }

    /** The parameters of a layout, and nothing else worth telling. */
    static Checkpoint of(ParameterLayout layout, double[] parameters) {
        return Checkpoint.of("{}", Seed.of(0), 0, layout, parameters);
    }
}
