package io.mdnf.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.math.BigDecimal;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class SumsTest {

    /** Terms of sizes from e^-30 to e^30; plain summation loses 1e-10 of this. */
    @Test
    void aCompensatedSumIsTheExactSumRounded() {
        int n = 100_000;
        double[] sizes = new Draws(Seed.of(1)).normal("sizes", n);
        double[] signs = new Draws(Seed.of(1)).normal("signs", n);
        double[] terms = new double[n];
        BigDecimal exact = BigDecimal.ZERO;
        for (int i = 0; i < n; i++) {
            terms[i] = Math.signum(signs[i]) * Math.exp(7 * sizes[i]);
            exact = exact.add(new BigDecimal(terms[i]));
        }
        assertThat(CompensatedSum.over(n, i -> terms[i])).isEqualTo(exact.doubleValue());
    }

    @Test
    void smallTermsSurviveBesideALargeOne() {
        CompensatedSum sum = new CompensatedSum();
        sum.add(1);
        sum.add(1e100);
        sum.add(1);
        sum.add(-1e100);
        assertThat(sum.value()).isEqualTo(2);
    }

    @Test
    void infinitiesStayInfinite() {
        int many = 50_000;
        assertThat(CompensatedSum.over(3, i -> i == 1 ? Double.POSITIVE_INFINITY : 1)).isInfinite().isPositive();
        assertThat(CompensatedSum.over(many, i -> i == 40_000 ? Double.NEGATIVE_INFINITY : 1))
                .isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(CompensatedSum.over(0, i -> 1)).isZero();
    }

    @Test
    void theNumberOfThreadsDoesNotChangeABit() throws Exception {
        double[] terms = new Draws(Seed.of(2)).normal("terms", 1_000_003);
        double expected = CompensatedSum.over(terms.length, i -> terms[i]);
        for (int threads : new int[] {1, 3, 7}) {
            ForkJoinPool pool = new ForkJoinPool(threads);
            try {
                assertThat(pool.submit(() -> CompensatedSum.over(terms.length, i -> terms[i])).get())
                        .isEqualTo(expected);
            } finally {
                pool.shutdown();
            }
        }
    }

    @Test
    void logSumsNeitherOverflowNorUnderflow() {
        assertThat(LogSpace.sumExp(1000, 1000)).isCloseTo(1000 + Math.log(2), within(1e-12));
        assertThat(LogSpace.sumExp(-1000, Double.NEGATIVE_INFINITY)).isEqualTo(-1000);
        assertThat(LogSpace.sumExp()).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(LogSpace.meanExp(Math.log(1), Math.log(3))).isCloseTo(Math.log(2), within(1e-15));
        assertThat(LogSpace.normalise(5, 5 + Math.log(3), Double.NEGATIVE_INFINITY))
                .containsExactly(new double[] {0.25, 0.75, 0}, within(1e-15));
        assertThatThrownBy(() -> LogSpace.normalise(Double.NEGATIVE_INFINITY)).hasMessageContaining("cannot be");
        assertThatThrownBy(LogSpace::meanExp).hasMessageContaining("empty");
    }
}
