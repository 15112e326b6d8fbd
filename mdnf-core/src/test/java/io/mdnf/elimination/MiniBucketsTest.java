package io.mdnf.elimination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MiniBucketsTest {

    /** Rounding of sums of some hundred terms. */
    private static final double ROUNDING = 1e-9;

    @Test
    void theUpperBoundIsNeverBelowTheSumOverAllCodes() {
        Random random = new Random(5);
        int split = 0;
        double first = 0;
        double tightened = 0;
        for (int trial = 0; trial < 400; trial++) {
            RandomFactors drawn = RandomFactors.draw(random, 10, 0.2 * (trial % 3));
            MiniBuckets bounded = new MiniBuckets(drawn.space(), drawn.factors(), MiniBucketPlan.of(drawn.space(),
                    drawn.scopes(), drawn.anyOrder(random), 2 << trial % 3));
            double before = bounded.upper();
            double exact = drawn.logSum();
            assertThat(before).isGreaterThanOrEqualTo(exact - ROUNDING);
            bounded.tighten(10);
            assertThat(bounded.upper()).isGreaterThanOrEqualTo(exact - ROUNDING).isLessThanOrEqualTo(before);
            split += bounded.plan().isExact() ? 0 : 1;
            first += before - exact;
            tightened += bounded.upper() - exact;
        }
        assertThat(split).as("graphs whose bound is put to the test").isGreaterThan(80);
        // ten passes close half the gap and more
        assertThat(tightened).isLessThan(0.5 * first);
    }

    @Test
    void withoutALimitTheBoundIsTheSum() {
        Random random = new Random(6);
        for (int trial = 0; trial < 100; trial++) {
            RandomFactors drawn = RandomFactors.draw(random, 8, 0.2 * (trial % 3));
            MiniBuckets exact = new MiniBuckets(drawn.space(), drawn.factors(), MiniBucketPlan.of(drawn.space(),
                    drawn.scopes(), drawn.anyOrder(random), Double.POSITIVE_INFINITY));
            exact.tighten(3);
            assertThat(exact.upper()).isCloseTo(drawn.logSum(), within(ROUNDING));
        }
    }

    @Test
    void noTableIsLargerThanTheLimitUnlessAFactorIs() {
        Random random = new Random(7);
        for (int trial = 0; trial < 100; trial++) {
            RandomFactors drawn = RandomFactors.draw(random, 12, 0);
            double largest = drawn.scopes().stream().mapToDouble(
                    scope -> EliminationPlan.of(drawn.space(), java.util.List.of(scope), drawn.anyOrder(random))
                            .largestTable()).max().orElse(0);
            MiniBucketPlan plan = MiniBucketPlan.of(drawn.space(), drawn.scopes(), drawn.anyOrder(random), 8);
            assertThat(plan.largestTable()).isLessThanOrEqualTo(Math.max(8, largest));
        }
    }
}
