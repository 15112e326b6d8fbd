package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.checkpoint.Checkpoint;
import io.mdnf.file.CsvFile;
import io.mdnf.graph.Threads;
import io.mdnf.mixture.Estimator;
import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.ParameterAveraging;
import io.mdnf.training.Run;
import io.mdnf.training.TrainingState;
import io.mdnf.work.Workers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VaeTrainingTest {

    private static final DigitImages IMAGES = Patterns.images(200);
    /** log p(x) of the best model: 16 equally likely patterns. */
    private static final double BEST = -Math.log(16);

    static Stream<VaeSettings> everyMethod() {
        VaeSettings mdnf = Patterns.settings(LatentAlgorithm.MDNF);
        return Stream.concat(
                Stream.of(mdnf, mdnf.withHead(FlowHead.PAPER), mdnf.withEstimator(Estimator.CHOSEN),
                        mdnf.withEstimator(Estimator.AVERAGED),
                        mdnf.withPrior(CodePrior.LEARNED), mdnf.withPixels(PixelKind.DYNAMIC),
                        mdnf.withPosterior(Posterior.JOINT), Patterns.settings(LatentAlgorithm.SUMMED),
                        Patterns.settings(LatentAlgorithm.MADDISON_22).withPrior(CodePrior.LEARNED),
                        Patterns.best(), Patterns.best().withShards(2), Patterns.best().withChannels(8, 16),
                        Patterns.best().withPosterior(Posterior.EXACT),
                        Patterns.best().withEstimator(Estimator.AVERAGED).withPrior(CodePrior.LEARNED)
                                .withTemperature(1, 0, 1),
                        Patterns.best().withPosterior(Posterior.PRODUCT).withNormalised(false),
                        mdnf.withPosterior(Posterior.AUTOREGRESSIVE).withPrior(CodePrior.AUTOREGRESSIVE),
                        // 16 codes among 3 x 32 drawn ones, and among 2 x 4
                        Patterns.best().withAlgorithm(LatentAlgorithm.REINFORCE, 3),
                        Patterns.best().withAlgorithm(LatentAlgorithm.REINFORCE, 2).withBatch(4, 1e-2),
                        Patterns.best().withAlgorithm(LatentAlgorithm.WAKE_SLEEP, 3),
                        Patterns.settings(LatentAlgorithm.GAPPED), Patterns.settings(LatentAlgorithm.RAO_GUMBEL),
                        Patterns.best().withAlgorithm(LatentAlgorithm.GAPPED, 1).withTemperature(1, 0, 1),
                        Patterns.best().withAlgorithm(LatentAlgorithm.RAO_GUMBEL, 1).withTemperature(1, 0, 1),
                        Patterns.binary(LatentAlgorithm.DISARM),
                        Patterns.binary(LatentAlgorithm.DISARM).withPrior(CodePrior.AUTOREGRESSIVE),
                        Patterns.settings(LatentAlgorithm.VQ), Patterns.settings(LatentAlgorithm.FSQ),
                        Patterns.settings(LatentAlgorithm.VQ).withPrior(CodePrior.AUTOREGRESSIVE)),
                Stream.of(LatentAlgorithm.values()).filter(LatentAlgorithm::isRelaxed).map(Patterns::settings)
                        .flatMap(s -> Stream.of(s, s.withStraightThrough(true))));
    }

    /** A training and where it stands. */
    private record Trained(VaeTraining task, GradientTraining<TrainedVae> training, TrainingState state)
            implements AutoCloseable {

        TrainedVae model() {
            return training.result(state);
        }

        double epochObjective() {
            return task.epochObjective(state);
        }

        double[] objectives(DigitImages some, int repeats, Seed noise) {
            return task.objectives(state, some, repeats, noise);
        }

        @Override
        public void close() {
            training.close();
        }
    }

    private static Trained train(VaeSettings settings, int epochs) {
        VaeTraining task = new VaeTraining(settings, IMAGES, epochs);
        GradientTraining<TrainedVae> training = new GradientTraining<>(task);
        return new Trained(task, training, training.finish(training.init(Seed.of(1))));
    }

    @ParameterizedTest
    @MethodSource("everyMethod")
    @Tag("slow")
    void everyBoundIsABoundAndTrainingRaisesIt(VaeSettings settings) {
        double before;
        try (Trained untrained = train(settings, 0);
                TrainedVae vae = untrained.model()) {
            before = vae.evaluate(IMAGES, Seed.of(2), 1, 0, false).elbo().value();
        }
        try (Trained training = train(settings, 30); TrainedVae vae = training.model()) {
            VaeEvaluation found = vae.evaluate(IMAGES, Seed.of(2), 20, 20, true);
            double truth = found.logLikelihood().orElseThrow().value();
            // the standard error is over images; the mean of 4,000 sampled terms errs by far less than 4 of them
            assertThat(found.elbo().value()).isLessThan(truth + 4 * found.elbo().standardError() + 1e-4);
            assertThat(found.importanceWeighted().orElseThrow().value())
                    .isLessThan(truth + 4 * found.elbo().standardError() + 1e-4)
                    .isGreaterThan(found.elbo().value() - 4 * found.elbo().standardError() - 1e-4);
            assertThat(found.elbo().value()).isCloseTo(found.reconstruction() - found.kl(), within(1e-9));
            // untrained: about -16 log 2 = -11 nats; without a code -9; flows of the paper's head still agree too much
            assertThat(found.elbo().value()).isGreaterThan(settings.head() == FlowHead.PAPER ? -12 : before + 1);
            assertThat(truth).isLessThan(BEST + 0.3);
        }
    }

    @Test
    @Tag("slow")
    void theSampledBoundIsTheExpectationOverAllCodes() {
        VaeSettings settings = Patterns.settings(LatentAlgorithm.MDNF);
        try (Trained training = train(settings, 5); TrainedVae vae = training.model()) {
            VaeEvaluation one = vae.evaluate(IMAGES, Seed.of(2), 2000, 0, false);
            VaeEvaluation other = vae.evaluate(IMAGES, Seed.of(5), 2000, 0, false);
            // 400,000 likelihoods of a few nats' deviation: 0.01 is more than 4 standard errors of the difference
            assertThat(one.elbo().value()).isCloseTo(other.elbo().value(), within(0.02));
            assertThat(one.kl()).isEqualTo(other.kl());
        }
    }

    @Test
    @Tag("slow")
    void theObjectiveOfFlowsIsTheBoundThatIsEvaluated() {
        VaeSettings settings = Patterns.settings(LatentAlgorithm.MDNF).withBatch(32, 1e-12).withShuffled(false);
        // with a rate of nearly 0 the model stays, so that the objective's mean over steps is the model's ELBO
        VaeTraining task = new VaeTraining(settings, IMAGES, 240);
        try (var training = new GradientTraining<>(task)) {
            TrainingState state = training.init(Seed.of(1));
            double mean = 0;
            for (int epoch = 0; epoch < 240; epoch++) {
                state = training.advance(state, task.stepsPerEpoch());
                mean += epoch < 40 ? 0 : task.epochObjective(state) / 200;
            }
            TrainedVae vae = training.result(state);
            double evaluated = vae.evaluate(IMAGES, Seed.of(2), 500, 0, false).elbo().value();
            // 40,000 sampled terms of deviation below 1: standard error 0.005
            assertThat(mean).isCloseTo(evaluated, within(0.025));
        }
    }

    @Test
    @Tag("slow")
    void theExactMethodFindsTheBestModel() {
        try (Trained training = train(Patterns.settings(LatentAlgorithm.SUMMED).withBatch(32, 1e-2), 100);
                TrainedVae vae = training.model()) {
            VaeEvaluation found = vae.evaluate(IMAGES, Seed.of(2), 1, 0, true);
            assertThat(found.logLikelihood().orElseThrow().value()).isCloseTo(BEST, within(0.05));
            assertThat(found.elbo().value()).isCloseTo(BEST, within(0.05));
        }
    }

    @ParameterizedTest
    @MethodSource("everyMethod")
    @Tag("slow")
    void resumedAnywhereItEndsWithTheSameParameters(VaeSettings settings, @TempDir Path folder) throws IOException {
        double[] whole;
        double objective;
        try (Trained training = train(settings, 3)) {
            whole = training.state.parameters();
            objective = training.epochObjective();
        }
        try (var training = new GradientTraining<>(new VaeTraining(settings, IMAGES, 3))) {
            // 10 steps: into the second epoch of 7 steps
            training.save(training.advance(training.init(Seed.of(1)), 10)).write(folder.resolve("checkpoint"));
        }
        VaeTraining task = new VaeTraining(settings, IMAGES, 3);
        try (var training = new GradientTraining<>(task)) {
            TrainingState end = training.finish(training.restore(Checkpoint.read(folder.resolve("checkpoint"))));
            assertThat(end.parameters()).isEqualTo(whole);
            assertThat(task.epochObjective(end)).isEqualTo(objective);
        }
    }

    @Test
    void otherImagesOrSettingsAreNotResumed() {
        VaeSettings settings = Patterns.settings(LatentAlgorithm.SUMMED);
        Checkpoint saved;
        try (Trained training = train(settings, 1)) {
            saved = training.training.save(training.state);
        }
        byte[] other = IMAGES.toArray();
        other[0] = (byte) ~other[0];
        try (var images = new GradientTraining<>(new VaeTraining(settings, DigitImages.of(4, 4, other), 1));
                var prior = new GradientTraining<>(
                        new VaeTraining(settings.withPrior(CodePrior.LEARNED), IMAGES, 1))) {
            assertThatThrownBy(() -> images.restore(saved)).hasMessageContaining("images was 200 ");
            assertThatThrownBy(() -> prior.restore(saved))
                    .hasMessageContaining("settings.prior was uniform, is learned");
        }
    }

    @Test
    void everyImageIsSeenOnceAnEpoch() {
        // 200 images in batches of 32: six full batches and one of 8; the mean must weigh images, not batches
        VaeSettings settings = Patterns.settings(LatentAlgorithm.SUMMED).withBatch(32, 1e-12);
        try (Trained training = train(settings, 1);
                Trained inOne = train(settings.withBatch(200, 1e-12), 1)) {
            assertThat(training.epochObjective()).isCloseTo(inOne.epochObjective(), within(1e-4));
        }
    }

    @Test
    @Tag("slow")
    void objectivesAreWhatAStepWouldSeeAndNothingIsLearned() {
        // in the file's order and with one batch, a step sees what objectives is given
        VaeSettings settings = Patterns.settings(LatentAlgorithm.MDNF).withBatch(200, 1e-12).withShuffled(false);
        try (Trained training = train(settings, 3)) {
            double[] before = training.state.parameters().clone();
            double[] values = training.objectives(IMAGES, 100, Seed.of(3));
            assertThat(training.state.parameters()).isEqualTo(before);
            assertThat(training.state.step()).isEqualTo(3);
            assertThat(training.objectives(IMAGES, 100, Seed.of(3))).isEqualTo(values);
            assertThat(values).doesNotHaveDuplicates();
            double mean = Arrays.stream(values).average().orElseThrow();
            double deviation = Math.sqrt(Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / 99);
            try (Trained longer = train(settings, 4)) {
                // 6 standard deviations: once in 10^9 by chance
                assertThat(longer.epochObjective()).isCloseTo(mean, within(6 * deviation));
            }
            // with 200 images in batches of 32 and one of 8 the mean is over images
            try (VaeTraining batches = new VaeTraining(settings.withBatch(32, 1e-12), IMAGES, 1)) {
                double other = Arrays.stream(batches.objectives(training.state, IMAGES, 100, Seed.of(4))).average()
                        .orElseThrow();
                assertThat(other).isCloseTo(mean, within(deviation));
            }
        }
    }

    @Test
    void theObjectiveOfTheExactMethodHasNoNoise() {
        try (Trained training = train(Patterns.settings(LatentAlgorithm.SUMMED), 1)) {
            double[] values = training.objectives(IMAGES, 2, Seed.of(3));
            assertThat(values[0]).isEqualTo(values[1]);
            assertThatThrownBy(() -> training.objectives(DigitImages.of(1, 1, new byte[1]), 1, Seed.of(3)))
                    .hasMessageContaining("16 pixels");
        }
    }

    @Test
    void itLearnsTheSameWhereNoProcessorIsFreeToPrepareTheNextBatch() throws Exception {
        VaeSettings settings = Patterns.settings(LatentAlgorithm.MDNF);
        int processors = Runtime.getRuntime().availableProcessors();
        CountDownLatch busy = new CountDownLatch(processors);
        CountDownLatch done = new CountDownLatch(1);
        List<Thread> threads = Stream.generate(() -> new Thread(() -> {
            try (Threads running = Threads.one()) {
                busy.countDown();
                done.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        })).limit(processors).toList();
        try (Trained free = train(settings, 3)) {
            threads.forEach(Thread::start);
            busy.await();
            assertThat(Threads.leaveProcessor()).isFalse();
            try (Trained crowded = train(settings, 3)) {
                assertThat(crowded.state.parameters()).isEqualTo(free.state.parameters());
            }
        } finally {
            done.countDown();
        }
    }

    @Test
    void shardsOfABatchLearnWhatTheWholeWouldLearn() {
        // nothing is drawn and no layer is normalised: only the order of sums differs; 200 images leave a batch of 8
        VaeSettings settings = Patterns.settings(LatentAlgorithm.SUMMED);
        try (Trained whole = train(settings, 3); Trained parts = train(settings.withShards(4), 3)) {
            assertThat(parts.epochObjective()).isCloseTo(whole.epochObjective(), within(1e-4));
            assertThat(parts.state.parameters()).containsExactly(whole.state.parameters(), within(1e-4));
        }
    }

    @Test
    void shardsThatLearnApartAreAveragedAlikeWhoeverTrainsThem() throws Exception {
        // 225 images in batches of 4 x 8: the last step has one for the first shard and none for the others
        DigitImages images = Patterns.images(225);
        VaeSettings settings = Patterns.best().withShards(4).withAverageEvery(3);
        TrainingState here;
        VaeTraining task = new VaeTraining(settings, images, 2);
        try (ParameterAveraging<TrainedVae> training = new ParameterAveraging<>(task, Workers.here(2))) {
            assertThat(task.stepsPerEpoch()).isEqualTo(8);
            here = new Run<>(training, Seed.of(1)).reportEvery(8).execute(false);
            try (TrainedVae vae = training.result(here)) {
                assertThat(vae.evaluate(images, Seed.of(2), 1, 0, false).elbo().value())
                        .isGreaterThan(training.info(here).elbo() - 1);
            }
            Checkpoint saved = training.save(here);
            assertThat(training.restore(saved).parameters()).isEqualTo(here.parameters());
        }
        try (VaeTraining whole = new VaeTraining(settings, images, 2);
                GradientTraining<TrainedVae> first = new GradientTraining<>(whole)) {
            TrainingState at = first.init(Seed.of(1));
            List<ParameterAveraging.Shard> shards = whole.shardsOfData();
            for (int steps : new int[] {3, 3, 2, 3, 3, 2}) {
                List<TrainingState> ends = new ArrayList<>();
                for (int s = 0; s < 4; s++) {
                    // as if it were elsewhere, and new there in every round
                    TrainingState from = copy(at);
                    try (GradientTraining<?> part = new GradientTraining<>(copy(shards.get(s)).open())) {
                        ends.add(copy(part.advance(new TrainingState(from.seed().fold("shard").fold(s), from.step(),
                                from.parameters(), from.optimiser(), from.updates(), from.value(), from.best(),
                                from.parts(), 0), steps)));
                    }
                }
                at = mean(at, ends);
            }
            assertThat(at.parameters()).isEqualTo(here.parameters());
            assertThat(at.optimiser()).isDeepEqualTo(here.optimiser());
            at.parts().forEach((name, values) -> assertThat(here.part(name)).isEqualTo(values));
            assertThatThrownBy(() -> first.finish(first.init(Seed.of(1)))).hasMessageContaining("ParameterAveraging");
        }
    }

    private static TrainingState mean(TrainingState from, List<TrainingState> ends) {
        TrainingState one = ends.get(0);
        double[] parameters = mean(ends, TrainingState::parameters, true);
        double[][] optimiser = new double[one.optimiser().length][];
        Arrays.setAll(optimiser, slot -> mean(ends, end -> end.optimiser()[slot], true));
        Map<String, double[]> parts = new TreeMap<>();
        one.parts().keySet().forEach(name -> parts.put(name, mean(ends, end -> end.part(name), false)));
        return new TrainingState(from.seed(), one.step(), parameters, optimiser, one.updates(), 0,
                new TrainingState.Best(parameters, Double.NEGATIVE_INFINITY, one.step()), parts, 0);
    }

    private static double[] mean(List<TrainingState> ends, Function<TrainingState, double[]> vector, boolean single) {
        double[] mean = new double[vector.apply(ends.get(0)).length];
        for (int i = 0; i < mean.length; i++) {
            double sum = 0;
            for (TrainingState end : ends) {
                sum += vector.apply(end)[i];
            }
            mean[i] = single ? (float) (sum / ends.size()) : sum / ends.size();
        }
        return mean;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Serializable> T copy(T value) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }

    @Test
    void everyKindOfRowsArrivesAsItWasSent() throws Exception {
        CsvFile people = People.file(People.rows(30, Seed.of(1)), 0.1, Seed.of(2));
        TableRows table = TableRows.of(TableSchema.guess(people, Map.of(), Set.of()), people);
        for (ImageRows rows : List.of(IMAGES.first(30), ImageRows.of(new float[30][4]).shaped(2, 2), table)) {
            ImageRows some = copy(rows.chosen(3, 1, 20));
            assertThat(some.count()).isEqualTo(3);
            assertThat(some.shape()).isEqualTo(rows.shape());
            assertThat(some.schema()).isEqualTo(rows.schema());
            assertThat(some.read(new int[] {0, 1, 2})).isEqualTo(rows.read(new int[] {3, 1, 20}));
        }
        assertThat(copy(table.shown(Seed.of(1))).floats()).isEqualTo(table.shown(Seed.of(1)).floats());
    }

    @Test
    void aDivergingTrainingSaysSo() {
        VaeSettings wild = Patterns.settings(LatentAlgorithm.MADDISON_22).withBatch(32, 1e30);
        assertThatThrownBy(() -> train(wild, 5).close()).hasMessageContaining("the objective is");
    }

    @Test
    void reconstructionsOfATrainedModelShowTheImage() {
        try (Trained training = train(Patterns.settings(LatentAlgorithm.SUMMED).withBatch(32, 1e-2), 100);
                TrainedVae vae = training.model()) {
            float[] seen = vae.reconstruct(IMAGES.first(20), Seed.of(1));
            float[] originals = IMAGES.first(20).floats();
            int right = 0;
            for (int i = 0; i < seen.length; i++) {
                if (seen[i] > 0.5 == originals[i] > 0.5) {
                    right++;
                }
            }
            assertThat(right).isEqualTo(20 * 16);
            assertThat(vae.codes(IMAGES.first(20), Seed.of(1))).hasDimensions(20, 2);
            assertThat(vae.sample(5, Seed.of(1))).hasSize(80);
        }
    }

    @Test
    void aCentredDecoderStartsAtTheMeanImageWithPlainLayersToo() {
        VaeSettings plain = Patterns.settings(LatentAlgorithm.FSQ);
        try (VaeTraining task = new VaeTraining(plain.withCentred(true), IMAGES, 1)) {
            double[] bias = task.plan().layout().read("decoder/bias" + (plain.hidden().size() + 1),
                    task.initial(Seed.of(1)));
            assertThat(bias).isEqualTo(new PixelLikelihood(IMAGES.shape()).first(IMAGES));
        }
    }
}
