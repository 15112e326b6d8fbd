package io.mdnf.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.bn.VariableElimination;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PaperCasesTest {

    /** Gumbel-Softmax is a product, so what the paper prints for it, rounded to 0.005, cannot pass the limit. */
    @ParameterizedTest
    @EnumSource
    void publishedGumbelValuesRespectTheMeanFieldLimit(PaperCases test) {
        double limit = test.bestProductKl() - 0.005;
        assertThat(test.strong().gumbel()).isGreaterThanOrEqualTo(limit).isLessThanOrEqualTo(test.weak().gumbel());
        assertThat(test.strong().straightThrough()).isGreaterThanOrEqualTo(limit)
                .isLessThanOrEqualTo(test.weak().straightThrough());
    }

    /** 100 equally weighted atoms are what explains the MDNF column. */
    @ParameterizedTest
    @EnumSource
    void publishedMixtureValuesRespectTheLimitOfAHundredAtoms(PaperCases test) {
        assertThat(test.strong().mdnf() + 0.005).isGreaterThanOrEqualTo(test.limits().equalAtoms(100).kl());
        assertThat(test.weak().mdnf()).isGreaterThanOrEqualTo(test.strong().mdnf());
    }

    @ParameterizedTest
    @EnumSource
    void namesSuitPeopleAndFiles(PaperCases test) {
        assertThat(test.title()).contains("=").doesNotContain("_");
        assertThat(test.id()).matches("[a-z0-9]+(-[a-z0-9]+)*");
        assertThat(test.limits().logEvidence())
                .isCloseTo(VariableElimination.logEvidence(test.evidence()), within(1e-9));
    }
}
