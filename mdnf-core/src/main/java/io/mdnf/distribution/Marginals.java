package io.mdnf.distribution;

import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Each variable's own distribution, q(x_d = k) [D][K_d], and how many codes it was counted in, 0 if it is exact. */
public record Marginals(double[][] probabilities, int samples) {

    /** Returns whether the probabilities are sums rather than counts. */
    public boolean isExact() {
        return samples == 0;
    }

    /** The standard error sqrt(p (1 - p) / n) of one probability, 0 if exact. */
    public double standardError(int variable, int category) {
        double p = probabilities[variable][category];
        return isExact() ? 0 : Math.sqrt(p * (1 - p) / samples);
    }

    /** The largest difference max |p - p'| to other probabilities [D][K_d]. */
    public double distance(double[][] others) {
        double largest = 0;
        for (int d = 0; d < others.length; d++) {
            for (int k = 0; k < others[d].length; k++) {
                largest = Math.max(largest, Math.abs(probabilities[d][k] - others[d][k]));
            }
        }
        return largest;
    }

    /** The exact marginals of weighted codes. */
    static Marginals of(CodeSpace space, int[][] codes, double[] weights) {
        double[][] sums = IntStream.of(space.cardinalities()).mapToObj(double[]::new).toArray(double[][]::new);
        for (int i = 0; i < codes.length; i++) {
            for (int d = 0; d < sums.length; d++) {
                sums[d][codes[i][d]] += weights[i];
            }
        }
        return new Marginals(sums, 0);
    }

    /** Frequencies in samples. */
    static Marginals counted(CodeSpace space, int[][] samples) {
        double[] equal = new double[samples.length];
        Arrays.fill(equal, 1.0 / samples.length);
        return new Marginals(of(space, samples, equal).probabilities, samples.length);
    }

    @Override
    public String toString() {
        String how = isExact() ? "exact" : samples + " samples";
        return "Marginals(" + how + ", " + Arrays.deepToString(probabilities) + ")";
    }
}
