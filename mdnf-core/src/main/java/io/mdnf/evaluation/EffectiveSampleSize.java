package io.mdnf.evaluation;

import io.mdnf.space.CompensatedSum;
import io.mdnf.space.LogSpace;

/** To how many equally weighted samples a set of importance weights is worth: (sum w)^2 / sum w^2, from 1 to n. */
public final class EffectiveSampleSize {

    private EffectiveSampleSize() {
    }

    /**
     * The effective sample size.
     *
     * @param logWeights log w_s up to a common constant, at least one finite
     * @return between 1 and n
     */
    public static double of(double... logWeights) {
        LogSpace.check("logWeights", logWeights);
        double[] w = LogSpace.normalise(logWeights);
        return 1 / CompensatedSum.over(w.length, i -> w[i] * w[i]);
    }
}
