package io.mdnf.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.GridAllocation;
import io.mdnf.distribution.Product;
import io.mdnf.distribution.WeightedCode;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KlLimitsTest {

    private static final Seed SEED = Seed.of(20);
    private static final double NONE = Double.NEGATIVE_INFINITY;

    /** All ways to put n balls into some boxes. */
    private static List<int[]> compositions(int n, int boxes) {
        List<int[]> all = new ArrayList<>();
        if (boxes == 1) {
            all.add(new int[] {n});
            return all;
        }
        for (int first = 0; first <= n; first++) {
            for (int[] rest : compositions(n - first, boxes - 1)) {
                int[] whole = new int[boxes];
                whole[0] = first;
                System.arraycopy(rest, 0, whole, 1, rest.length);
                all.add(whole);
            }
        }
        return all;
    }

    private static double kl(double[] q, double[] logJoint) {
        double logEvidence = LogSpace.sumExp(logJoint);
        return IntStream.range(0, q.length).filter(i -> q[i] > 0)
                .mapToDouble(i -> q[i] * (Math.log(q[i]) - logJoint[i] + logEvidence)).sum();
    }

    private static double[] product(CodeSpace space, double[][] q) {
        double[] p = new double[(int) space.size()];
        for (int i = 0; i < p.length; i++) {
            int[] code = space.code(i);
            p[i] = 1;
            for (int d = 0; d < code.length; d++) {
                p[i] *= q[d][code[d]];
            }
        }
        return p;
    }

    /** q of every code. */
    private static double[] table(KlLimits.Limit limit) {
        return Arrays.stream(limit.distribution().logProb(limit.distribution().space().all(1000))).map(Math::exp)
                .toArray();
    }

    private static double[] target(CodeSpace space, int number) {
        double[] logJoint = RandomTargets.pairwise(space, SEED.fold(number));
        return number % 2 == 0 ? logJoint : RandomTargets.withImpossible(logJoint, 0.3, SEED.fold(number));
    }

    /** 6 codes, up to 7 atoms: at most 792 ways to place them, all tried. */
    @Test
    void noPlacementOfEqualAtomsIsBetter() {
        CodeSpace space = CodeSpace.of(2, 3);
        for (int number = 0; number < 20; number++) {
            double[] logJoint = target(space, number);
            KlLimits limits = KlLimits.of(space, logJoint);
            for (int atoms : new int[] {1, 2, 3, 7}) {
                double best = Double.POSITIVE_INFINITY;
                for (int[] counts : compositions(atoms, 6)) {
                    double[] q = Arrays.stream(counts).mapToDouble(c -> (double) c / atoms).toArray();
                    best = Math.min(best, kl(q, logJoint));
                }
                KlLimits.Limit found = limits.equalAtoms(atoms);
                assertThat(found.kl()).isCloseTo(best, within(1e-12));
                assertThat(found.elbo()).isCloseTo(limits.logEvidence() - best, within(1e-12));
                for (WeightedCode atom : found.distribution().mostProbable(atoms)) {
                    double count = atom.probability() * atoms;
                    assertThat(count).isCloseTo(Math.rint(count), within(1e-12));
                }
                assertThat(kl(table(found), logJoint)).isCloseTo(found.kl(), within(1e-12));
            }
        }
    }

    @Test
    void freeAtomsAreTheMostProbableCodes() {
        CodeSpace space = CodeSpace.of(3, 2, 2);
        for (int number = 0; number < 20; number++) {
            double[] logJoint = target(space, number);
            KlLimits limits = KlLimits.of(space, logJoint);
            double[] descending = Arrays.stream(LogSpace.normalise(logJoint)).map(p -> -p).sorted().map(p -> -p)
                    .toArray();
            double mass = 0;
            for (int atoms = 1; atoms <= 12; atoms++) {
                mass += descending[atoms - 1];
                KlLimits.Limit found = limits.freeAtoms(atoms);
                assertThat(found.kl()).isCloseTo(-Math.log(mass), within(1e-12));
                assertThat(kl(table(found), logJoint)).isCloseTo(found.kl(), within(1e-12));
                assertThat(found.kl()).isLessThanOrEqualTo(limits.equalAtoms(atoms).kl() + 1e-12);
            }
            assertThat(limits.freeAtoms(1000).kl()).isZero();
        }
    }

    /** Two binary variables: the square of (q_1, q_2) is searched on a grid of 1/200 and then no better is found. */
    @Test
    @Tag("slow")
    void noProductOnAFineGridIsBetter() {
        CodeSpace space = CodeSpace.of(2, 2);
        for (int number = 0; number < 20; number++) {
            double[] logJoint = target(space, number);
            KlLimits.Limit found = KlLimits.of(space, logJoint).products(8, SEED).get(0);
            double best = Double.POSITIVE_INFINITY;
            for (int a = 0; a <= 200; a++) {
                for (int b = 0; b <= 200; b++) {
                    double[][] q = {{a / 200.0, 1 - a / 200.0}, {b / 200.0, 1 - b / 200.0}};
                    best = Math.min(best, kl(product(space, q), logJoint));
                }
            }
            assertThat(found.kl()).isLessThanOrEqualTo(best + 1e-12).isGreaterThan(best - 1e-3);
        }
    }

    @Test
    void meanFieldReportsTheKlOfItsMarginalsAndIsAFixedPoint() {
        CodeSpace space = CodeSpace.of(2, 4, 3, 2);
        for (int number = 0; number < 20; number++) {
            double[] logJoint = target(space, number);
            KlLimits limits = KlLimits.of(space, logJoint);
            KlLimits.Limit found = limits.products(16, SEED).get(0);
            assertThat(kl(table(found), logJoint)).isCloseTo(found.kl(), within(1e-12));
            assertThat(found.elbo()).isCloseTo(limits.logEvidence() - found.kl(), within(1e-12));
            // No small step towards any corner of any marginal is better.
            for (int d = 0; d < 4; d++) {
                for (int k = 0; k < space.cardinality(d); k++) {
                    double[][] q = ((Product) found.distribution()).q();
                    for (int j = 0; j < q[d].length; j++) {
                        q[d][j] = 0.999 * q[d][j] + (j == k ? 0.001 : 0);
                    }
                    assertThat(kl(product(space, q), logJoint)).isGreaterThanOrEqualTo(found.kl() - 1e-12);
                }
            }
        }
    }

    /** p(0, 0) = p(1, 1) = 1/2: the best products are the two codes themselves, at log 2, by symmetry one each. */
    @Test
    void impossibleCodesAreAvoided() {
        KlLimits limits = KlLimits.of(CodeSpace.of(2, 2), new double[] {3, NONE, NONE, 3});
        List<KlLimits.Limit> found = limits.products(10, SEED);
        assertThat(found.get(0).kl()).isCloseTo(Math.log(2), within(1e-12));
        assertThat(limits.gridProduct(10, found).kl()).isCloseTo(Math.log(2), within(1e-12));
        assertThat(limits.equalAtoms(2).kl()).isCloseTo(0, within(1e-12));
        assertThat(limits.equalAtoms(3).kl())
                .isCloseTo(Math.log(2) + 2 / 3.0 * Math.log(2 / 3.0) + 1 / 3.0 * Math.log(1 / 3.0), within(1e-12));
        assertThat(((Atoms) limits.equalAtoms(2).distribution()).codes()).isDeepEqualTo(new int[][] {{0, 0}, {1, 1}});
        assertThat(limits.freeAtoms(1).kl()).isCloseTo(Math.log(2), within(1e-12));
    }

    @Test
    void aProductIsFoundExactly() {
        CodeSpace space = CodeSpace.of(3, 2, 4);
        double[][] q = {{0.2, 0.3, 0.5}, {0.9, 0.1}, {0.1, 0.2, 0.3, 0.4}};
        double[] logJoint = Arrays.stream(product(space, q)).map(p -> Math.log(p) - 5).toArray();
        KlLimits limits = KlLimits.of(space, logJoint);
        List<KlLimits.Limit> found = limits.products(4, SEED);
        assertThat(found.get(0).kl()).isCloseTo(0, within(1e-12));
        for (int d = 0; d < 3; d++) {
            assertThat(((Product) found.get(0).distribution()).q()[d]).containsExactly(q[d], within(1e-9));
        }
        assertThat(limits.gridProduct(10, found).distribution()).isEqualTo(new Product(q));
    }

    /** All products of multiples of 1/4 for cardinalities 2, 3, 2: 5 * 15 * 5. Coordinate search alone misses 3 %. */
    @Test
    void noGridProductIsBetter() {
        CodeSpace space = CodeSpace.of(2, 3, 2);
        int atoms = 4;
        for (int number = 0; number < 100; number++) {
            double[] logJoint = target(space, number);
            KlLimits limits = KlLimits.of(space, logJoint);
            double best = Double.POSITIVE_INFINITY;
            for (int[] a : compositions(atoms, 2)) {
                for (int[] b : compositions(atoms, 3)) {
                    for (int[] c : compositions(atoms, 2)) {
                        best = Math.min(best, kl(product(space, grid(atoms, a, b, c)), logJoint));
                    }
                }
            }
            KlLimits.Limit found = limits.gridProduct(atoms, limits.products(16, SEED));
            assertThat(found.kl()).isCloseTo(best, within(1e-12));
            assertThat(kl(table(found), logJoint)).isCloseTo(found.kl(), within(1e-12));
        }
    }

    private static double[][] grid(int atoms, int[]... counts) {
        return Arrays.stream(counts).map(row -> Arrays.stream(row).mapToDouble(n -> (double) n / atoms).toArray())
                .toArray(double[][]::new);
    }

    @Test
    void theSameSeedGivesTheSameOptima() {
        CodeSpace space = CodeSpace.uniform(6, 3);
        KlLimits limits = KlLimits.of(space, target(space, 2));
        assertThat(limits.products(20, Seed.of(1))).isEqualTo(limits.products(20, Seed.of(1)));
    }

    @Test
    void badArgumentsAreNamed() {
        CodeSpace space = CodeSpace.of(2, 2);
        KlLimits limits = KlLimits.of(space, new double[4]);
        assertThatThrownBy(() -> KlLimits.of(space, new double[3])).hasMessageContaining("has 3 values");
        assertThatThrownBy(() -> KlLimits.of(space, new double[] {0, 0, Double.NaN, 0}))
                .hasMessageContaining("logJoint[2] = NaN");
        assertThatThrownBy(() -> KlLimits.of(CodeSpace.of(2), new double[] {NONE, NONE}))
                .hasMessageContaining("no posterior");
        assertThatThrownBy(() -> KlLimits.of(CodeSpace.uniform(40, 4), new double[1]))
                .hasMessageContaining("codes, more");
        assertThatThrownBy(() -> limits.equalAtoms(0)).hasMessageContaining("atoms = 0");
        assertThatThrownBy(() -> limits.freeAtoms(-1)).hasMessageContaining("atoms = -1");
        assertThatThrownBy(() -> limits.products(-1, SEED)).hasMessageContaining("restarts = -1");
        assertThatThrownBy(() -> GridAllocation.counts(new double[] {NONE}, 1)).hasMessageContaining("no place");
        assertThatThrownBy(() -> GridAllocation.counts(new double[2], 0)).hasMessageContaining("units = 0");
    }
}
