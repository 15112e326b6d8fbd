package io.mdnf.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.base.TrainableBase;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Made;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MaximumLikelihoodTest {
    private static final CodeSpace CODES = CodeSpace.of(3, 2, 3);

    /** The third variable follows the first, with noise; the second is a biased coin. */
    private static int[][] codes(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[][] codes = new int[count][];
        for (int i = 0; i < count; i++) {
            int first = random.nextInt(3);
            int third = random.nextDouble() < 0.8 ? first : random.nextInt(3);
            codes[i] = new int[] {first, random.nextDouble() < 0.3 ? 0 : 1, third};
        }
        return codes;
    }

    private static Mixture autoregressive(int components) {
        return new Mixture(Structure.PER_VARIABLE, new ShiftFlow(Made.with(CODES, components).directConnections()
                .build()),
                new TrainableBase(CODES, components), Weighting.EQUAL);
    }

    /** The mean log-likelihood no model can pass: minus the entropy of the empirical distribution. */
    private static double limit(int[][] codes) {
        Map<List<Integer>, Integer> counts = new HashMap<>();
        for (int[] code : codes) {
            counts.merge(Arrays.stream(code).boxed().toList(), 1, Integer::sum);
        }
        return counts.values().stream().mapToDouble(c -> c * Math.log((double) c / codes.length)).sum() / codes.length;
    }

    private static GradientTraining<FlowMixture> fit(Mixture mixture, int[][] train, int steps) {
        return new GradientTraining<>(
                new MaximumLikelihood(mixture, train, MaximumLikelihood.Settings.standard(steps)));
    }

    @Test
    @Tag("slow")
    void anAutoregressiveMixtureComesNearTheLimitThatNothingPasses() {
        int[][] train = codes(2000, 1);
        try (var fit = fit(autoregressive(3), train, 600)) {
            TrainingState end = fit.finish(fit.init(Seed.of(1)));
            double limit = limit(train);
            assertThat(end.best().value()).isLessThanOrEqualTo(limit + 1e-9);
            // The variables' own frequencies, without the tie of first and third, lose their mutual information of
            // log 3 - 0.485 = 0.61 nats; a sixtieth of that says the tie was learned.
            assertThat(end.best().value()).isGreaterThan(limit - 0.01);
            try (FlowMixture q = fit.result(end)) {
                assertThat(MaximumLikelihood.meanLogLikelihood(q, train)).isCloseTo(end.best().value(),
                        within(1e-12));
                assertThat(Arrays.stream(q.table()).sum()).isCloseTo(1, within(1e-12));
                // 2000 codes held out: the difference of means has standard error 0.02; four of them.
                assertThat(MaximumLikelihood.meanLogLikelihood(q, codes(2000, 2))).isCloseTo(limit, within(0.08));
            }
        }
    }

    @Test
    @Tag("slow")
    void aJointMixtureOfProductsIsFittedToo() {
        int[][] train = codes(2000, 1);
        Mixture mixture = new Mixture(Structure.JOINT, new ShiftFlow(new DirectLogits(CODES, 6)),
                new TrainableBase(CODES, 6), Weighting.FREE);
        try (var fit = fit(mixture, train, 600)) {
            TrainingState end = fit.finish(fit.init(Seed.of(2)));
            // One product for each value of the first variable is enough for this distribution.
            assertThat(end.best().value()).isBetween(limit(train) - 0.02, limit(train) + 1e-9);
        }
    }

    @Test
    void codesOutsideTheSpaceAndNoCodesAreRefused() {
        var settings = MaximumLikelihood.Settings.standard(1);
        assertThatThrownBy(() -> new MaximumLikelihood(autoregressive(1), new int[0][], settings))
                .hasMessageContaining("observed is empty");
        assertThatThrownBy(() -> new MaximumLikelihood(autoregressive(1), new int[][] {{0, 2, 0}}, settings))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MaximumLikelihood.Settings.standard(0)).hasMessageContaining("steps = 0");
    }
}
