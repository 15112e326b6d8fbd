package io.mdnf.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.VariableElimination;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Mixture;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import org.junit.jupiter.api.Tag;
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

    /**
     * VIF on conditionals, last iterate, no search and no best-so-far: far below every product where averaged gradients
     * end at 0.6 and 1.2 nats, and at the best iterate. The eight cases are in decision 18.
     */
    @ParameterizedTest
    @EnumSource(names = {"ASIA_XRAY", "EARTHQUAKE_TRUE"})
    @Tag("slow")
    void gradientsAloneFindConditionalsThatNoProductReaches(PaperCases test) {
        NetworkTarget target = test.target();
        Mixture mixture = Mixture.autoregressive(target.space(), 100, target.order());
        VifSettings settings = VifSettings.forMixture(mixture, 700);
        try (var training = new GradientTraining<>(new Vif(target, mixture, settings))) {
            TrainingState end = training.finish(training.init(Seed.of(1)));
            try (FlowMixture last = new FlowMixture(mixture, end.parameters())) {
                double bound = Bound.of(target, last, 2, Seed.of(1)).value();
                assertThat(test.limits().logEvidence() - bound).isLessThan(0.02).isLessThan(test.bestProductKl());
                assertThat(bound).isGreaterThan(end.best().value() - 0.02);
            }
        }
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
