package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.distribution.FlowMixture;
import io.mdnf.evaluation.KlLimits;
import io.mdnf.mixture.Mixture;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.training.TemperatureSchedule;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FactorisedVifTest {

    private static NetworkTarget target(String network, String observed) {
        return new NetworkTarget(Evidence.parse(BuiltInNetworks.open(network), observed));
    }

    /** One optimum, so a single start finds it; B = 100 leaves 0.0005 to the best product. */
    @Test
    @Tag("slow")
    void everyTemperatureOfAtLeastOneReachesTheBestProduct() {
        NetworkTarget target = target("cancer", "Cancer=True");
        double limit = KlLimits.of(target.space(), Enumerated.logJoints(target.evidence()))
                .products(8, Seed.of(1)).get(0).kl();
        List<TemperatureSchedule> schedules =
                List.of(TemperatureSchedule.constant(1), TemperatureSchedule.constant(100));
        try (FactorisedVif vif = new FactorisedVif(target, 100, schedules)) {
            double[] start = vif.start(Seed.of(1));
            for (FactorisedVif.Best best : vif.run(new double[][] {start, start}, 600, 50, false, (step, now) -> { })) {
                assertThat(best.figures().kl()).isBetween(limit, limit + 0.005);
            }
        }
    }

    /** The logits are those of the factorised mixture, whose bound is computed elsewhere. */
    @Test
    @Tag("slow")
    void theBestIsAPosteriorOfTheFactorisedMixture() {
        NetworkTarget target = target("sachs", "Akt=LOW");
        try (FactorisedVif vif = new FactorisedVif(target, 20, List.of(TemperatureSchedule.constant(1)))) {
            double[][] starts = {vif.start(Seed.of(2))};
            FactorisedVif.Best best = vif.run(starts, 30, 10, true, (step, now) -> { })[0];
            try (FlowMixture q = new FlowMixture(Mixture.factorised(target.space(), 20), best.logits())) {
                assertThat(best.figures().elbo())
                        .isCloseTo(Bound.of(target, q, 10, Seed.of(1)).value(), within(1e-9));
            }
        }
    }

    @Test
    @Tag("slow")
    void theWatcherSeesEveryEvaluation() {
        try (FactorisedVif vif = new FactorisedVif(target("cancer", "Cancer=False"), 10,
                List.of(TemperatureSchedule.constant(1)))) {
            StringBuilder seen = new StringBuilder();
            double[][] starts = {vif.start(Seed.of(2))};
            vif.run(starts, 25, 10, false, (step, now) -> seen.append(step).append(' '));
            assertThat(seen).hasToString("0 10 20 25 ");
        }
    }
}
