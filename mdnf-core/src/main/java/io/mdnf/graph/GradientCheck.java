package io.mdnf.graph;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Compares a plan's gradients with central differences of its own value, in double: entry by entry where they are few,
 * else along random directions whose entries are all different and between 0.5 and 1.5 in size, so that a wrong entry
 * shows in each direction, and wrong entries whose errors are equal and opposite, as two swapped ones', do not cancel.
 *
 * <p>Example: {@code GradientCheck.check(g -> g.parameter(new Parameter("x", Initialiser.normal(1), 9)).exp().sum())}.
 */
public final class GradientCheck {

    /** A wrong entry shows in each; more would only say it again. */
    private static final int DIRECTIONS = 3;
    private static final double STEP = 1e-5;
    /** Central differences with step 1e-5 in double err by about 1e-10 plus 1e-10 times the third derivative. */
    private static final double TOLERANCE = 1e-7;

    private GradientCheck() {}

    /** Checks the gradients of a scalar at the initial values of seed 1; an AssertionError names a wrong entry. */
    public static void check(Function<Graph, Tensor> model) {
        check(model, plan -> {}, TOLERANCE);
    }

    /** The same with placeholders, which {@code fill} writes, and another tolerance, relative above 1. */
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
                double derivative =
                        IntStream.range(0, start.length).mapToDouble(j -> gradients[j] * direction[j]).sum();
                if (!isClose(derivative, expected, tolerance)) {
                    nameTheEntry(plan, loss, start, gradients, tolerance);
                    throw wrong("derivative along direction " + i, graph.layout(), derivative, expected);
                }
            }
        }
    }

    private static void nameTheEntry(ExecutionPlan plan, Tensor loss, double[] start, double[] gradients,
            double tolerance) {
        for (int i = 0; i < start.length; i++) {
            double[] unit = new double[start.length];
            unit[i] = 1;
            double difference = difference(plan, loss, start, unit);
            if (!isClose(gradients[i], difference, tolerance)) {
                throw wrong("gradient " + i, plan.layout(), gradients[i], difference);
            }
        }
    }

    private static boolean isClose(double gradient, double difference, double tolerance) {
        return Math.abs(gradient - difference) <= tolerance * (1 + Math.abs(difference));
    }

    private static AssertionError wrong(String which, ParameterLayout layout, double gradient, double difference) {
        return new AssertionError(which + " of " + layout + " is " + gradient + ", by central differences "
                + difference);
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
