package io.mdnf.gmm;

import io.mdnf.training.StopRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.gmm.FlowSettings.Keep;
import io.mdnf.gmm.FlowSettings.Algorithm;
import io.mdnf.random.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FlowEmTest {
    private static final BayesianGaussianMixture MIXTURE =
            BayesianGaussianMixture.standard(GaussianMixtureData.artificial(0), 3);

    private static final Map<String, double[]> GAPS = new HashMap<>();

    private static EmState start(int seed) {
        return MixtureStart.RANDOM_POINTS.of(MIXTURE, new SplittableRandom(seed));
    }

    private static EmState closedForm(EmState from) {
        return VariationalEm.closedForm(MIXTURE, VariationalEm.STANDARD).fit(from, state -> { });
    }

    private static EmState flows(FlowSettings settings, StopRule stop, EmState from, List<EmState> seen) {
        try (VariationalEm em = VariationalEm.byFlows(MIXTURE, settings, stop, Seed.of(1))) {
            return em.fit(from, seen::add);
        }
    }

    /** What flows lose against the closed form from the same ten starts, in nats, computed once. */
    private static double[] gaps(Algorithm algorithm, int components) {
        return GAPS.computeIfAbsent(algorithm + " " + components, absent -> IntStream.range(0, 10).mapToDouble(seed -> {
            EmState from = start(seed);
            EmState end = flows(FlowSettings.standard(algorithm, components), VariationalEm.STANDARD, from,
                    new ArrayList<>());
            return closedForm(from).elbo() - end.elbo();
        }).toArray());
    }

    static Stream<FlowSettings> settings() {
        return Stream.of(
                FlowSettings.standard(Algorithm.VIF, 1),
                FlowSettings.standard(Algorithm.VIF, 7),
                FlowSettings.standard(Algorithm.VIF, 5).withKeep(Keep.PER_POINT),
                FlowSettings.standard(Algorithm.VIF, 5).withKeep(Keep.OVERALL),
                FlowSettings.standard(Algorithm.VIF, 5).withKeep(Keep.PER_POINT).withAlpha(0.1),
                FlowSettings.published(Algorithm.VIF, 5).withIterations(60, 20),
                FlowSettings.standard(Algorithm.BVIF, 1),
                FlowSettings.standard(Algorithm.BVIF, 6),
                FlowSettings.standard(Algorithm.BVIF, 6).withKeep(Keep.OVERALL));
    }

    @ParameterizedTest
    @MethodSource("settings")
    @Tag("slow")
    void elboNeverFallsAndTheClosedFormStartedAtItsEndIsAtLeastAsHigh(FlowSettings settings) {
        List<EmState> states = new ArrayList<>();
        EmState end = flows(settings, StopRule.maxSteps(8), start(3), states);
        for (int i = 2; i < states.size(); i++) {
            // Rounding of sums of about 1e3 nats; the published E-step's samples do not enter the reported bound.
            assertThat(states.get(i).elbo()).isGreaterThanOrEqualTo(states.get(i - 1).elbo() - 1e-8);
        }
        assertThat(MIXTURE.elbo(end.posterior(), end.responsibilities()).total()).isCloseTo(end.elbo(), within(1e-9));
        // Coordinate ascent from there cannot fall, whichever optimum the flows went to.
        assertThat(closedForm(end).elbo()).isGreaterThanOrEqualTo(end.elbo() - 1e-9);
    }

    @ParameterizedTest
    @CsvSource({"VIF, 5, 8", "VIF, 40, 1.5", "BVIF, 5, 8"})
    @Tag("slow")
    void endsNearTheClosedFormFromTheSameStart(Algorithm algorithm, int components, double nats) {
        // Medians of the gap over ten starts; an ideal 5 leaves about 6 and an ideal 40 about 1 for equal weights.
        double[] gaps = gaps(algorithm, components).clone();
        Arrays.sort(gaps);
        assertThat((gaps[4] + gaps[5]) / 2).as(Arrays.toString(gaps)).isLessThan(nats);
    }

    /** Coarse responsibilities alone rest early: without the finer mixture some starts lose more than 20 nats. */
    @Test
    @Tag("slow")
    void coarseMixturesDoNotRestFarFromTheClosedForm() {
        double[] gaps = gaps(Algorithm.VIF, 5);
        for (int seed = 0; seed < gaps.length; seed++) {
            assertThat(gaps[seed]).as("start " + seed).isBetween(-1e-6, 6.0);
        }
    }

    @Test
    @Tag("slow")
    void equalWeightsGiveMultiplesOfOneOverB() {
        for (Keep keep : Keep.values()) {
            EmState end = flows(FlowSettings.standard(Algorithm.VIF, 4).withKeep(keep), StopRule.maxSteps(3), start(1),
                    new ArrayList<>());
            for (double[] row : end.responsibilities().toArray()) {
                for (double r : row) {
                    // The graph computes in single precision.
                    assertThat(r * 4).isCloseTo(Math.rint(r * 4), within(1e-5));
                }
            }
        }
    }

    @Test
    @Tag("slow")
    void gradientsAloneComeCloseToTheBestMultiples() {
        // One E-step from scratch, without refinement, at parameters where many points are shared by two clusters.
        EmState at = closedForm(start(4));
        AllocationBound bound = new AllocationBound(3, at.posterior().expectedLogJoint(MIXTURE.data()));
        FlowSettings settings = FlowSettings.standard(Algorithm.VIF, 20).withKeep(Keep.PER_POINT)
                .withIterations(400, 400);
        try (FlowExpectation flows = FlowExpectation.of(300, 3, settings, Seed.of(1))) {
            double[] r = flows.fit(bound, flows.initial(Seed.of(2)), null, 0, Seed.of(3)).responsibilities();
            double limit = bound.of(bound.bestMultiples(20));
            double hard = bound.of(bound.bestMultiples(1));
            // Where one flow alone loses tens of nats, the fit is within one.
            assertThat(limit - hard).isGreaterThan(20);
            assertThat(bound.of(r)).isBetween(limit - 1, limit + 1e-3);
        }
    }

    @Test
    void bestMultiplesEqualEnumeration() {
        SplittableRandom random = new SplittableRandom(5);
        int atoms = 6;
        for (int trial = 0; trial < 200; trial++) {
            double[] logRho = random.doubles(3).map(u -> -8 * u).toArray();
            AllocationBound bound = new AllocationBound(3, logRho);
            double best = Double.NEGATIVE_INFINITY;
            for (int i = 0; i <= atoms; i++) {
                for (int j = 0; i + j <= atoms; j++) {
                    best = Math.max(best, bound.of(new double[] {
                        (double) i / atoms, (double) j / atoms, (double) (atoms - i - j) / atoms}));
                }
            }
            assertThat(bound.of(bound.bestMultiples(atoms))).isCloseTo(best, within(1e-12));
        }
    }

    @Test
    @Tag("slow")
    void boostedParametersSayWhatTheMixtureIs() {
        List<EmState> states = new ArrayList<>();
        EmState end = flows(FlowSettings.standard(Algorithm.BVIF, 4), StopRule.maxSteps(4), start(2), states);
        AllocationBound any = new AllocationBound(3, new double[900]);
        double[] r = BoostedAtoms.of(any, 4, states.get(states.size() - 1).flow()).mixture();
        for (int i = 0; i < r.length; i++) {
            assertThat(r[i]).isCloseTo(end.responsibilities().get(i / 3, i % 3), within(1e-9));
        }
    }

    @Test
    @Tag("slow")
    void sameSeedGivesTheSameRunFromAnyState() {
        FlowSettings settings = FlowSettings.published(Algorithm.VIF, 3).withIterations(20, 20);
        List<EmState> one = new ArrayList<>();
        flows(settings, StopRule.maxSteps(3), start(1), one);
        List<EmState> two = new ArrayList<>();
        flows(settings, StopRule.maxSteps(3), start(1), two);
        assertThat(two.get(3).flow()).isEqualTo(one.get(3).flow());
        try (VariationalEm em = VariationalEm.byFlows(MIXTURE, settings, StopRule.maxSteps(3), Seed.of(1))) {
            assertThat(em.step(one.get(2)).flow()).isEqualTo(one.get(3).flow());
        }
    }

    @Test
    void settingsThatDoNotGoTogetherAreRefused() {
        assertThatThrownBy(() -> FlowSettings.standard(Algorithm.VIF, 0)).hasMessageContaining("components = 0");
        assertThatThrownBy(() -> FlowSettings.standard(Algorithm.BVIF, 2).withKeep(Keep.PER_POINT))
                .hasMessageContaining("shared by all points");
        assertThatThrownBy(() -> FlowSettings.standard(Algorithm.VIF, 2).withAlpha(1))
                .hasMessageContaining("alpha = 1.0").hasMessageContaining("REFINED");
    }
}
