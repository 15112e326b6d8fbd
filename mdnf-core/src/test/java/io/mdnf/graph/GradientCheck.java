package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.random.Seed;
import java.util.function.Consumer;
import java.util.function.Function;

/** Compares a plan's gradients with central differences of its own value, in double. */
public final class GradientCheck {

    private static final double STEP = 1e-5;
    /** Central differences with step 1e-5 in double err by about 1e-10 plus 1e-10 times the third derivative. */
    private static final double TOLERANCE = 1e-7;

    private GradientCheck() {}

    public static void check(Function<Graph, Tensor> model) {
        check(model, plan -> {}, TOLERANCE);
    }

    /** Checks every parameter's gradient at the initial values of seed 1. */
    public static void check(Function<Graph, Tensor> model, Consumer<ExecutionPlan> fill, double tolerance) {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor loss = model.apply(graph);
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
            double[] start = graph.layout().initial(Seed.of(1));
            plan.load(start);
            fill.accept(plan);
            plan.run();
            double[] gradients = plan.gradients();
            double[] differences = differences(plan, loss, start);
            for (int i = 0; i < start.length; i++) {
                assertThat(gradients[i])
                        .as("gradient %d of %s", i, graph.layout())
                        .isCloseTo(differences[i], org.assertj.core.data.Offset.offset(
                                tolerance * (1 + Math.abs(differences[i]))));
            }
        }
    }

    /** Central differences of the loss with respect to every parameter. */
    public static double[] differences(ExecutionPlan plan, Tensor loss, double[] at) {
        double[] differences = new double[at.length];
        for (int i = 0; i < at.length; i++) {
            double[] moved = at.clone();
            moved[i] = at[i] + STEP;
            plan.load(moved);
            plan.run();
            double up = plan.value(loss);
            moved[i] = at[i] - STEP;
            plan.load(moved);
            plan.run();
            differences[i] = (up - plan.value(loss)) / (2 * STEP);
        }
        plan.load(at);
        return differences;
    }
}
