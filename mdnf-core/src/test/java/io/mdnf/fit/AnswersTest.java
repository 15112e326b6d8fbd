package io.mdnf.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.elimination.RandomFactors;
import io.mdnf.evaluation.LogEvidence;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.Lattice;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AnswersTest {

    /**
     * Against the sum over all codes, with tables so small that buckets are split. A lower bound fails once in a
     * million; an estimate is off by more than 5 standard errors, and 0.01 since errors are themselves estimated,
     * hardly ever.
     */
    @Test
    void boundsHoldAndMarginalsAreThoseOfAllCodes() {
        Random random = new Random(11);
        int estimated = 0;
        for (int trial = 0; trial < 60; trial++) {
            RandomFactors drawn = RandomFactors.draw(random, 10, 0.15 * (trial % 2));
            if (drawn.factors().isEmpty()) {
                continue;
            }
            FactorTarget target = new FactorTarget(drawn.space(), drawn.factors());
            Answer answer = new Answers(target, Budget.usual().within(0.01).withTables(trial % 3 == 0 ? 1e6 : 4))
                    .ask(Seed.of(trial));
            double exact = drawn.logSum();
            assertThat(answer.logEvidence().lower()).isLessThanOrEqualTo(exact + 1e-9);
            assertThat(answer.logEvidence().upper()).isGreaterThanOrEqualTo(exact - 1e-9);
            double[] p = LogSpace.normalise(drawn.logJoint());
            double[][] marginals = new double[drawn.space().variables()][];
            for (int d = 0; d < marginals.length; d++) {
                marginals[d] = new double[drawn.space().cardinality(d)];
            }
            for (int i = 0; i < p.length; i++) {
                int[] code = drawn.space().code(i);
                for (int d = 0; d < code.length; d++) {
                    marginals[d][code[d]] += p[i];
                }
            }
            for (int d = 0; d < marginals.length; d++) {
                for (int k = 0; k < marginals[d].length; k++) {
                    double allowed = answer.isExact() ? 1e-9 : 5 * answer.standardErrors()[d][k] + 0.01;
                    assertThat(answer.marginals()[d][k]).isCloseTo(marginals[d][k], within(allowed));
                }
            }
            estimated += answer.isExact() ? 0 : 1;
        }
        assertThat(estimated).as("answers that were estimated").isGreaterThan(15);
    }

    /** A spin glass of 8 x 8 sites with tables of 16 entries and a budget of ten minutes: whoever wants to stop at
     * once gets bounds, samples and the messages of one pass, long before. */
    @Test
    void whoeverStopsGetsWhatIsKnownByThen() {
        FactorTarget glass = Lattice.spinGlass(8, 1, Seed.of(2));
        double exact = glass.reduction().eliminate(1L << 32, "a spin glass", false).value();
        AtomicReference<LogEvidence> told = new AtomicReference<>();
        Answer answer = new Answers(glass, Budget.usual().within(600).withTables(16)).whilst(known -> {
            told.set(known);
            return false;
        }).ask(Seed.of(1));
        assertThat(answer.seconds()).isLessThan(300);
        assertThat(answer.isExact()).isFalse();
        for (LogEvidence known : List.of(told.get(), answer.logEvidence())) {
            assertThat(known.lower()).isLessThanOrEqualTo(exact);
            assertThat(known.upper()).isGreaterThanOrEqualTo(exact);
        }
    }

    /** Stopped as soon as chains have moved: some offer is taken by then, and never more than all. */
    @Test
    @Tag("slow")
    void whoeverListensHearsHowManyOffersChainsTake() {
        FactorTarget glass = Lattice.spinGlass(10, 1, Seed.of(2));
        List<Double> accepted = new ArrayList<>();
        new Answers(glass, Budget.usual().within(60).withTables(8)).with(Effort.standard().withSteps(20)).closely()
                .telling(step -> accepted.add(step.accepted())).whilst(known -> accepted.size() < 10).ask(Seed.of(1));
        assertThat(accepted).hasSizeGreaterThanOrEqualTo(10).anyMatch(share -> share > 0)
                .allMatch(share -> Double.isNaN(share) || share >= 0 && share <= 1);
    }
}
