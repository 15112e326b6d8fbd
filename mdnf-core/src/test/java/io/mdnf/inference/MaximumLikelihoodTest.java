package io.mdnf.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.base.TrainableBase;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.mixture.Mixture;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Made;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
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

    private static MaximumLikelihoodState run(MaximumLikelihood fit, MaximumLikelihoodState from) {
        MaximumLikelihoodState state = from;
        while (!fit.isFinished(state)) {
            state = fit.advance(state, 37);
        }
        return state;
    }

    @Test
    @Tag("slow")
    void anAutoregressiveMixtureComesNearTheLimitThatNothingPasses() {
        int[][] train = codes(2000, 1);
        try (MaximumLikelihood fit =
                new MaximumLikelihood(autoregressive(3), train, MaximumLikelihood.Settings.standard(600))) {
            MaximumLikelihoodState end = run(fit, fit.init(Seed.of(1)));
            double limit = limit(train);
            assertThat(end.bestLogLikelihood()).isLessThanOrEqualTo(limit + 1e-9);
            // The variables' own frequencies, without the tie of first and third, lose their mutual information of
            // log 3 - 0.485 = 0.61 nats; a sixtieth of that says the tie was learned.
            assertThat(end.bestLogLikelihood()).isGreaterThan(limit - 0.01);
            try (FlowMixture q = fit.result(end)) {
                assertThat(MaximumLikelihood.meanLogLikelihood(q, train)).isCloseTo(end.bestLogLikelihood(),
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
        try (MaximumLikelihood fit = new MaximumLikelihood(mixture, train, MaximumLikelihood.Settings.standard(600))) {
            MaximumLikelihoodState end = run(fit, fit.init(Seed.of(2)));
            // One product for each value of the first variable is enough for this distribution.
            assertThat(end.bestLogLikelihood()).isBetween(limit(train) - 0.02, limit(train) + 1e-9);
        }
    }

    @Test
    @Tag("slow")
    void aSavedAndRestoredRunEndsWithTheSameParameters() {
        int[][] train = codes(300, 3);
        MaximumLikelihood.Settings settings = MaximumLikelihood.Settings.standard(60);
        try (MaximumLikelihood fit = new MaximumLikelihood(autoregressive(2), train, settings);
                MaximumLikelihood other = new MaximumLikelihood(autoregressive(2), train, settings)) {
            MaximumLikelihoodState whole = run(fit, fit.init(Seed.of(5)));
            MaximumLikelihoodState half = other.advance(other.init(Seed.of(5)), 30);
            MaximumLikelihoodState resumed = run(other, other.restore(fit.save(half)));
            assertThat(resumed.parameters()).isEqualTo(whole.parameters());
            assertThat(resumed.bestLogLikelihood()).isEqualTo(whole.bestLogLikelihood());
            assertThat(fit.info(whole).step()).isEqualTo(60);
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
