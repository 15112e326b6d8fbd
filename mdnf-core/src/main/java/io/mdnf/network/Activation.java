package io.mdnf.network;

import io.mdnf.graph.Tensor;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;

/** What a hidden layer applies to its sums. */
public enum Activation {
    /** max(z, 0). */
    RELU(Tensor::relu, z -> Math.max(z, 0)),
    /** z itself, as in the published code. */
    LINEAR(z -> z, z -> z);

    private final UnaryOperator<Tensor> inGraph;
    private final DoubleUnaryOperator asNumber;

    Activation(UnaryOperator<Tensor> inGraph, DoubleUnaryOperator asNumber) {
        this.inGraph = inGraph;
        this.asNumber = asNumber;
    }

    /** In the graph. */
    public Tensor apply(Tensor z) {
        return inGraph.apply(z);
    }

    /** As a number. */
    public double apply(double z) {
        return asNumber.applyAsDouble(z);
    }
}
