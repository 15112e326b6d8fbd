package io.mdnf.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.distribution.FlowMixture;
import io.mdnf.mixture.Mixture;
import io.mdnf.random.Seed;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.Fields;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class BvifObjectiveTest {

    private static final int STEPS = 15;

    /**
     * The objective of a new component, (1 - rho) E_old[l] + rho E_new[l], summed by hand over atoms. (The published
     * code has (1 - rho^2) and rho^2 there.)
     */
    @Test
    void secondExpectationIsOverTheNewComponentAlone() {
        FactorTarget target = Fields.random(Seed.of(2), 3, 2, 2);
        Mixture mixture = Mixture.atoms(target.space(), 4);
        try (var bvif = new GradientTraining<>(new Bvif(target, mixture,
                BvifSettings.standard(BvifSettings.Weights.TRAINED).withSteps(STEPS)))) {
            TrainingState state = bvif.init(Seed.of(1));
            int checked = 0;
            while (!bvif.isFinished(state)) {
                TrainingState next = bvif.advance(state, 1);
                int c = (int) (state.step() / STEPS);
                if (c > 0) {
                    double expected = byHand(target, mixture, state);
                    assertThat(next.value()).isCloseTo(expected, Offset.offset(1e-9));
                    checked++;
                }
                state = next;
            }
            assertThat(checked).isGreaterThan(30);
        }
    }

    private static double byHand(FactorTarget target, Mixture mixture, TrainingState state) {
        double[] own = Arrays.copyOf(state.parameters(), mixture.layout().size());
        double logit = state.parameters()[state.parameters().length - 1];
        double rho = 1 / (1 + Math.exp(-logit));
        int c = (int) (state.step() / STEPS);
        int[][] atoms;
        try (FlowMixture q = new FlowMixture(mixture, own)) {
            atoms = q.componentAtoms();
        }
        double[] logJoint = target.logJoint(atoms);
        double old = 0;
        double added = 0;
        for (int b = 0; b <= c; b++) {
            double q = 0;
            for (int other = 0; other <= c; other++) {
                double weight = other == c ? rho : (1 - rho) * state.part("weights")[other];
                q += Arrays.equals(atoms[b], atoms[other]) ? weight : 0;
            }
            double l = q > 0 ? logJoint[b] - Math.log(q) : 0;
            if (b == c) {
                added = l;
            } else {
                old += state.part("weights")[b] * l;
            }
        }
        return (1 - rho) * old + rho * added;
    }
}
