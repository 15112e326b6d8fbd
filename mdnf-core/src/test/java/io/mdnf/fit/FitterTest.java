package io.mdnf.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.distribution.FlowMixture;
import io.mdnf.evaluation.KlLimits;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Weighting;
import io.mdnf.objective.Bound;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.Fields;
import io.mdnf.target.FunctionTarget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fits against the exact optimum of their family on random fields: a small part of {@code mdnf bench families}. */
class FitterTest {

    private static final int SEEDS = 4;

    private static FactorTarget field(int seed) {
        Draws draws = new Draws(Seed.of(seed));
        int[] cardinalities = draws.uniform("cardinalities", 4 + seed % 3, 3);
        return Fields.random(Seed.of(seed).fold("field"), Arrays.stream(cardinalities).map(k -> k + 2).toArray());
    }

    private static double elbo(FactorTarget target, FitOptions options, int seed) throws IOException {
        Fit fit = new Fitter(target).fit(options, Seed.of(seed));
        fit.distribution().close();
        assertThat(fit.bound().isExact()).isTrue();
        return fit.bound().value();
    }

    @Test
    @Tag("slow")
    void atomsReachTheBestBAtoms() throws IOException {
        for (int seed = 1; seed <= SEEDS; seed++) {
            FactorTarget target = field(seed);
            KlLimits limits = KlLimits.of(target.space(), target.logJoint(target.space().all(10_000)));
            FitOptions equal = FitOptions.standard(Family.JOINT).withComponents(8);
            assertThat(elbo(target, equal, seed)).isCloseTo(limits.equalAtoms(8).elbo(), Offset.offset(1e-9));
            FitOptions free = equal.withMethod(FitOptions.Method.BVIF, Weighting.FREE);
            assertThat(elbo(target, free, seed)).isCloseTo(limits.freeAtoms(8).elbo(), Offset.offset(1e-9));
        }
    }

    @Test
    @Tag("slow")
    void productsReachTheBestProductOnTheGrid() throws IOException {
        for (int seed = 1; seed <= SEEDS; seed++) {
            FactorTarget target = field(seed);
            KlLimits limits = KlLimits.of(target.space(), target.logJoint(target.space().all(10_000)));
            double best = limits.factorisedGrid(100, limits.meanField(100, Seed.of(1))).elbo();
            assertThat(elbo(target, FitOptions.standard(Family.FACTORISED), seed)).isCloseTo(best, Offset.offset(1e-6));
        }
    }

    @Test
    @Tag("slow")
    void autoregressivePosteriorsComeCloseToTheEvidence() throws IOException {
        for (int seed = 1; seed <= SEEDS; seed++) {
            FactorTarget target = field(seed);
            double kl = Fields.logEvidence(target) - elbo(target, FitOptions.standard(Family.AUTOREGRESSIVE), seed);
            // the bar of the median over 100 fields is 0.03
            assertThat(kl).isBetween(-1e-9, 0.03);
        }
    }

    @Test
    @Tag("slow")
    void autoregressivePosteriorsGiveNothingToImpossibleCodes() throws IOException {
        for (int seed = 1; seed <= SEEDS; seed++) {
            CodeSpace space = CodeSpace.of(3, 2, 3, 2, 4, 2);
            Draws draws = new Draws(Seed.of(seed));
            List<Factor> factors = new ArrayList<>();
            for (int d = 1; d < 6; d++) {
                double[] u = draws.normal("factor" + d, space.cardinality(d - 1) * space.cardinality(d));
                factors.add(new Factor(new int[] {d, d - 1},
                        Arrays.stream(u).map(v -> v > 0.7 ? Double.NEGATIVE_INFINITY : 2 * v).toArray()));
            }
            FactorTarget target = new FactorTarget(space, factors);
            Fit fit = new Fitter(target, 2, 0, 5, 1, 4, 3).fit(FitOptions.standard(Family.AUTOREGRESSIVE), Seed.of(seed));
            try (FlowMixture q = (FlowMixture) fit.distribution()) {
                double[] p = target.logJoint(space.all(1000));
                double[] table = q.table();
                for (int i = 0; i < table.length; i++) {
                    assertThat(p[i] == Double.NEGATIVE_INFINITY && table[i] > 0).isFalse();
                }
                assertThat(Fields.logEvidence(target) - fit.bound().value()).isBetween(-1e-9, 0.02);
            }
        }
    }

