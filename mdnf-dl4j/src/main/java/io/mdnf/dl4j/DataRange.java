package io.mdnf.dl4j;

import io.mdnf.space.Check;
import org.nd4j.linalg.api.ndarray.INDArray;

/** The numbers for which a score is a bound, least to greatest, both included. */
record DataRange(double least, double greatest) {

    /** What a Bernoulli probability can score: no more than 1 is summed over 0 and 1. */
    static final DataRange UNIT = new DataRange(0, 1);

    /** Refuses the first number outside, of columns that start after so many others, by row and column from 1. */
    void check(INDArray data, int before) {
        // a sum for NaN, which a least or greatest number may pass over
        if (data.minNumber().doubleValue() >= least && data.maxNumber().doubleValue() <= greatest
                && Double.isFinite(data.sumNumber().doubleValue())) {
            return;
        }
        float[] all = data.dup('c').data().asFloat();
        int columns = Math.toIntExact(data.length() / data.size(0));
        for (int i = 0; i < all.length; i++) {
            Check.that(all[i] >= least && all[i] <= greatest && Float.isFinite(all[i]), "row ", i / columns + 1,
                    ", column ", before + i % columns + 1, " of the data is ", all[i], ": the ELBO is a bound for ",
                    this, " only; scale the numbers, or leave out the column");
        }
    }

    @Override
    public String toString() {
        return least == Double.NEGATIVE_INFINITY ? "finite numbers"
                : greatest == Double.POSITIVE_INFINITY ? "finite numbers from " + least
                : "numbers in [" + least + ", " + greatest + "]";
    }
}
