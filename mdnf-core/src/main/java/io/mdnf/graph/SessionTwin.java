package io.mdnf.graph;

import java.util.HashMap;
import java.util.Map;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A graph's loss and gradients by SameDiff's own session: slow, and what an {@link ExecutionPlan} must agree with, in
 * double to the last bit.
 *
 * <pre>{@code
 * SessionTwin twin = new SessionTwin(graph, loss);
 * twin.copy(plan);                       // the same parameters and placeholders
 * twin.run();
 * plan.run();
 * double difference = twin.maxDifference(plan);
 * }</pre>
 */
public final class SessionTwin {

    private final Graph graph;
    private final Tensor loss;
    private final ParameterLayout layout;
    private final String[] names;
    private final Map<String, INDArray> placeholders = new HashMap<>();
    private Map<String, INDArray> gradients = Map.of();

    /** The twin of the plan that {@code ExecutionPlan.compile(graph, loss)} gives. */
    public SessionTwin(Graph graph, Tensor loss) {
        this.graph = graph;
        this.loss = loss;
        this.layout = graph.layout();
        this.names = layout.parameters().stream().map(Parameter::name).toArray(String[]::new);
        if (graph.sameDiff().getFunction("grad") == null) {
            QuietAutodiff.gradientGraph(graph.sameDiff(), loss.variable(), names);
        }
    }

    /** Takes over parameters and placeholders of a plan of the same graph. */
    public void copy(ExecutionPlan plan) {
        double[] flat = plan.parameters();
        for (Parameter p : layout.parameters()) {
            graph.sameDiff().getVariable(p.name()).setArray(array(layout.read(p.name(), flat), p.shape()));
        }
        graph.placeholders().forEach((name, p) -> placeholders.put(name, array(plan.read(p), p.shape())));
    }

    private INDArray array(double[] values, long[] shape) {
        return Nd4j.createFromArray(values).castTo(graph.precision().type()).reshape(shape);
    }

    /** Computes the gradients, as {@link SameDiff#calculateGradients} does. */
    public void run() {
        gradients = graph.sameDiff().calculateGradients(placeholders, names);
    }

    /** Returns the loss, computed anew. */
    public double loss() {
        return graph.sameDiff().output(placeholders, loss.name()).get(loss.name()).getDouble(0);
    }

    /** Returns the flat gradient of the last run. */
    public double[] gradients() {
        double[] flat = new double[layout.size()];
        for (String name : names) {
            INDArray gradient = gradients.get(name);
            if (gradient == null) {
                throw new IllegalStateException("no gradient of '" + name + "' yet: run first");
            }
            flat = layout.with(name, gradient.dup('c').data().asDouble(), flat);
        }
        return flat;
    }

    /**
     * Returns the largest absolute difference of loss and gradients from a plan of the same graph, run on the same
     * parameters and placeholders; NaN if either has a NaN.
     */
    public double maxDifference(ExecutionPlan plan) {
        double most = Math.abs(plan.value(loss) - loss());
        double[] ours = plan.gradients();
        double[] theirs = gradients();
        for (int i = 0; i < ours.length; i++) {
            most = Math.max(most, Math.abs(ours[i] - theirs[i]));
        }
        return most;
    }
}
