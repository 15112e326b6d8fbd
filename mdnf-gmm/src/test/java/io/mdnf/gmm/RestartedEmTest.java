package io.mdnf.gmm;

import io.mdnf.training.StopRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.training.Algorithm;
import io.mdnf.training.Run;
import io.mdnf.training.RunListener;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RestartedEmTest {
    private static final BayesianGaussianMixture MIXTURE =
            BayesianGaussianMixture.standard(GaussianMixtureData.artificial(0), 3);

    private static final StopRule STOP = StopRule.any(StopRule.maxSteps(5), StopRule.converged(1e-7, 3));

    @TempDir
    Path folder;

    private static RestartedEm em(String eStep) {
        Optional<FlowSettings> flows = eStep.equals("closed form") ? Optional.empty()
                : Optional.of(FlowSettings.standard(FlowSettings.Algorithm.valueOf(eStep), 4).withIterations(10, 3));
        return new RestartedEm(MIXTURE, MixtureStart.RANDOM_POINTS, 3, STOP, flows);
    }

    /** 3 starts of 3 to 5 steps: stops fall within starts, and right where one begins. */
    @ParameterizedTest
    @ValueSource(strings = {"closed form", "VIF", "BVIF"})
    @Tag("slow")
    void stoppedAfterEveryStepItEndsBitEqual(String eStep) throws IOException {
        RestartedEm.End whole;
        try (RestartedEm em = em(eStep)) {
            whole = em.result(new Run<>(em, Seed.of(1)).reportEvery(1).execute(false));
        }
        RestartedEm.End resumed = null;
        int rounds = 0;
        while (resumed == null && rounds < 20) {
            rounds++;
            try (RestartedEm em = em(eStep)) {
                RestartedEm.State state = new Run<>(em, Seed.of(1)).checkpoints(folder, 100).reportEvery(1)
                        .listener(new OneStep()).execute(true);
                resumed = em.isFinished(state) ? em.result(state) : null;
            }
        }
        assertThat(rounds).isBetween(9, 16);
        assertThat(resumed.em().responsibilities().flat()).containsExactly(whole.em().responsibilities().flat());
        assertThat(resumed.em().elbo()).isEqualTo(whole.em().elbo());
        assertThat(resumed.start()).isEqualTo(whole.start());
        assertThat(resumed.before()).isEqualTo(whole.before());
    }

    private static final class OneStep implements RunListener {
        private boolean stepped;

        @Override
        public void onProgress(Algorithm.Info info) {
            stepped = true;
        }

        @Override
        public boolean wantsStop() {
            return stepped;
        }
    }

    @Test
    void theBestOfAllStartsIsKept() throws IOException {
        double[] best = {Double.NEGATIVE_INFINITY};
        try (RestartedEm em = em("closed form")) {
            RestartedEm.State end = new Run<>(em, Seed.of(2)).execute(false);
            for (int start = 0; start < 3; start++) {
                best[0] = Math.max(best[0], VariationalEm.closedForm(MIXTURE, STOP)
                        .fit(em.start(Seed.of(2), start), state -> { }).elbo());
            }
            assertThat(em.result(end).em().elbo()).isEqualTo(best[0]);
            assertThat(em.info(end).bestElbo()).isEqualTo(best[0]);
        }
    }

    @Test
    void aRunWithoutStartsIsRefused() {
        assertThatThrownBy(() -> new RestartedEm(MIXTURE, MixtureStart.K_MEANS, 0, VariationalEm.STANDARD,
                Optional.empty())).hasMessageContaining("starts = 0");
    }
}
