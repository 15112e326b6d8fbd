package io.mdnf.relaxation;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;

/**
 * The temperature tau of a relaxation, [1, 1], and what messages call it: a finite number above 0, either fixed or a
 * placeholder written before a run.
 *
 * <p>As a placeholder it can be annealed, and one compiled plan serves a whole grid of temperatures.
 *
 * <pre>{@code
 * Temperature tau = Temperature.placeholder(graph, "temperature");
 * tau.write(plan, 0.5);
 * }</pre>
 */
public record Temperature(String name, Tensor value, boolean fixed) {

    /** A temperature that is written before each run, as a placeholder in the graph's scope. */
    public static Temperature placeholder(Graph graph, String name) {
        return new Temperature(name, graph.placeholder(name, 1, 1), false);
    }

    /** A temperature that never changes, a finite number above 0. */
    public static Temperature fixed(Graph graph, double tau) {
        check("tau", tau);
        return new Temperature("tau = " + tau, graph.constant(new double[] {tau}, 1, 1), true);
    }

    /** Sets the temperature, a finite number above 0, of the next runs of a plan that uses it. */
    public void write(ExecutionPlan plan, double tau) {
        if (fixed) {
            throw new IllegalStateException(name + " is fixed; use a placeholder for a temperature that changes");
        }
        check(name, tau);
        plan.write(value, tau);
    }

    private static void check(String name, double tau) {
        Check.that(tau > 0 && !Double.isInfinite(tau), name, " = ", tau, ": a temperature is a finite number above 0");
    }

    /** Returns 1 / tau, [1, 1]. */
    Tensor inverse() {
        return value.graph().ones(1, 1).over(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
