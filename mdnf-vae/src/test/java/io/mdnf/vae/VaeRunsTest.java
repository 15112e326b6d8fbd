package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trainings that share a plan give what each gives alone. */
@Tag("slow")
@Timeout(120)
class VaeRunsTest {

    static Stream<VaeSettings> settings() {
        VaeSettings small = VaeSettings.of(3, 3).withHidden(12, 8).withLooking(6).withBatch(8, 3e-3);
        return Stream.of(small, small.withAlgorithm(LatentAlgorithm.MDNF, 1), VaeSettings
                .plain(LatentAlgorithm.MDNF, 3, 3, 4).withHidden(12, 8).withBatch(8, 1e-3));
    }

    private static DigitImages images() {
        int[] grey = new Draws(Seed.of(1)).uniform("pixels", 20 * 16, 256);
        byte[] pixels = new byte[grey.length];
        IntStream.range(0, grey.length).forEach(i -> pixels[i] = (byte) grey[i]);
        return DigitImages.of(4, 4, pixels);
    }

    private static TrainingState trained(VaeTraining task, int run) {
        try (GradientTraining<TrainedVae> training = new GradientTraining<>(task)) {
            TrainingState half = training.advance(training.init(Seed.of(run)), 3);
            // a checkpoint is that of a training by itself
            return training.finish(training.restore(training.save(half)));
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void everyRunIsThatOfItsSeedAlone(VaeSettings settings) throws Exception {
        List<VaeTraining> tasks = VaeTraining.together(settings, images(), 2, 3);
        List<CompletableFuture<TrainingState>> ends = Stream.generate(CompletableFuture<TrainingState>::new).limit(3)
                .toList();
        for (int run = 0; run < 3; run++) {
            int own = run;
            new Thread(() -> {
                try {
                    ends.get(own).complete(trained(tasks.get(own), own));
                } catch (RuntimeException e) {
                    ends.get(own).completeExceptionally(e);
                }
            }).start();
        }
        for (int run = 0; run < 3; run++) {
            TrainingState together = ends.get(run).get();
            TrainingState alone = trained(new VaeTraining(settings, images(), 2), run);
            assertThat(together.step()).isEqualTo(alone.step()).isEqualTo(6);
            assertThat(together.value()).isCloseTo(alone.value(), Offset.offset(1e-3));
            double[] own = together.parameters();
            double[] expected = alone.parameters();
            for (int i = 0; i < own.length; i++) {
                // Adam divides by the size of gradients, which rounding alone decides where they are near 0
                assertThat(own[i]).as("run " + run + ", parameter " + i).isCloseTo(expected[i], Offset.offset(1e-3));
            }
        }
    }

    @Test
    void oneRunOrShardsAreRefused() {
        VaeSettings settings = VaeSettings.of(3, 3).withBatch(8, 3e-3);
        assertThatThrownBy(() -> VaeTraining.together(settings, images(), 1, 1)).hasMessageContaining("runs = 1");
        assertThatThrownBy(() -> VaeTraining.together(settings.withShards(2), images(), 1, 2))
                .hasMessageContaining("shards = 2");
    }
}
