package io.mdnf.distribution;

import java.util.Arrays;

/** A code, indices [D], with its probability q(code). */
public record WeightedCode(int[] code, double probability) {

    /** Copies the code. */
    public WeightedCode {
        code = code.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WeightedCode that && probability == that.probability && Arrays.equals(code, that.code);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(code) + Double.hashCode(probability);
    }

    @Override
    public String toString() {
        return probability + " at " + Arrays.toString(code);
    }
}
