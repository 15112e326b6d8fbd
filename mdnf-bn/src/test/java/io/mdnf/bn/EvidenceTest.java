package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvidenceTest {

    private static final BayesianNetwork ODD = BayesianNetwork.of("odd", List.of(
            new Node("age", List.of("<5", ">=65", "5,6", "a\"b"), List.of(), new double[] {0.25, 0.25, 0.25, 0.25}),
            new Node("x=y, z", List.of(" blank ", "n\\o"), List.of(), new double[] {0.5, 0.5}),
            new Node("plain", List.of("on", "off"), List.of(), new double[] {0.5, 0.5})));

    @Test
    void textGivesStatesByName() {
        Evidence evidence = Evidence.parse(BuiltInNetworks.open("asia"), " asia = yes , xray=no ");
        BayesianNetwork asia = evidence.network();
        assertThat(evidence.state(asia.indexOf("asia"))).isZero();
        assertThat(evidence.state(asia.indexOf("xray"))).isEqualTo(1);
        assertThat(evidence.latents()).containsExactly(1, 2, 3, 4, 5, 7);
        assertThat(evidence.complete(new int[] {1, 0, 1, 0, 1, 0})).containsExactly(0, 1, 0, 1, 0, 1, 1, 0);
        assertThat(evidence).hasToString("asia=yes,xray=no");
        assertThat(Evidence.parse(asia, " ")).isEqualTo(Evidence.none(asia));
    }

    @Test
    void comparisonSignsNeedNoQuotes() {
        assertThat(Evidence.parse(ODD, "age=>=65,plain=on").state(0)).isEqualTo(1);
        assertThat(Evidence.parse(ODD, "age=<5").state(0)).isZero();
    }

    @Test
    void everyEvidenceReadsBackFromItsText() {
        for (String age : ODD.node(0).states()) {
            for (String blank : ODD.node(1).states()) {
                Evidence evidence = Evidence.of(ODD, Map.of("age", age, "x=y, z", blank));
                assertThat(Evidence.parse(ODD, evidence.toString())).isEqualTo(evidence);
            }
        }
    }

    @Test
    void wrongNamesAreRefusedWithTheNearestAndTheAllowed() {
        BayesianNetwork asia = BuiltInNetworks.open("asia");
        assertThatThrownBy(() -> Evidence.parse(asia, "xrya=yes")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no variable 'xrya' (did you mean 'xray'?)");
        assertThatThrownBy(() -> Evidence.parse(asia, "xray=Yes"))
                .hasMessage("variable 'xray' has no state 'Yes' (did you mean 'yes'?), allowed states: 'yes', 'no'");
        assertThatThrownBy(() -> Evidence.parse(asia, "xray=positive"))
                .hasMessage("variable 'xray' has no state 'positive', allowed states: 'yes', 'no'");
    }

    @Test
    void brokenTextIsRefused() {
        BayesianNetwork asia = BuiltInNetworks.open("asia");
        for (String text : List.of("asia", "asia=", "=yes", "asia=yes,", ",asia=yes", "asia=yes,asia=yes",
                "asia=yes xray=no", "\"asia=yes", "\"asia\"x=yes", "asia=\"yes\"no", "asia=yes,,xray=no")) {
            assertThatThrownBy(() -> Evidence.parse(asia, text)).as(text)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void askingForALatentStateIsRefused() {
        Evidence none = Evidence.none(ODD);
        assertThatThrownBy(() -> none.state(0)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'age' was not observed");
        assertThatThrownBy(() -> none.complete(new int[2])).hasMessageContaining("length 2, expected 3");
    }
}
