package io.mdnf.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.target.BlackBox;
import io.mdnf.target.PairwiseField;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FactorisedRefinementTest {

    /** E_q[log p] + H(q) as a plain sum over all codes. */
    private static double elboByEnumeration(TargetModel target, double[][] q) {
        double sum = 0;
        for (int[] code : target.space().all(1 << 18)) {
            double mass = 1;
            for (int d = 0; d < code.length; d++) {
                mass *= q[d][code[d]];
            }
            if (mass > 0) {
                sum += mass * (target.logJoint(new int[][] {code})[0] - Math.log(mass));
            }
        }
        return sum;
    }

    private static double logEvidence(TargetModel target) {
        double[] values = target.logJoint(target.space().all(1 << 18));
        double max = Arrays.stream(values).max().getAsDouble();
        return max + Math.log(Arrays.stream(values).map(v -> Math.exp(v - max)).sum());
    }

    /** The mean-field optimum by an independent coordinate ascent over the table of all codes, 200 random starts. */
    private static double meanFieldOptimum(TargetModel target) {
        CodeSpace space = target.space();
        int[][] codes = space.all(4096);
        double[] table = target.logJoint(codes);
        Random random = new Random(17);
        double best = Double.NEGATIVE_INFINITY;
        for (int start = 0; start < 200; start++) {
            double[][] q = new double[space.variables()][];
            for (int d = 0; d < q.length; d++) {
                q[d] = softmax(random.doubles(space.cardinality(d), -3, 3).toArray());
            }
            double elbo = Double.NEGATIVE_INFINITY;
            double before;
            do {
                before = elbo;
                elbo = 0;
                for (int d = 0; d < q.length; d++) {
                    double[] expected = new double[q[d].length];
                    for (int i = 0; i < codes.length; i++) {
                        double mass = 1;
                        for (int e = 0; e < q.length; e++) {
                            mass *= e == d ? 1 : q[e][codes[i][e]];
                        }
                        expected[codes[i][d]] += mass * table[i];
                    }
                    q[d] = softmax(expected);
                    elbo = Arrays.stream(expected).max().getAsDouble();
                    double max = elbo;
                    elbo += Math.log(Arrays.stream(expected).map(v -> Math.exp(v - max)).sum());
                }
                // After the last update the ELBO is log sum exp of its expectations plus the others' entropies.
                for (int d = 0; d < q.length - 1; d++) {
                    elbo += MeanFieldAscent.entropy(new double[][] {q[d]});
                }
            } while (elbo > before + 1e-9);
            best = Math.max(best, elbo);
        }
        return best;
    }

    private static double[] softmax(double[] logs) {
        double max = Arrays.stream(logs).max().getAsDouble();
        double sum = Arrays.stream(logs).map(v -> Math.exp(v - max)).sum();
        return Arrays.stream(logs).map(v -> Math.exp(v - max) / sum).toArray();
    }

    @Test
    @Tag("slow")
    void comesWithinTheBarOfTheMeanFieldOptimum() {
        double[] gaps = new double[30];
        double[] freeGaps = new double[30];
        for (int i = 0; i < gaps.length; i++) {
            PairwiseField field = PairwiseField.small(i + 1);
            FactorisedRefinement.Result result = new FactorisedRefinement(field, 100).refine(Seed.of(i));
            double optimum = meanFieldOptimum(field);
            gaps[i] = optimum - result.elbo();
            freeGaps[i] = optimum - result.meanFieldElbo();
            assertThat(result.elbo()).isLessThanOrEqualTo(logEvidence(field));
        }
        Arrays.sort(gaps);
        Arrays.sort(freeGaps);
        assertThat(gaps[15]).as("median on the grid of 1/100").isLessThanOrEqualTo(0.005);
        assertThat(gaps[28]).as("95th percentile").isLessThanOrEqualTo(0.05);
        assertThat(freeGaps[29]).as("worst off the grid").isLessThanOrEqualTo(1e-6);
    }

    @Test
    void elboIsExactAndCountsAreAGrid() {
        for (int components : new int[] {1, 3, 100}) {
            PairwiseField field = PairwiseField.small(components);
            FactorisedRefinement.Result result = new FactorisedRefinement(field, components).refine(Seed.of(1));
            assertThat(result.standardError()).isZero();
            assertThat(result.elbo()).isCloseTo(elboByEnumeration(field, result.q()), within(1e-10));
            assertThat(result.meanFieldElbo()).isCloseTo(elboByEnumeration(field, result.meanField()), within(1e-10));
            assertThat(result.meanFieldElbo()).isGreaterThanOrEqualTo(result.elbo() - 1e-12);
            for (int d = 0; d < result.counts().length; d++) {
                assertThat(Arrays.stream(result.counts()[d]).sum()).isEqualTo(components);
                for (int k = 0; k < result.counts()[d].length; k++) {
                    assertThat(result.q()[d][k]).isEqualTo(result.counts()[d][k] / (double) components);
                }
            }
        }
    }

    @Test
    void findsTheBestPointOfTheWholeGrid() {
        for (int seed = 1; seed <= 20; seed++) {
            int components = 2 + seed % 7;
            PairwiseField field = new PairwiseField(CodeSpace.of(2, 2, 2), 1.5, seed);
            double best = Double.NEGATIVE_INFINITY;
            for (int[] n : CodeSpace.uniform(3, components + 1).all(1000)) {
                double[][] q = new double[3][];
                for (int d = 0; d < 3; d++) {
                    double p = n[d] / (double) components;
                    q[d] = new double[] {p, 1 - p};
                }
                best = Math.max(best, elboByEnumeration(field, q));
            }
            double elbo = new FactorisedRefinement(field, components).refine(Seed.of(seed)).elbo();
            assertThat(elbo).as("seed %d", seed).isCloseTo(best, within(1e-10));
        }
    }

    @Test
    void tabulatedBlackBoxGivesWhatTheExactExpectationGives() {
        for (int seed = 1; seed <= 5; seed++) {
            PairwiseField field = PairwiseField.small(seed);
            FactorisedRefinement.Result exact = new FactorisedRefinement(field, 20).refine(Seed.of(1));
            FactorisedRefinement.Result box = new FactorisedRefinement(field.asBlackBox(), 20).refine(Seed.of(1));
            assertThat(box.elbo()).isCloseTo(exact.elbo(), within(1e-9));
        }
    }

    @Test
    void sampledBlackBoxComesCloseToTheExactExpectation() {
        PairwiseField field = new PairwiseField(CodeSpace.uniform(12, 3), 0.4, 3); // 531441 codes: too many to tabulate
        FactorisedRefinement.Result exact = new FactorisedRefinement(field, 100).refine(Seed.of(1));
        FactorisedRefinement.Result box = new FactorisedRefinement(field.asBlackBox(), 100).refine(Seed.of(1));
        double truth = field.expectedLogJoint(box.q()) + MeanFieldAscent.entropy(box.q());
        // One seed, fixed; a fresh one would fail by chance once in 15,000.
        assertThat(Math.abs(box.elbo() - truth)).isLessThanOrEqualTo(4 * box.standardError());
        // 78 potentials of variance 0.16 make a standard deviation of about 3.5, over 16384 samples 0.028.
        assertThat(box.standardError()).isPositive().isLessThan(0.03);
        assertThat(exact.elbo() - truth).isBetween(-1e-9, 0.02);
    }

    /** x_2 = x_0 xor x_1, and so on for every three variables. */
    private static BlackBox parities(PairwiseField field) {
        return new BlackBox(field.space(), x -> {
            for (int d = 2; d < x.length; d += 3) {
                if (x[d] != (x[d - 1] ^ x[d - 2])) {
                    return Double.NEGATIVE_INFINITY;
                }
            }
            return field.logJoint(x);
        });
    }

    @Test
    void neverPutsMassOnImpossibleCodes() {
        for (int seed = 1; seed <= 5; seed++) {
            BlackBox small = parities(new PairwiseField(CodeSpace.uniform(6, 2), 1, seed));
            double[][] full = new double[6][];
            Arrays.fill(full, new double[] {0.5, 0.5}); // a start with mass everywhere
            FactorisedRefinement.Result result =
                    new FactorisedRefinement(small, 10).refine(List.<double[][]>of(full), Seed.of(seed));
            assertThat(result.elbo()).isFinite().isCloseTo(elboByEnumeration(small, result.q()), within(1e-10));
            assertThat(result.meanFieldElbo()).isCloseTo(elboByEnumeration(small, result.meanField()), within(1e-10));
        }
        // Sampled, as 2^18 codes are too many to tabulate; the support that is left is small enough to be sure of.
        BlackBox large = parities(new PairwiseField(CodeSpace.uniform(18, 2), 0.5, 1));
        FactorisedRefinement.Result result = new FactorisedRefinement(large, 10).refine(Seed.of(1));
        assertThat(result.standardError()).isZero();
        assertThat(result.elbo()).isFinite().isCloseTo(elboByEnumeration(large, result.q()), within(1e-10));
    }

    @Test
    void sameSeedGivesTheSameResult() {
        PairwiseField field = new PairwiseField(CodeSpace.uniform(12, 3), 1, 4);
        FactorisedRefinement refinement = new FactorisedRefinement(field, 30);
        FactorisedRefinement.Result once = refinement.refine(Seed.of(5));
        FactorisedRefinement.Result again = refinement.refine(Seed.of(5));
        assertThat(again.counts()).isDeepEqualTo(once.counts());
        assertThat(again.meanField()).isDeepEqualTo(once.meanField());
    }

    @Test
    void refusesAStartThatIsNoDistribution() {
        PairwiseField field = new PairwiseField(CodeSpace.of(2, 3), 1, 1);
        FactorisedRefinement refinement = new FactorisedRefinement(field, 4);
        double[][] wrong = {{0.5, 0.5}, {0.5, 0.5, 0.5}};
        assertThatIllegalArgumentException().isThrownBy(() -> refinement.refine(List.<double[][]>of(wrong), Seed.of(1)))
                .withMessageContaining("start[1]").withMessageContaining("a distribution on 3 categories");
        assertThatIllegalArgumentException().isThrownBy(() -> new FactorisedRefinement(field, 0))
                .withMessageContaining("components = 0");
    }
}
