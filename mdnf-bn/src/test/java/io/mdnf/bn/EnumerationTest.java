package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EnumerationTest {

    @Test
    void codesComeInRowMajorOrderWithTheirLogJoint() {
        Random random = new Random(8);
        for (int trial = 0; trial < 100; trial++) {
            BayesianNetwork network = RandomNetworks.network(random, 1 + random.nextInt(6), 3, 0.2);
            Evidence evidence = RandomNetworks.possibleEvidence(random, network);
            int[] latents = evidence.latents();
            int[] next = {0};
            Enumeration.forEach(evidence, (states, logJoint) -> {
                int index = 0;
                for (int latent : latents) {
                    index = index * network.cardinality(latent) + states[latent];
                }
                assertThat(index).isEqualTo(next[0]++);
                double direct = network.logJoint(states);
                if (direct == Double.NEGATIVE_INFINITY) {
                    assertThat(logJoint).isEqualTo(direct);
                } else {
                    assertThat(logJoint).isCloseTo(direct, within(1e-12));
                }
            });
            assertThat((double) next[0]).isEqualTo(Enumeration.count(evidence));
        }
    }

    /** Sachs without Akt: 3^10 codes; Asia given asia=yes: half of 128 are impossible. */
    @Test
    void numbersOfCodesAreTheKnownOnes() {
        assertThat(Enumeration.logJoints(Evidence.parse(BuiltInNetworks.open("sachs"), "Akt=LOW"))).hasSize(59049);
        assertThat(Enumeration.logJoints(Evidence.parse(BuiltInNetworks.open("asia"), "asia=yes")))
                .hasSize(128).satisfies(v -> assertThat(Arrays.stream(v).filter(Double::isFinite).count())
                        .isEqualTo(64));
    }

    /** 2^53 * 3^10 * 4^6 latent codes. */
    @Test
    void largeNetworksAreRefusedWithTheirCount() {
        Evidence evidence = Evidence.parse(BuiltInNetworks.open("hepar2"), "carcinoma=present");
        assertThatThrownBy(() -> Enumeration.logJoints(evidence)).isInstanceOf(TooLargeException.class)
                .hasMessageContaining("'hepar2'").hasMessageContaining("limit 10,000,000")
                .satisfies(e -> assertThat(((TooLargeException) e).estimate())
                        .isEqualTo(Math.pow(2, 53) * Math.pow(3, 10) * Math.pow(4, 6)));
    }
}
