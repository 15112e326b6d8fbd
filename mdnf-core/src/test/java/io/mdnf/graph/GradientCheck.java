package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;

/**
 * Compares a plan's gradients with central differences of its own value, in double: entry by entry where they are few,
 * else along random directions whose entries are all different and between 0.5 and 1.5 in size, so that a wrong entry
 * shows in each direction, and wrong entries whose errors are equal and opposite, as two swapped ones', do not cancel.
 */
public final class GradientCheck {

    private static final int DIRECTIONS = 3;
    private static final double STEP = 1e-5;
    /** Central differences with step 1e-5 in double err by about 1e-10 plus 1e-10 times the third derivative. */
    private static final double TOLERANCE = 1e-7;

    private GradientCheck() {}

    public static void check(Function<Graph, Tensor> model) {
        check(model, plan -> {}, TOLERANCE);
    }

    /** Checks gradients at the initial values of seed 1. */
    public static void check(Function<Graph, Tensor> model, Consumer<ExecutionPlan> fill, double tolerance) {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor loss = model.apply(graph);
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
            double[] start = graph.layout().initial(Seed.of(1));
            plan.load(start);
            fill.accept(plan);
            plan.run();
            double[] gradients = plan.gradients();
            Draws draws = new Draws(Seed.of(2));
            if (start.length <= 2 * DIRECTIONS) {
                nameTheEntry(plan, loss, start, gradients, tolerance);
                return;
            }
            for (int i = 0; i < DIRECTIONS; i++) {
                var rng = draws.stream("direction" + i);
                double[] direction = IntStream.range(0, start.length)
                        .mapToDouble(j -> (rng.nextBoolean() ? 1 : -1) * (0.5 + rng.nextDouble())).toArray();
                double expected = difference(plan, loss, start, direction);
                double derivative = IntStream.range(0, start.length).mapToDouble(j -> gradients[j] * direction[j]).sum();
                if (!(Math.abs(derivative - expected) <= tolerance * (1 + Math.abs(expected)))) {
                    nameTheEntry(plan, loss, start, gradients, tolerance);
                    assertThat(derivative).as("derivative along direction %d of %s", i, graph.layout())
                            .isCloseTo(expected, Offset.offset(tolerance * (1 + Math.abs(expected))));
                }
            }
        }
    }

    private static void nameTheEntry(ExecutionPlan plan, Tensor loss, double[] start, double[] gradients, double tolerance) {
        for (int i = 0; i < start.length; i++) {
            double[] unit = new double[start.length];
            unit[i] = 1;
            double difference = difference(plan, loss, start, unit);
            assertThat(gradients[i]).as("gradient %d of %s", i, plan.layout())
                    .isCloseTo(difference, Offset.offset(tolerance * (1 + Math.abs(difference))));
        }
    }

    private static double difference(ExecutionPlan plan, Tensor loss, double[] at, double[] direction) {
        return (value(plan, loss, at, direction, STEP) - value(plan, loss, at, direction, -STEP)) / (2 * STEP);
    }

    private static double value(ExecutionPlan plan, Tensor loss, double[] at, double[] direction, double step) {
        plan.load(IntStream.range(0, at.length).mapToDouble(i -> at[i] + step * direction[i]).toArray());
        plan.run();
        return plan.value(loss);
    }
}
