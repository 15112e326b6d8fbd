package io.mdnf.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LogEvidenceTest {

    /** Weights exp(s z - s^2 / 2) have the mean 1: 2,000 trials with one in a million each. */
    @Test
    void theLowerBoundIsOneHoweverWildTheWeightsAre() {
        for (int trial = 0; trial < 2000; trial++) {
            double s = 4.0 * (trial % 5) / 4;
            double[] logWeights = new Draws(Seed.of(trial)).normal("z", 1 + trial % 300);
            Arrays.setAll(logWeights, i -> s * logWeights[i] - s * s / 2);
            LogEvidence known = LogEvidence.of(logWeights, 0);
            assertThat(known.lower()).isLessThanOrEqualTo(1e-12);
            assertThat(known.estimate().value()).isBetween(known.lower(), 0.0);
        }
    }

    /** 100,000 equal weights leave what the chance costs, log(14e6) / 1e5 at most. */
    @Test
    void equalWeightsLeaveNextToNothing() {
        double[] logWeights = new double[100_000];
        Arrays.fill(logWeights, -7.5);
        LogEvidence known = LogEvidence.of(logWeights, -7);
        assertThat(known.lower()).isCloseTo(-7.5, within(2e-4));
        assertThat(known.estimate().value()).isEqualTo(-7.5);
        assertThat(known.upper()).isEqualTo(-7);
    }

    /** Half the samples are impossible: groups still know the mean, 1/2. */
    @Test
    void impossibleSamplesDoNotEndTheBound() {
        double[] logWeights = new double[1 << 14];
        for (int i = 0; i < logWeights.length; i += 2) {
            logWeights[i] = Double.NEGATIVE_INFINITY;
        }
        assertThat(LogEvidence.of(logWeights, 0).lower()).isCloseTo(Math.log(0.5), within(0.01));
    }
}
