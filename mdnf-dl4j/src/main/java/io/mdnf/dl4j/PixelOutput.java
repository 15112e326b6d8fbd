package io.mdnf.dl4j;

import io.mdnf.space.Check;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.layers.samediff.SameDiffOutputLayer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/** What a {@link NegativeElbo} does when the graph runs: it takes no labels by which its score would be no bound. */
final class PixelOutput extends SameDiffOutputLayer {

    private static final long serialVersionUID = 1;

    PixelOutput(NeuralNetConfiguration conf, DataType type) {
        super(conf, type);
    }

    /** Refuses the first number outside [0, 1] by its row and column, both from 1. */
    @Override
    public void setLabels(INDArray labels) {
        // a sum for NaN, which a least or greatest number may pass over
        if (labels != null && !(labels.minNumber().doubleValue() >= 0 && labels.maxNumber().doubleValue() <= 1
                && Double.isFinite(labels.sumNumber().doubleValue()))) {
            float[] all = labels.dup('c').data().asFloat();
            int columns = Math.toIntExact(labels.length() / labels.size(0));
            for (int i = 0; i < all.length; i++) {
                if (!(all[i] >= 0 && all[i] <= 1)) {
                    throw new IllegalArgumentException("row " + (i / columns + 1) + ", column " + (i % columns + 1)
                            + " of the images is " + all[i] + ": the ELBO is a bound for pixels in [0, 1] only; scale "
                            + "them, or leave out a column that is no pixel");
                }
            }
        }
        super.setLabels(labels);
    }
}
