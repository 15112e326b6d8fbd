package io.mdnf.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import io.mdnf.distribution.Atoms;
import io.mdnf.evaluation.KlLimits;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Weighting;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.Fields;
import io.mdnf.target.FunctionTarget;
import io.mdnf.target.TargetModel;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingStep;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What changes of atoms are worth, against brute force; what training by them comes to, against the exact limit. */
class AlternativesTest {

    private static final FactorTarget TARGET = Fields.random(Seed.of(5), 3, 2, 3, 2);
    private static final CodeSpace SPACE = TARGET.space();
    private static final TargetModel BOX = new FunctionTarget(SPACE, x -> TARGET.logJoint(new int[][] {x})[0]);

    private static final Draws DRAWS = new Draws(Seed.of(3));

    /** Few enough codes that some atoms meet. */
    private static int[][] atoms(int count) {
        int[][] y = new int[count][];
        int[] ranks = new Draws(Seed.of(2)).uniform("ranks", count, 12);
        Arrays.setAll(y, b -> SPACE.code(3 * ranks[b]));
        return y;
    }

    private static double at(double[] worth, int b, int d, int k) {
        return worth[(b * SPACE.variables() + d) * SPACE.width() + k];
    }

    private static int[][] changed(int[][] y, int b, int d, int k) {
        int[][] other = Arrays.stream(y).map(int[]::clone).toArray(int[][]::new);
        other[b][d] = k;
        return other;
    }

    /** With kappa = 0 and no floor the worth of a change is B times the true change of the bound. */
    @Test
    void exactDifferencesAreThoseOfTheBound() {
        int[][] y = atoms(9);
        double[] equal = new double[9];
        Arrays.fill(equal, 1.0 / 9);
        for (TargetModel target : List.of(TARGET, BOX)) {
            double[] worth = new Alternatives(target).of(y, 0, 1e-15, DRAWS);
            new Occupancy(SPACE, Weighting.EQUAL).addTo(worth, y);
            double before = bound(y, equal);
            for (int b = 0; b < y.length; b++) {
                for (int d = 0; d < SPACE.variables(); d++) {
                    for (int k = 0; k < SPACE.cardinality(d); k++) {
                        assertThat(at(worth, b, d, k)).isCloseTo(
                                9 * (bound(changed(y, b, d, k), equal) - before), offset(1e-9));
                    }
                }
            }
        }
    }

    private static double bound(int[][] y, double[] weights) {
        Atoms atoms = Atoms.merged(SPACE, y, weights);
        return atoms.elbo(TARGET.logJoint(atoms.codes()));
    }

    /** kappa = 1 is the paper's gradient: sums of ratios of probabilities, factor by factor. */
    @Test
    void kappaOneIsTheLinearisedGradient() {
        int[][] y = atoms(4);
        double[] worth = new Alternatives(TARGET).of(y, 1, 1e-15, DRAWS);
        for (int b = 0; b < y.length; b++) {
            for (int d = 0; d < SPACE.variables(); d++) {
                for (int k = 0; k < SPACE.cardinality(d); k++) {
                    double ratios = 0;
                    for (Factor factor : TARGET.factors()) {
                        FactorTarget alone = new FactorTarget(SPACE, List.of(factor));
                        double[] both = alone.logJoint(new int[][] {y[b], changed(y, b, d, k)[b]});
                        ratios += Math.exp(both[1] - both[0]) - 1;
                    }
                    assertThat(at(worth, b, d, k)).isCloseTo(ratios, offset(1e-9));
                }
            }
        }
    }

    /**
     * In a black box another variable follows the change: with two variables it is known which one. Both codes of mass
     * differ in both, so that no change of one alone gains anything.
     */
    @Test
    void inABlackBoxASecondVariableFollows() {
        CodeSpace two = CodeSpace.of(2, 3);
        double[] mass = {0.3, 0.001, 0.002, 0.003, 0.004, 0.69};
        TargetModel box = new FunctionTarget(two, x -> Math.log(mass[3 * x[0] + x[1]]));
        double kappa = 0.5;
        double followed = (Math.pow(0.69 / 0.3, kappa) - 1) / kappa;
        double staying = (Math.pow(0.004 / 0.3, kappa) - 1) / kappa;
        // rows: first variable 0, 1 (and padding); second variable 0, 1, 2
        assertThat(new Alternatives(box).of(new int[][] {{0, 0}}, kappa, 1e-15, DRAWS))
                .containsExactly(new double[] {0, followed, 0, 0, staying, followed}, offset(1e-9));
        assertThat(new Alternatives(box).of(new int[][] {{0, 0}}, 0, 1e-15, DRAWS)[1])
                .isCloseTo(Math.log(0.003 / 0.3), offset(1e-9));
    }

