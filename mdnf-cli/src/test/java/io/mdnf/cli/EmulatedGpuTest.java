package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.graph.Precision;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Mixture;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingTask;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.LatentAlgorithm;
import io.mdnf.vae.Posterior;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** What a training step costs on a GPU in calls, counted by the emulated one of the profile emulated-gpu. */
@EnabledIfEnvironmentVariable(named = "EMULATED_GPU_COUNTERS", matches = ".+")
class EmulatedGpuTest {

    /** What emulated-gpu/runtime.cpp counts, in its order. */
    private enum Counter {
        LAUNCHES, PRODUCTS, MALLOCS, FREES, BLOCKS, BYTES, TO_DEVICE, TO_HOST, WITHIN, MIGRATIONS, SYNCS, MISSING
    }

    private static long[] read() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(System.getenv("EMULATED_GPU_COUNTERS")));
        long[] counts = new long[Counter.values().length];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(counts);
        return counts;
    }

    /** What a step costs: that of 2 n steps less that of n, so that what surrounds them does not count. */
    private record Cost(long[] counts, int steps) {
        static Cost of(long[] start, long[] middle, long[] end, int steps) {
            long[] counts = new long[end.length];
            Arrays.setAll(counts, i -> end[i] - middle[i] - (middle[i] - start[i]));
            return new Cost(counts, steps);
        }

        @Override
        public String toString() {
            return calls() + " launches and products, " + of(Counter.SYNCS) + " synchronisations, "
                    + of(Counter.MALLOCS) + " mallocs a step";
        }

        double of(Counter counter) {
            return (double) counts[counter.ordinal()] / steps;
        }

        double calls() {
            return of(Counter.LAUNCHES) + of(Counter.PRODUCTS);
        }
    }

    /** Waits until ND4J has released what earlier tests left behind. */
    private static void settle() throws IOException {
        long before = -1;
        for (long blocks = count(Counter.BLOCKS); blocks != before; blocks = count(Counter.BLOCKS)) {
            before = blocks;
            System.gc();
            LockSupport.parkNanos(200_000_000);
        }
    }

    private static long count(Counter counter) throws IOException {
        return read()[counter.ordinal()];
    }

    private static <R> Cost cost(TrainingTask<R> task, int steps) throws IOException {
        return cost(task, steps, 2);
    }

    private static <R> Cost cost(TrainingTask<R> task, int steps, int fetched) throws IOException {
        try (GradientTraining<R> training = new GradientTraining<>(task)) {
            TrainingState state = training.advance(training.init(Seed.of(1)), 2);
            settle();
            long[] start = read();
            state = training.advance(state, steps);
            long[] middle = read();
            training.advance(state, 2 * steps);
            long[] end = read();
            Cost cost = Cost.of(start, middle, end, steps);
            System.out.println(task.plan() + ": " + cost);
            assertThat(cost.of(Counter.MALLOCS)).as("mallocs").isZero();
            assertThat(cost.of(Counter.TO_DEVICE)).as("sent: what is fed").isEqualTo(1);
            assertThat(cost.of(Counter.TO_HOST)).as("fetched: the objective, and whether all is finite")
                    .isEqualTo(fetched);
            assertThat(end[Counter.BLOCKS.ordinal()]).as("live blocks").isEqualTo(middle[Counter.BLOCKS.ordinal()]);
            assertThat(end[Counter.MISSING.ordinal()]).as("missing kernels")
                    .isEqualTo(start[Counter.MISSING.ordinal()]);
            return cost;
        }
    }

    private static VaeTraining autoencoder(VaeSettings settings, int images) {
        return new VaeTraining(settings, digits(images), 1000);
    }

    private static DigitImages digits(int images) {
        int[] grey = new Draws(Seed.of(1)).uniform("pixels", images * 784, 256);
        byte[] pixels = new byte[grey.length];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) grey[i];
        }
        return DigitImages.of(28, 28, pixels);
    }

    private static Vif sachs() {
        NetworkTarget target = new NetworkTarget(Evidence.parse(BuiltInNetworks.open("sachs"), "Akt=LOW"));
        Mixture mixture = Mixture.atoms(target.space(), 40);
        VifSettings settings = VifSettings.forMixture(mixture, 1_000_000);
        return new Vif(target, mixture,
                settings.withTraining(settings.training().withEvaluations(0).withPrecision(Precision.FLOAT)));
    }

    @Test
    void aStepOfAnAutoencoderTakes160CallsAndAllocatesNothing() throws IOException {
        Cost cost = cost(autoencoder(VaeSettings.plain(LatentAlgorithm.MDNF, 10, 2, 40), 512), 1);
        assertThat(cost.calls()).isLessThanOrEqualTo(160);
        assertThat(cost.of(Counter.SYNCS)).isLessThanOrEqualTo(400);
    }

    @Test
    void aLargerOneTakes200() throws IOException {
        Cost cost = cost(autoencoder(VaeSettings.plain(LatentAlgorithm.MDNF, 20, 10, 40), 512), 1);
        assertThat(cost.calls()).isLessThanOrEqualTo(200);
    }

    /** The code is drawn on the device, variable after variable; its hidden sums grow by a product for each. */
    @Test
    void aPosteriorThatDrawsVariableAfterVariableTakes12MoreForEach() throws IOException {
        VaeSettings product = VaeSettings.plain(LatentAlgorithm.MDNF, 20, 10, 40);
        double without = cost(autoencoder(product, 512), 1).calls();
        double more = cost(autoencoder(product.withPosterior(Posterior.AUTOREGRESSIVE), 512), 1).calls() - without;
        assertThat(more / 20).isLessThanOrEqualTo(12);
        VaeSettings usual = VaeSettings.of(20, 10);
        // layers are normalised: all means and variances of the batch are fetched at once
        double usually = cost(autoencoder(usual.withPosterior(Posterior.PRODUCT), 512), 1, 3).calls();
        assertThat((cost(autoencoder(usual, 512), 1, 3).calls() - usually) / 20).isLessThanOrEqualTo(12);
    }

    @Test
    void aStepOfSachsTakes110CallsAndAllocatesNothingIn200Steps() throws IOException {
        Cost cost = cost(sachs(), 200);
        assertThat(cost.calls()).isLessThanOrEqualTo(110);
        assertThat(cost.of(Counter.SYNCS)).isLessThanOrEqualTo(250);
    }

    @Test
    void aResumedTrainingIsBitEqual() {
        try (GradientTraining<?> training = new GradientTraining<>(sachs())) {
            TrainingState start = training.init(Seed.of(1));
            TrainingState half = training.restore(training.save(training.advance(start, 5)));
            double[] resumed = training.advance(half, 5).parameters();
            assertThat(training.advance(start, 10).parameters()).containsExactly(resumed);
        }
    }

    @Test
    void plansStayOnTheirDeviceWhateverThreadRunsThem() throws Exception {
        try (GradientTraining<?> training = new GradientTraining<>(sachs())) {
            TrainingState state = training.advance(training.init(Seed.of(1)), 2);
            long[] before = read();
            for (int thread = 0; thread < 3; thread++) {
                TrainingState from = state;
                CompletableFuture<TrainingState> next = new CompletableFuture<>();
                new Thread(() -> next.complete(training.advance(from, 2))).start();
                state = next.get();
            }
            assertThat(read()[Counter.MIGRATIONS.ordinal()]).isEqualTo(before[Counter.MIGRATIONS.ordinal()]);
        }
    }
}
