package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.random.Seed;
import java.util.function.Consumer;
import java.util.function.Function;
import org.assertj.core.data.Offset;

/** Compares a plan's gradients with central differences of its own value, in double. */
public final class GradientCheck {

    private static final int MOST_COORDINATES = 60;
    private static final double STEP = 1e-5;
    /** Central differences with step 1e-5 in double err by about 1e-10 plus 1e-10 times the third derivative. */
    private static final double TOLERANCE = 1e-7;

    private GradientCheck() {}

    public static void check(Function<Graph, Tensor> model) {
        check(model, plan -> {}, TOLERANCE);
    }

    /** Checks gradients at the initial values of seed 1: all of them, or 60 spread over the parameters. */
    public static void check(Function<Graph, Tensor> model, Consumer<ExecutionPlan> fill, double tolerance) {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor loss = model.apply(graph);
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
            double[] start = graph.layout().initial(Seed.of(1));
            plan.load(start);
            fill.accept(plan);
            plan.run();
            double[] gradients = plan.gradients();
            int stride = Math.max(1, start.length / MOST_COORDINATES);
            for (int i = 0; i < start.length; i += stride) {
                double difference = difference(plan, loss, start, i);
                assertThat(gradients[i])
                        .as("gradient %d of %s", i, graph.layout())
                        .isCloseTo(difference, Offset.offset(tolerance * (1 + Math.abs(difference))));
            }
        }
    }

    private static double difference(ExecutionPlan plan, Tensor loss, double[] at, int i) {
        double[] moved = at.clone();
        moved[i] = at[i] + STEP;
        plan.load(moved);
        plan.run();
        double up = plan.value(loss);
        moved[i] = at[i] - STEP;
        plan.load(moved);
        plan.run();
        return (up - plan.value(loss)) / (2 * STEP);
    }
}