    /** A floor opens what is impossible, by a share of the factor's largest entry, and leaves the rest. */
    @Test
    void theFloorIsAShareOfTheLargestEntry() {
        CodeSpace one = CodeSpace.of(2);
        FactorTarget target = FactorTarget.table(one, Math.log(7), Double.NEGATIVE_INFINITY);
        assertThat(new Alternatives(target).of(new int[][] {{0}}, 0, 0.01, DRAWS))
                .containsExactly(new double[] {0, Math.log(0.01)}, offset(1e-12));
    }

    /** Where weights are free, only different codes count. */
    @Test
    void aSecondAtomAtACodeIsWasted() {
        double[] worth = new double[2 * SPACE.oneHotLength()];
        int[][] y = {SPACE.code(0), SPACE.code(0)};
        new Occupancy(SPACE, Weighting.FREE).addTo(worth, y);
        assertThat(at(worth, 0, 0, 1)).isPositive();
        double[] apart = new double[2 * SPACE.oneHotLength()];
        new Occupancy(SPACE, Weighting.FREE).addTo(apart, changed(y, 0, 0, 1));
        assertThat(at(apart, 0, 0, 0)).isEqualTo(-at(worth, 0, 0, 1));
        assertThat(at(apart, 0, 0, 2)).isZero();
    }

    /** By gradients alone, the last iterate: at most 10 % further from the evidence than the best atoms are. */
    @ParameterizedTest
    @EnumSource(names = {"EQUAL", "FREE"})
    @Tag("slow")
    void theLastIterateIsAtTheLimit(Weighting weighting) {
        isAtTheLimit(TARGET, TARGET, weighting);
    }

    @Test
    @Tag("slow")
    void theLastIterateInABlackBoxIsAtTheLimit() {
        isAtTheLimit(TARGET, BOX, Weighting.EQUAL);
    }

    /**
     * Three pairs of variables that are equal, so that no change of one alone is possible: all eight possible codes are
     * found. (Changes of one variable find some of them, and end at KL 0.16.)
     */
    @Test
    @Tag("slow")
    void inABlackBoxAtomsCrossBarriersOfTwoVariables() {
        double never = Double.NEGATIVE_INFINITY;
        FactorTarget pairs = new FactorTarget(CodeSpace.uniform(6, 2), List.of(
                new Factor(new int[] {0, 1}, new double[] {Math.log(0.7), never, never, Math.log(0.3)}),
                new Factor(new int[] {2, 3}, new double[] {Math.log(0.6), never, never, Math.log(0.4)}),
                new Factor(new int[] {4, 5}, new double[] {Math.log(0.2), never, never, Math.log(0.8)})));
        isAtTheLimit(pairs, new FunctionTarget(pairs.space(), x -> pairs.logJoint(new int[][] {x})[0]), Weighting.FREE);
    }

    private static void isAtTheLimit(FactorTarget known, TargetModel target, Weighting weighting) {
        CodeSpace space = known.space();
        KlLimits limits = KlLimits.of(space, known.logJoint(space.all(CodeSpace.LISTABLE)));
        double best = (weighting == Weighting.EQUAL ? limits.equalAtoms(12) : limits.freeAtoms(12)).kl();
        Mixture mixture = Mixture.atoms(space, 12, weighting);
        var vif = new AnnealedVif(target, mixture, AnnealedSettings.forMixture(mixture, 1000));
        try (var training = new GradientTraining<>(vif)) {
            double[] last = training.finish(training.init(Seed.of(1))).parameters();
            double bound = vif.evaluate(last, new TrainingStep(Seed.of(1), 1000, 1, Map.of()));
            assertThat(Fields.logEvidence(known) - bound).isBetween(best - 1e-9, 1.1 * best + 1e-9);
        }
    }
}
