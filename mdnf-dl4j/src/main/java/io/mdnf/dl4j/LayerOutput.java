package io.mdnf.dl4j;

import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import org.nd4j.autodiff.samediff.SDVariable;

/**
 * Hands the result of a SameDiff layer to DL4J 1.0.0-M2.1, which counts the gradient of its output twice: the function
 * that feeds in the outer gradient both sets it and returns it to be added. Here it is halved. Output layers are not
 * concerned.
 */
final class LayerOutput {

    private static final double ONCE = 0.5;

    private LayerOutput() {}

    /** The same value, with the gradient that DL4J's doubling makes right. */
    static SDVariable of(Tensor result) {
        return StraightThrough.carryGradient(result.stopGradient(), result.times(ONCE)).variable();
    }
}
