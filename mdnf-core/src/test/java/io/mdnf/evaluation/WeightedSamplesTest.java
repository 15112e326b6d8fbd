package io.mdnf.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.space.CodeSpace;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WeightedSamplesTest {

    /**
     * A category of probability p that its conditional does not know of, by n samples of the posterior itself. By a
     * normal law 1 of 16,000 estimates is off by more than 4 errors, and hardly more where next to none of the samples
     * has it; without a word on what they do not meet it is a quarter of them at p n = 1.4.
     */
    @Test
    void marginalsAreRarelyFourErrorsOff() {
        Random random = new Random(3);
        int n = 700;
        for (double p : new double[] {0.3, 0.01, 0.002, 0.0005}) {
            int off = 0;
            for (int trial = 0; trial < 1000; trial++) {
                WeightedSamples samples = new WeightedSamples(CodeSpace.of(2));
                double[][][] seen = new double[n][][];
                for (int i = 0; i < n; i++) {
                    seen[i] = new double[][] {random.nextDouble() < p ? new double[] {0, 1} : new double[] {1, 0}};
                }
                samples.add(new double[n], i -> seen[i]);
                off += Math.abs(samples.marginals()[0][1] - p) > 4 * samples.standardErrors()[0][1] ? 1 : 0;
            }
            assertThat(off).as("of 1,000 estimates of " + p).isLessThan(10);
        }
    }

    /** Weights 1 and 3, conditionals 0 and 1: p = 3/4; these two are worth 16 / 10 samples. */
    @Test
    void weightsCount() {
        WeightedSamples samples = new WeightedSamples(CodeSpace.of(2));
        samples.add(new double[] {0, Math.log(3)}, i -> new double[][] {{1 - i, i}});
        assertThat(samples.marginals()[0][1]).isCloseTo(0.75, within(1e-12));
        // (9/16 + 9/16) / 16 of the weights, and 10/16 unmet
        assertThat(samples.standardErrors()[0][1]).isCloseTo(Math.sqrt(18.0 / 256 + 100.0 / 256), within(1e-12));
    }
}
