package io.mdnf.dl4j;

import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.ops.transforms.Transforms;

/**
 * Softmax of logits in DL4J's arrays, and the gradients of what is drawn from it.
 *
 * @param logs log q, [rows, K]
 * @param q [rows, K]
 */
record Table(INDArray logs, INDArray q) {

    /** The softmax of logits [rows, K]. */
    static Table of(INDArray logits) {
        INDArray shifted = logits.subColumnVector(logits.max(true, 1));
        INDArray logs = shifted.subColumnVector(Transforms.log(Transforms.exp(shifted).sum(true, 1), false));
        return new Table(logs, Transforms.exp(logs));
    }

    /** J(p) g = p (g - sum p g), the gradient by the logits of p = softmax where that by p is g. */
    static INDArray jacobian(INDArray p, INDArray g) {
        return g.subColumnVector(p.mul(g).sum(true, 1)).muli(p);
    }

    /** 2 J(m) g - J(p) g / 2 with p = softmax(l) and m = (softmax(l / tau) + z) / 2. */
    static INDArray secondOrder(INDArray logits, INDArray z, INDArray g, double temperature) {
        INDArray middle = of(logits.div(temperature)).q.addi(z).muli(0.5);
        return jacobian(middle, g).muli(2).subi(jacobian(of(logits).q, g).muli(0.5));
    }
}
