package io.mdnf.graph;

import java.util.List;
import org.nd4j.autodiff.functions.DifferentialFunction;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Operations that a plan computes otherwise than ND4J does, on the CPU or on a device. */
interface OperationCalls {

    /** Adds the calls of an operation of inputs that are not all constant; false if ND4J's own serves. */
    boolean add(DifferentialFunction function, String name, INDArray[] inputs, List<String> outputs);
}
