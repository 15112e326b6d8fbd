package io.mdnf.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.commons.statistics.inference.ChiSquareTest;
import org.junit.jupiter.api.Test;

class SeedTest {

    @Test
    void sameSeedGivesTheSameStreamWhateverTheOrderOrThread() {
        Seed seed = Seed.of(7);
        long[] forward = IntStream.range(0, 100).mapToLong(i -> seed.fold("step").fold(i).generator().nextLong())
                .toArray();
        ConcurrentHashMap<Integer, Long> parallel = new ConcurrentHashMap<>();
        IntStream.range(0, 100).parallel().map(i -> 99 - i)
                .forEach(i -> parallel.put(i, seed.fold("step").fold(i).generator().nextLong()));
        IntStream.range(0, 100).forEach(i -> assertThat(parallel.get(i)).isEqualTo(forward[i]));
    }

    @Test
    void foldedSeedsAreDistinct() {
        Set<Long> seen = new HashSet<>();
        for (int run = 0; run < 20; run++) {
            for (String name : new String[] {"", "a", "b", "ab", "ba"}) {
                for (long step = -50; step < 50; step++) {
                    seen.add(Seed.of(run).fold(name).fold(step).value());
                    seen.add(Seed.of(run).fold(step).fold(name).value());
                }
            }
        }
        assertThat(seen).hasSize(20 * 5 * 100 * 2);
    }

    /** First numbers of neighbouring seeds are uniform: chi-square, fails by chance once in 1000 seeds sets. */
    @Test
    void firstDrawsOfConsecutiveSeedsAreUniform() {
        long[] counts = new long[64];
        for (int i = 0; i < 64_000; i++) {
            counts[Seed.of(3).fold(i).generator().nextInt(64)]++;
        }
        assertThat(ChiSquareTest.withDefaults().test(counts).getPValue()).isGreaterThan(1e-3);
    }

    @Test
    void drawsOfDifferentNamesShareNothing() {
        Draws draws = new Draws(Seed.of(1));
        assertThat(draws.normal("a", 10)).doesNotContain(draws.normal("b", 10));
        assertThat(draws.normal("a", 10)).containsExactly(draws.normal("a", 10));
        assertThat(draws.under("x").gumbel("a", 5)).doesNotContain(draws.under("y").gumbel("a", 5));
    }

    @Test
    void allocationGivesEveryComponentItsShare() {
        int[] allocation = new Draws(Seed.of(1)).allocation("b", 30, 10);
        assertThat(IntStream.range(0, 10).map(b -> (int) IntStream.of(allocation).filter(c -> c == b).count()))
                .containsOnly(3);
    }

    /** Chi-square against the given probabilities; fails by chance once in 1000 seeds; zeros are never drawn. */
    @Test
    void categoricalDrawsFollowTheirProbabilities() {
        double[] rows = {0.5, 0.5, 0, 0, 0.1, 0, 0.6, 0.3};
        var rng = new Draws(Seed.of(5)).stream("k");
        long[] counts = new long[4];
        for (int i = 0; i < 20_000; i++) {
            counts[Draws.category(rng, rows, 4, 4)]++;
        }
        assertThat(counts[1]).isZero();
        double pValue = ChiSquareTest.withDefaults()
                .test(new double[] {0.1, 0.6, 0.3}, new long[] {counts[0], counts[2], counts[3]}).getPValue();
        assertThat(pValue).isGreaterThan(1e-3);
    }

    @Test
    void dirichletDrawsLieOnTheSimplexEvenForTinyConcentrations() {
        for (double alpha : new double[] {0.01, 1, 100}) {
            double[] p = new Draws(Seed.of(2)).dirichlet("p", 5, alpha);
            assertThat(java.util.Arrays.stream(p).sum()).isCloseTo(1, org.assertj.core.data.Offset.offset(1e-12));
            assertThat(java.util.Arrays.stream(p).min().getAsDouble()).isNotNegative();
        }
    }
}
