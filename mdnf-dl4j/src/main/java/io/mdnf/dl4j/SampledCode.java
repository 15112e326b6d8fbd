package io.mdnf.dl4j;

import io.mdnf.mixture.Estimator;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.Objects;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.memory.LayerMemoryReport;
import org.deeplearning4j.nn.conf.memory.MemoryReport;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Draws codes from the tables of a {@link MdnfLatent}: the value is a sampled one-hot code, the gradient goes to the
 * table it was drawn from, so that every flow learns from every sample.
 *
 * <p>Inputs q [n, D * K] and choice [n, D], the flow b_d in 0 .. B - 1 that each variable follows, drawn uniformly and
 * independently outside the graph ({@link ComponentChoices}); output x [n, D * K]. Flows are equally likely, so they
 * may be counted in the order of their categories: x_d is the category in which the running count
 * B (q_d(0) + .. + q_d(k)) passes b_d. Counts are whole numbers, hence P(x_d = k) = q_d(k) without rounding; of flows
 * without number, B = 2^22, to seven digits.
 */
public final class SampledCode extends GraphVertex {

    private static final long serialVersionUID = 1;

    private int[] cardinalities;
    private int components;
    private Estimator estimator;
    private double temperature;

    /** For Jackson. */
    SampledCode() {}

    SampledCode(CodeSpace space, int components, Estimator estimator, double temperature) {
        this.cardinalities = space.cardinalities();
        this.components = components;
        Check.that(estimator == Estimator.AVERAGED || estimator == Estimator.SECOND_ORDER, "estimator = ", estimator,
                ": a table does not know which flow was chosen, nor what follows a code; averaged or second-order is"
                        + " possible");
        this.estimator = estimator;
        this.temperature = temperature;
    }

    /** Returns K_1 .. K_D. */
    public int[] getCardinalities() {
        return cardinalities.clone();
    }

    /** Returns B, the number of flows. */
    public int getComponents() {
        return components;
    }

    /** Returns what a code tells its table. */
    public Estimator getEstimator() {
        return estimator;
    }

    /** Returns the temperature of the half point of the second-order gradient, where flows are without number. */
    public double getTemperature() {
        return temperature;
    }

    CodeSpace space() {
        return CodeSpace.of(cardinalities);
    }

    @Override
    public org.deeplearning4j.nn.graph.vertex.GraphVertex instantiate(ComputationGraph graph, String name, int index,
            INDArray paramsView, boolean initializeParams, DataType type) {
        return new SampledCodeVertex(graph, name, index, type, this);
    }

    @Override
    public long numParams(boolean backprop) {
        return 0;
    }

    @Override
    public int minVertexInputs() {
        return 2;
    }

    @Override
    public int maxVertexInputs() {
        return 2;
    }

    @Override
    public InputType getOutputType(int layerIndex, InputType... vertexInputs) {
        return InputType.feedForward(space().oneHotLength());
    }

    @Override
    public MemoryReport getMemoryReport(InputType... inputTypes) {
        return new LayerMemoryReport.Builder(null, SampledCode.class, inputTypes[0], getOutputType(-1, inputTypes))
                .standardMemory(0, 0).workingMemory(0, 0, 0, 0).cacheMemory(0, 0).build();
    }

    @Override
    public SampledCode clone() {
        return new SampledCode(space(), components, estimator, temperature);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SampledCode code && components == code.components && estimator == code.estimator
                && temperature == code.temperature && Arrays.equals(cardinalities, code.cardinalities);
    }

    @Override
    public int hashCode() {
        return Objects.hash(components, estimator, temperature, Arrays.hashCode(cardinalities));
    }

    @Override
    public String toString() {
        return "SampledCode(" + space() + ", B=" + components + ", " + estimator + ")";
    }
}
