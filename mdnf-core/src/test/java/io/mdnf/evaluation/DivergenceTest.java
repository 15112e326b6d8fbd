package io.mdnf.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class DivergenceTest {

    private static final double NONE = Double.NEGATIVE_INFINITY;

    private static double[] log(double... p) {
        return Arrays.stream(p).map(Math::log).toArray();
    }

    /** q = (1/2, 1/2), p = (1/4, 3/4), p(D) = 8. */
    @Test
    void figuresOfTwoCoins() {
        Divergence d = Divergence.between(log(0.5, 0.5), log(2, 6));
        assertThat(d.logEvidence()).isCloseTo(Math.log(8), within(1e-15));
        assertThat(d.klFromPosterior()).isCloseTo(0.5 * Math.log(2) + 0.5 * Math.log(2.0 / 3), within(1e-15));
        assertThat(d.klToPosterior()).isCloseTo(0.25 * Math.log(0.5) + 0.75 * Math.log(1.5), within(1e-15));
        assertThat(d.elbo()).isCloseTo(0.5 * Math.log(4) + 0.5 * Math.log(12), within(1e-15));
        assertThat(d.totalVariation()).isCloseTo(0.25, within(1e-15));
    }

    @Test
    void massWhereTheOtherHasNoneIsInfinitelyFar() {
        Divergence d = Divergence.between(log(0.5, 0.5, 0), new double[] {0, NONE, 0});
        assertThat(d.klFromPosterior()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(d.elbo()).isEqualTo(NONE);
        assertThat(d.klToPosterior()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(d.totalVariation()).isCloseTo(0.5, within(1e-15));
        Divergence inside = Divergence.between(log(1, 0, 0), new double[] {0, NONE, 0});
        assertThat(inside.klFromPosterior()).isCloseTo(Math.log(2), within(1e-15));
        assertThat(inside.klToPosterior()).isEqualTo(Double.POSITIVE_INFINITY);
        // exp(-800) is 0 in a double, but it is mass all the same.
        assertThat(Divergence.between(new double[] {0, -800}, new double[] {0, NONE}).klFromPosterior()).isInfinite();
    }

    @Test
    void aDistributionIsAtDistanceZeroFromItself() {
        double[] logJoint = new Draws(Seed.of(4)).normal("target", 100_000);
        double logZ = LogSpace.sumExp(logJoint);
        Divergence d = Divergence.between(Arrays.stream(logJoint).map(l -> l - logZ).toArray(), logJoint);
        assertThat(d.klFromPosterior()).isCloseTo(0, within(1e-14));
        assertThat(d.klToPosterior()).isCloseTo(0, within(1e-14));
        assertThat(d.totalVariation()).isCloseTo(0, within(1e-14));
    }

    @Test
    void theNumberOfThreadsDoesNotChangeABit() throws Exception {
        double[] p = new Draws(Seed.of(5)).normal("p", 200_001);
        double[] q = new Draws(Seed.of(5)).normal("q", 200_001);
        double logZ = LogSpace.sumExp(q);
        double[] logQ = Arrays.stream(q).map(l -> l - logZ).toArray();
        Divergence here = Divergence.between(logQ, p);
        for (int threads : new int[] {1, 5}) {
            ForkJoinPool pool = new ForkJoinPool(threads);
            try {
                assertThat(pool.submit(() -> Divergence.between(logQ, p)).get()).isEqualTo(here);
            } finally {
                pool.shutdown();
            }
        }
    }

    @Test
    void whatIsNotADistributionIsRefused() {
        assertThatThrownBy(() -> Divergence.between(log(0.5, 0.4), log(1, 1))).hasMessageContaining("sum to 0.9");
        assertThatThrownBy(() -> Divergence.between(log(0.5, 0.5), log(1))).hasMessageContaining("2 codes");
        assertThatThrownBy(() -> Divergence.between(new double[] {0, Double.NaN}, log(1, 1)))
                .hasMessageContaining("logQ[1] = NaN");
        assertThatThrownBy(() -> Divergence.between(log(1, 0), new double[] {NONE, NONE}))
                .hasMessageContaining("no posterior");
    }
}
