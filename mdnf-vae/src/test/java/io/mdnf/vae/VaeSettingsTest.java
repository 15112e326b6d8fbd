package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.mixture.Estimator;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VaeSettingsTest {

    @ParameterizedTest
    @EnumSource(LatentAlgorithm.class)
    void everySettingSurvivesAManifest(LatentAlgorithm method) {
        int categories = method == LatentAlgorithm.DISARM ? 2 : 4;
        VaeSettings settings = VaeSettings.plain(method, 3, categories, 5).withHead(FlowHead.PAPER)
                .withEstimator(method.isFlow() ? Estimator.CHOSEN : Estimator.AVERAGED)
                .withPixels(PixelKind.DYNAMIC).withHidden(7, 6, 5).withBatch(9, 0.02)
                .withTemperature(3, 0.01, 0.1).withShuffled(false);
        assertThat(VaeSettings.of(settings.toMap())).isEqualTo(settings);
        VaeSettings relaxed = VaeSettings.plain(LatentAlgorithm.GUMBEL, 3, 4, 5).withStraightThrough(true)
                .withPrior(CodePrior.LEARNED);
        assertThat(VaeSettings.of(relaxed.toMap())).isEqualTo(relaxed);
        VaeSettings best = VaeSettings.of(3, 4).withAlgorithm(LatentAlgorithm.MDNF, 1).withComponents(7).withLooking(5)
                .withNormalised(false).withDecaying(false).withWarmUp(0.5).withCentred(false)
                .withOptimiser(UpdateRule.RADAM).withChannels(3, 5);
        assertThat(VaeSettings.of(best.toMap())).isEqualTo(best);
        VaeSettings moved = VaeSettings.of(3, 2).withMoved(true);
        assertThat(VaeSettings.of(moved.toMap())).isEqualTo(moved);
    }

    @Test
    void aBadManifestIsNamed() {
        Map<String, String> map = new HashMap<>(VaeSettings.plain(LatentAlgorithm.MDNF, 3, 4, 5).toMap());
        map.put("head", "tall");
        assertThatThrownBy(() -> VaeSettings.of(map)).hasMessage("the setting head = tall cannot be read");
        map.remove("head");
        assertThatThrownBy(() -> VaeSettings.of(map)).hasMessage("there is no setting 'head'");
    }

    @Test
    void impossibleSettingsAreRefusedByName() {
        assertThatThrownBy(() -> VaeSettings.plain(LatentAlgorithm.MDNF, 0, 2, 5))
                .hasMessage("latents = 0: at least 1");
        assertThatThrownBy(() -> VaeSettings.plain(LatentAlgorithm.MDNF, 2, 2, 5).withStraightThrough(true))
                .hasMessageContaining("a choice of Gumbel algorithms only");
        assertThatThrownBy(() -> VaeSettings.plain(LatentAlgorithm.JANG, 2, 2, 1).withPrior(CodePrior.LEARNED))
                .hasMessageContaining("maddison-22");
        assertThatThrownBy(() -> VaeSettings.of(13, 2).withPosterior(Posterior.EXACT)).hasMessageContaining("4096");
        assertThatThrownBy(() -> VaeSettings.of(20, 2).withPosterior(Posterior.JOINT))
                .hasMessageContaining("its flows are counted");
        assertThatThrownBy(() -> VaeSettings.of(20, 2).withEstimator(Estimator.CHOSEN))
                .hasMessageContaining("flows without number");
        assertThatThrownBy(() -> VaeSettings.of(3, 2).withAlgorithm(LatentAlgorithm.REINFORCE, 1))
                .hasMessageContaining("at least 2");
        assertThatThrownBy(() -> VaeSettings.of(20, 10).withMoved(true)).hasMessageContaining("for reinforce");
        assertThatThrownBy(() -> VaeSettings.of(3, 2).withAlgorithm(LatentAlgorithm.GUMBEL, 1))
                .hasMessageContaining("for a product");
        assertThatThrownBy(() -> VaeSettings.of(3, 4).withAlgorithm(LatentAlgorithm.VQ, 1))
                .hasMessage("algorithm = vq: for a product");
        assertThatThrownBy(() -> VaeSettings.plain(LatentAlgorithm.DISARM, 3, 4, 1))
                .hasMessage("categories = 4: 2 for disarm");
        assertThatThrownBy(() -> VaeSettings.plain(LatentAlgorithm.SUMMED, 13, 2, 1))
                .hasMessageContaining("at most 4096");
    }
}
