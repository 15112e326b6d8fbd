package io.mdnf.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.distribution.Conditionals;
import io.mdnf.elimination.MiniBucketPlan;
import io.mdnf.elimination.MiniBuckets;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.search.OfferedChains;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.RandomField;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ConditionalsLearnerTest {

    private static final FactorTarget FIELD = RandomField.pairwise(Seed.of(4), CodeSpace.of(2, 3, 2, 2, 3, 2, 2, 2));
    private static final double LOG_EVIDENCE = LogSpace.sumExp(FIELD.logJoint(FIELD.space().all()));

    /** Every variable is linked to every other, and no table may look at more than three. */
    private static Conditionals bounded() {
        List<int[]> scopes = FIELD.factors().stream().map(Factor::variables).toList();
        return Conditionals.of(new MiniBuckets(FIELD.space(), FIELD.factors(), MiniBucketPlan.of(FIELD.space(), scopes,
                IntStream.range(0, FIELD.space().variables()).toArray(), 12)));
    }

    private static SortedMap<Integer, int[]> everythingBefore(Conditionals q) {
        SortedMap<Integer, int[]> seen = new TreeMap<>();
        for (int place = 1; place < FIELD.space().variables(); place++) {
            seen.put(place, Arrays.copyOf(q.order(), place));
        }
        return seen;
    }

    private static double kl(Conditionals q) {
        return LOG_EVIDENCE - Bound.of(FIELD, q, 2, Seed.of(1)).value();
    }

    /** From chains alone where what is even enough is more than all samples can be worth. */
    private static Effort.Correction effort(double even) {
        return new Effort.Correction(8, 0.02, 100, 50, 2e7, 48, 300, 30, 5, 1e9, 4, even, 50, 10, 0.5, 0.8);
    }

    @Test
    void correctionsStartAtNothingAndLearnWhatTheSplitLost() {
        Conditionals q = bounded();
        var task = new ConditionalsLearner(FIELD, q, 0, everythingBefore(q), 100, 300,
                ConditionalsLearner.First.OFFERED, effort(2));
        try (GradientTraining<Conditionals> training = new GradientTraining<>(task)) {
            TrainingState first = training.init(Seed.of(2));
            assertThat(kl(training.result(first))).isCloseTo(kl(q), within(1e-9));
            Conditionals learned = training.result(training.finish(first));
            assertThat(kl(q)).as("what there is to learn").isGreaterThan(0.1);
            assertThat(kl(learned)).isLessThan(0.2 * kl(q));
            goesOn(learned);
        }
    }

    /** A second stage by weights of q's own draws, from where the first ended. */
    private static void goesOn(Conditionals learned) {
        var task = new ConditionalsLearner(FIELD, learned, 1, everythingBefore(learned), 100, 600,
                ConditionalsLearner.First.OFFERED, effort(0));
        try (GradientTraining<Conditionals> training = new GradientTraining<>(task)) {
            TrainingState first = training.init(Seed.of(3));
            // parameters are floats
            assertThat(kl(training.result(first))).isCloseTo(kl(learned), within(1e-5));
            assertThat(kl(training.result(training.finish(first)))).isLessThan(kl(learned));
        }
    }

    /** 4,000 chains after 30 moves: each marginal within 4.5 standard errors of independent codes, 19 of them. */
    @Test
    @Tag("slow")
    void chainsThatQMakesOffersToFollowThePosterior() {
        Conditionals q = bounded();
        int n = 4000;
        OfferedChains chains = OfferedChains.start(FIELD, q, n, Effort.standard().correction(), Seed.of(3));
        for (int move = 0; move < 30; move++) {
            Seed own = Seed.of(4).fold(move);
            chains = chains.next(q, OfferedChains.Offers.of(FIELD, q, n, own), 0, own);
        }
        assertThat(chains.accepted()).isGreaterThan(0.1);
        double[] p = LogSpace.normalise(FIELD.logJoint(FIELD.space().all()));
        for (int d = 0; d < FIELD.space().variables(); d++) {
            for (int k = 0; k < FIELD.space().cardinality(d); k++) {
                double expected = 0;
                for (int i = 0; i < p.length; i++) {
                    expected += FIELD.space().code(i)[d] == k ? p[i] : 0;
                }
                int variable = d;
                int category = k;
                double found = Arrays.stream(chains.codes()).filter(code -> code[variable] == category).count()
                        / (double) n;
                assertThat(found).isCloseTo(expected, within(4.5 * Math.sqrt(expected * (1 - expected) / n) + 1e-9));
            }
        }
    }
}