    @Test
    @Tag("slow")
    void autoregressivePosteriorsReachEveryIslandAmongZeros() throws IOException {
        // 8 variables, each with two copies: no code leads to another by a change of one variable
        CodeSpace space = CodeSpace.uniform(24, 3);
        List<Factor> factors = new ArrayList<>();
        double[] copy = new double[9];
        Arrays.setAll(copy, i -> i % 4 == 0 ? 0 : Double.NEGATIVE_INFINITY);
        for (int d = 0; d < 24; d += 3) {
            factors.add(new Factor(new int[] {d}, new double[] {Math.log(0.2), Math.log(0.3), Math.log(0.5)}));
            factors.add(new Factor(new int[] {d, d + 1}, copy));
            factors.add(new Factor(new int[] {d, d + 2}, copy));
        }
        Fit fit = new Fitter(new FactorTarget(space, factors)).fit(FitOptions.standard(Family.AUTOREGRESSIVE), Seed.of(1));
        fit.distribution().close();
        // log evidence is 0; chains that stay where they start end at 1 or more below it
        assertThat(fit.bound().value()).isBetween(-0.03, 4 * fit.bound().standardError());
    }

    @Test
    @Tag("slow")
    void anotherOrderIsTakenWhereZerosWouldGoUnseen() throws IOException {
        // bits 0 .. 17 and their partial sums mod 2, 18 .. 34, the last one seen: it forbids half of the 2^18 bits
        int bits = 18;
        CodeSpace space = CodeSpace.uniform(2 * bits - 1, 2);
        double no = Double.NEGATIVE_INFINITY;
        double[] xor = {0, no, no, 0, no, 0, 0, no};
        List<Factor> factors = new ArrayList<>();
        factors.add(new Factor(new int[] {0, 1, bits}, xor));
        for (int i = 2; i < bits; i++) {
            factors.add(new Factor(new int[] {bits + i - 2, i, bits + i - 1}, xor));
        }
        factors.add(new Factor(new int[] {2 * bits - 2}, new double[] {no, 0}));
        FactorTarget target = new FactorTarget(space, factors);
        Fit fit = new Fitter(target).fit(FitOptions.standard(Family.AUTOREGRESSIVE).withSteps(200), Seed.of(1));
        fit.distribution().close();
        assertThat(fit.bound().value()).isCloseTo((bits - 1) * Math.log(2), Offset.offset(0.05));
    }

    @Test
    void oneImpossibleCodeSettlesABound() {
        CodeSpace space = CodeSpace.uniform(20, 2);
        FunctionTarget target = new FunctionTarget(space, x -> x[3] == 0 ? 0 : Double.NEGATIVE_INFINITY);
        Mixture mixture = Mixture.factorised(space, 2);
        int[][] opposite = {new int[20], Arrays.stream(new int[20]).map(zero -> 1).toArray()};
        try (FlowMixture q = new FlowMixture(mixture, space.oneHot(opposite))) {
            assertThat(Bound.of(target, q, 100, Seed.of(1))).isEqualTo(Estimate.exact(Double.NEGATIVE_INFINITY));
        }
    }

    @Test
    @Tag("slow")
    void blackBoxesAreFittedByEvaluationAlone() throws IOException {
        FactorTarget target = field(2);
        FunctionTarget blackBox = new FunctionTarget(target.space(), x -> target.logJoint(new int[][] {x})[0]);
        for (Family family : Family.values()) {
            FitOptions options = FitOptions.standard(family);
            Fit fit = new Fitter(blackBox).fit(options, Seed.of(1));
            fit.distribution().close();
            assertThat(fit.bound().value()).as(family.toString())
                    .isCloseTo(elbo(target, options, 1), Offset.offset(0.05))
                    .isLessThanOrEqualTo(Fields.logEvidence(target) + 1e-9);
        }
        assertThatThrownBy(() -> new Fitter(blackBox).fit(FitOptions.standard(Family.JOINT).unrefined(), Seed.of(1)))
                .hasMessageContaining("no gradient");
    }

    /** x_9 is the parity of the others, which no network learns from samples: some of what it draws is impossible. */
    @Test
    @Tag("slow")
    void blackBoxesWithImpossibleCodesHaveAFiniteBound() throws IOException {
        FunctionTarget parity = new FunctionTarget(CodeSpace.uniform(14, 2), x -> Arrays.stream(x).sum() % 2 == 1
                ? Double.NEGATIVE_INFINITY : -0.3 * Arrays.stream(x).limit(7).sum());
        Fit fit = new Fitter(parity).fit(FitOptions.standard(Family.AUTOREGRESSIVE), Seed.of(1));
        fit.distribution().close();
        // 2^13 codes are possible
        double logEvidence = 7 * Math.log(1 + Math.exp(-0.3)) + 6 * Math.log(2);
        assertThat(fit.bound().value()).isBetween(logEvidence - 1.5, logEvidence + 1e-9);
    }

    @Test
    @Tag("slow")
    void sameSeedGivesTheSameFit() throws IOException {
        FactorTarget target = field(3);
        for (Family family : Family.values()) {
            assertThat(elbo(target, FitOptions.standard(family), 5)).isEqualTo(elbo(target, FitOptions.standard(family), 5));
        }
    }
}
