package io.mdnf.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.mixture.Weighting;
import io.mdnf.space.CodeSpace;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AtomsTest {

    private static final CodeSpace TWO = CodeSpace.of(2, 2);
    private static final CodeSpace ONE = CodeSpace.of(8);
    private static final int[][] CODES = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};

    @Test
    void elboIsTheExactSumOverAtoms() {
        Atoms atoms = new Atoms(TWO, new int[][] {{0, 1}, {1, 1}}, new double[] {0.25, 0.75});
        // 1/4 (log 0.1 - log 1/4) + 3/4 (log 0.6 - log 3/4) = 1/4 log 0.4 + 3/4 log 0.8
        assertThat(atoms.elbo(new double[] {Math.log(0.1), Math.log(0.6)}))
                .isCloseTo(0.25 * Math.log(0.4) + 0.75 * Math.log(0.8), within(1e-15));
    }

    @Test
    void elboIsMinusInfinityWhenAnAtomIsImpossible() {
        Atoms atoms = new Atoms(ONE, new int[][] {{0}, {1}}, new double[] {0.5, 0.5});
        assertThat(atoms.elbo(new double[] {0, Double.NEGATIVE_INFINITY})).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void bestEqualAtomsBeatEveryOtherAllocation() {
        Random random = new Random(1);
        for (int trial = 0; trial < 50; trial++) {
            double[] logJoint = random.doubles(4, -4, 0).toArray();
            if (trial % 3 == 0) {
                logJoint[trial % 4] = Double.NEGATIVE_INFINITY;
            }
            int components = 1 + trial % 9;
            double best = Double.NEGATIVE_INFINITY;
            for (int a = 0; a <= components; a++) {
                for (int b = 0; a + b <= components; b++) {
                    for (int c = 0; a + b + c <= components; c++) {
                        int[] counts = {a, b, c, components - a - b - c};
                        best = Math.max(best, elbo(counts, components, logJoint));
                    }
                }
            }
            Atoms atoms = Atoms.best(TWO, CODES, logJoint, components, Weighting.EQUAL);
            assertThat(elboOf(atoms, logJoint)).isCloseTo(best, within(1e-13));
        }
    }

    private static double elbo(int[] counts, int components, double[] logJoint) {
        double sum = 0;
        for (int i = 0; i < counts.length; i++) {
            double w = counts[i] / (double) components;
            sum += w > 0 ? w * (logJoint[i] - Math.log(w)) : 0;
        }
        return sum;
    }

    private static double elboOf(Atoms atoms, double[] logJoint) {
        int[][] codes = atoms.codes();
        double[] own = new double[codes.length];
        for (int i = 0; i < own.length; i++) {
            own[i] = logJoint[2 * codes[i][0] + codes[i][1]];
        }
        return atoms.elbo(own);
    }

    @Test
    void bestFreeAtomsReachTheLogOfTheirMass() {
        double[] logJoint = {Math.log(0.1), Math.log(0.4), Math.log(0.2), Math.log(0.3)};
        Atoms atoms = Atoms.best(TWO, CODES, logJoint, 2, Weighting.FREE);
        assertThat(atoms.codes()).isDeepEqualTo(new int[][] {{0, 1}, {1, 1}});
        assertThat(elboOf(atoms, logJoint)).isCloseTo(Math.log(0.7), within(1e-15)); // 0.4 + 0.3
    }

    @Test
    void fewerAtomsThanComponentsWhenFewCodesArePossible() {
        double[] logJoint = {Double.NEGATIVE_INFINITY, 0, Double.NEGATIVE_INFINITY, 0};
        assertThat(Atoms.best(TWO, CODES, logJoint, 10, Weighting.FREE).weights()).containsExactly(0.5, 0.5);
        assertThat(Atoms.best(TWO, CODES, logJoint, 10, Weighting.EQUAL).weights()).containsExactly(0.5, 0.5);
    }

    @Test
    void doesNotChangeWhenTheCallersArraysDo() {
        int[][] codes = {{0}, {1}};
        double[] weights = {0.5, 0.5};
        Atoms atoms = new Atoms(ONE, codes, weights);
        codes[0][0] = 1;
        weights[0] = 0;
        atoms.codes()[1][0] = 7;
        assertThat(atoms).isEqualTo(new Atoms(ONE, new int[][] {{0}, {1}}, new double[] {0.5, 0.5}));
    }

    @Test
    void refusesWhatIsNoDistribution() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Atoms(ONE, new int[0][], new double[0]))
                .withMessageContaining("at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Atoms(ONE, new int[][] {{0}, {0}}, new double[] {0.5, 0.5}))
                .withMessageContaining("appears twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Atoms(ONE, new int[][] {{0}, {1}}, new double[] {0.5, 0.4}))
                .withMessageContaining("sum to 0.9");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Atoms(ONE, new int[][] {{0}, {1}}, new double[] {1, 0}))
                .withMessageContaining("weights[1] = 0.0");
    }
}
