package io.mdnf.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.VariableElimination;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Product;
import io.mdnf.fit.Family;
import io.mdnf.fit.Fit;
import io.mdnf.fit.Fitter;
import io.mdnf.fit.Plan;
import io.mdnf.random.Seed;
import io.mdnf.space.Estimate;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The check finds what it is there to find. */
class SoundnessTest {

    private static final NetworkTarget ASIA =
            new NetworkTarget(Evidence.parse(BuiltInNetworks.open("asia"), "asia=yes"));
    private static final double LOG_EVIDENCE = VariableElimination.logEvidence(ASIA.evidence());

    private static Fit claiming(CodeDistribution distribution, Estimate bound) {
        return new Fit(Family.FACTORISED, distribution, bound, OptionalInt.of(1), "a claim", null, "", 0, 0,
                List.of(), Optional.empty());
    }

    @Test
    void anHonestFitBreaksNothing() throws IOException {
        try (Fit fit = new Fitter(ASIA, ASIA.order()).fit(new Plan.Exact(), Seed.of(1))) {
            assertThat(Soundness.broken(ASIA, fit, Seed.of(1))).isEmpty();
        }
    }

    @Test
    void aBoundAboveTheEvidenceOrAboveItsOwnWorthIsFound() throws IOException {
        try (Fit product = new Fitter(ASIA, ASIA.order()).fit(Plan.factorised().withComponents(20), Seed.of(1))) {
            for (double lie : new double[] {LOG_EVIDENCE + 0.001, product.bound().value() + 0.001, Double.NaN}) {
                assertThat(Soundness.broken(ASIA, claiming(product.distribution(), Estimate.exact(lie)), Seed.of(1)))
                        .containsOnlyKeys(Soundness.Kind.BOUND);
            }
            // an estimate may be above by its error
            assertThat(Soundness.broken(ASIA, claiming(product.distribution(),
                    new Estimate(product.bound().value() + 0.001, 0.001)), Seed.of(1))).isEmpty();
        }
    }

    @Test
    void impossibleSamplesAreFoundWhateverTheBound() {
        Product uniform = Product.uniform(ASIA.space());
        // half of the codes are impossible, so its ELBO is minus infinity, which is no lie; they are counted all the
        // same
        assertThat(Soundness.broken(ASIA, claiming(uniform, Estimate.exact(Double.NEGATIVE_INFINITY)), Seed.of(1)))
                .containsOnlyKeys(Soundness.Kind.SAMPLE);
        assertThat(Soundness.broken(ASIA, claiming(uniform, Estimate.exact(-100)), Seed.of(1)))
                .containsOnlyKeys(Soundness.Kind.BOUND, Soundness.Kind.SAMPLE);
    }
}
