package io.mdnf.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Estimate;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ImportanceDiagnosticsTest {

    /** Log weights whose tail has the shape k: w = U^-k. */
    private static double[] pareto(double k, int n, Seed seed) {
        var rng = seed.generator();
        return IntStream.range(0, n).mapToDouble(i -> -k * Math.log1p(-rng.nextDouble())).toArray();
    }

    /**
     * The tail of 100,000 weights has 949; the standard deviation of k is about (1 + k) / sqrt(949), so 4 of them are
     * passed by chance less than once in 10,000 runs per case.
     */
    @Test
    void theShapeOfAParetoTailIsFound() {
        for (double k : new double[] {0.2, 0.5, 0.8, 1.2}) {
            double found = ParetoK.of(pareto(k, 100_000, Seed.of(6).fold((long) (10 * k))));
            assertThat(found).isCloseTo(k, within(4 * (1 + k) / Math.sqrt(949)));
        }
    }

    /** Uniform weights have the shape -1, exponential ones 0; the prior draws 949 values by about 0.01 to 0.5. */
    @Test
    void lightTailsHaveSmallShapes() {
        var rng = Seed.of(7).generator();
        double[] uniform = IntStream.range(0, 100_000).mapToDouble(i -> Math.log(1 - rng.nextDouble())).toArray();
        double[] exponential = Arrays.stream(uniform).map(u -> Math.log(-u)).toArray();
        assertThat(ParetoK.of(uniform)).isCloseTo(-1, within(0.15));
        assertThat(ParetoK.of(exponential)).isCloseTo(0, within(0.14));
    }

    /** The posterior mean must lie near the maximum of the likelihood, found here by brute force over (k, sigma). */
    @Test
    void theFitAgreesWithTheLargestLikelihood() {
        double[] x = Arrays.stream(pareto(0.6, 2000, Seed.of(8))).map(l -> (Math.exp(l) - 1) / 0.6).sorted().toArray();
        double best = Double.NEGATIVE_INFINITY;
        double bestK = 0;
        for (double k = 0.05; k < 1.5; k += 0.01) {
            for (double sigma = 0.5; sigma < 2; sigma += 0.02) {
                double l = -x.length * Math.log(sigma);
                for (double v : x) {
                    l -= (1 / k + 1) * Math.log1p(k * v / sigma);
                }
                if (l > best) {
                    best = l;
                    bestK = k;
                }
            }
        }
        assertThat(ParetoK.shape(x)).isCloseTo(bestK, within(0.02));
    }

    @Test
    void theConstantOfTheWeightsDoesNotMatter() {
        double[] logWeights = pareto(0.5, 1000, Seed.of(9));
        double[] shifted = Arrays.stream(logWeights).map(l -> l - 5000).toArray();
        assertThat(ParetoK.of(shifted)).isCloseTo(ParetoK.of(logWeights), within(1e-8));
        assertThat(ImportanceDiagnostics.of(shifted).effectiveSampleSize())
                .isCloseTo(ImportanceDiagnostics.of(logWeights).effectiveSampleSize(), within(1e-8));
    }

    /** Weights of codes come in groups of equal values. */
    @Test
    void equalWeightsHaveNoTailAndTiesAreNoTrouble() {
        assertThat(ParetoK.of(new double[1000])).isEqualTo(Double.NEGATIVE_INFINITY);
        double[] two = IntStream.range(0, 1000).mapToDouble(i -> i % 2 == 0 ? 0 : 0.01).toArray();
        assertThat(ParetoK.of(two)).isEqualTo(Double.NEGATIVE_INFINITY);
        double[] rare = IntStream.range(0, 1000).mapToDouble(i -> i < 3 ? 0.01 : 0).toArray();
        assertThat(ParetoK.of(rare)).isLessThan(0);
        double[] groups = IntStream.range(0, 1000).mapToDouble(i -> Math.floor(Math.log(1000.0 / (i + 1)))).toArray();
        assertThat(ParetoK.of(groups)).isBetween(0.3, 1.5);
        double[] halfImpossible = IntStream.range(0, 1000)
                .mapToDouble(i -> i % 2 == 0 ? Double.NEGATIVE_INFINITY : 0).toArray();
        assertThat(ParetoK.of(halfImpossible)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(ImportanceDiagnostics.of(halfImpossible).effectiveSampleSize()).isCloseTo(500, within(1e-9));
    }

    @Test
    void theEffectiveSampleSizeIsTheTextbookOne() {
        assertThat(ImportanceDiagnostics.of(0, 0, 0).effectiveSampleSize()).isCloseTo(3, within(1e-12));
        // (1 + 3)^2 / (1 + 9)
        assertThat(ImportanceDiagnostics.of(0, Math.log(3)).effectiveSampleSize()).isCloseTo(1.6, within(1e-12));
    }

    @Test
    void aPersonUnderstandsTheVerdict() {
        ImportanceDiagnostics good = ImportanceDiagnostics.of(new Draws(Seed.of(1)).normal("w", 1000));
        assertThat(good.verdict()).isEqualTo(ImportanceDiagnostics.Verdict.TRUSTED);
        assertThat(good.sentence()).startsWith("Weights are even: 1000 samples are worth ")
                .contains("limit 0.67");
        ImportanceDiagnostics bad = ImportanceDiagnostics.of(pareto(2, 1000, Seed.of(1)));
        assertThat(bad.verdict()).isEqualTo(ImportanceDiagnostics.Verdict.UNRELIABLE);
        assertThat(bad.sentence()).startsWith("A few samples carry all the weight");
        assertThat(new ImportanceDiagnostics(10_000, 0.8, 100).sentence()).startsWith("Some weights are far larger");
        assertThat(new ImportanceDiagnostics(100, 0.6, 100).verdict())
                .isEqualTo(ImportanceDiagnostics.Verdict.DOUBTFUL);
        assertThat(ImportanceDiagnostics.of(new double[10]).sentence()).contains("too few of the 10 samples");
        assertThat(ImportanceDiagnostics.of(new double[1000]).sentence()).isEqualTo(
                "Weights are even: 1000 samples are worth 1000 exact ones (no tail of large weights).");
        double[] none = new double[1000];
        Arrays.fill(none, Double.NEGATIVE_INFINITY);
        assertThat(ImportanceDiagnostics.of(none)).isEqualTo(
                new ImportanceDiagnostics(1000, Double.POSITIVE_INFINITY, 0));
    }

    @Test
    void meansCarryTheirStandardError() {
        // Variance of 1, 2, 3, 6 around 3 is 14 / 3; over 4 values.
        assertThat(Estimate.of(1, 2, 3, 6)).isEqualTo(new Estimate(3, Math.sqrt(14.0 / 3 / 4)));
        assertThat(new Estimate(-2.765612, 0.00187)).hasToString("-2.7656 ± 0.0019");
        assertThat(new Estimate(0.017713, 0.0187)).hasToString("0.018 ± 0.019");
        assertThat(Estimate.exact(-1e-9)).hasToString("0.000000");
        assertThat(Estimate.exact(Double.NEGATIVE_INFINITY)).hasToString("-infinity");
        assertThat(Estimate.of(7)).isEqualTo(new Estimate(7, Double.POSITIVE_INFINITY));
        assertThat(Estimate.of(0, Double.NEGATIVE_INFINITY).value()).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThatThrownBy(() -> Estimate.of(0, Double.NaN)).hasMessageContaining("mean is NaN");
        assertThatThrownBy(Estimate::of).hasMessageContaining("empty");
    }
}
