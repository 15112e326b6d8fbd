package io.mdnf.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.checkpoint.CheckpointFolder;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Tensor;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Mixture;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.Fields;
import io.mdnf.target.TargetModel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunTest {

    private static final FactorTarget TARGET = Fields.random(Seed.of(4), 3, 2, 3, 2);

    @TempDir
    Path folder;

    private static GradientTraining<FlowMixture> vif(int steps) {
        Mixture mixture = Mixture.factorised(TARGET.space(), 12);
        return new GradientTraining<>(new Vif(TARGET, mixture, VifSettings.forMixture(mixture, steps)));
    }

    @Test
    void interruptedRunResumesToTheSameEnd() throws IOException {
        double[] whole;
        try (var vif = vif(150)) {
            whole = new Run<>(vif, Seed.of(1)).execute(false).parameters();
        }
        try (var vif = vif(150)) {
            Run<TrainingState> first = new Run<>(vif, Seed.of(1)).checkpoints(folder, 20).reportEvery(10);
            first.listener(new RunListener() {
                private boolean enough;

                @Override
                public void onProgress(Algorithm.Info info) {
                    enough = info.step() >= 70;
                }

                @Override
                public boolean wantsStop() {
                    return enough;
                }
            });
            assertThat(first.execute(true).step()).isEqualTo(70);
        }
        try (var vif = vif(150)) {
            TrainingState end = new Run<>(vif, Seed.of(999)).checkpoints(folder, 20).execute(true);
            assertThat(end.step()).isEqualTo(150);
            assertThat(end.parameters()).containsExactly(whole);
        }
        assertThat(CheckpointFolder.look(folder).files()).hasSize(3);
    }

    @Test
    void metricsHaveARowPerReportAlsoAfterResuming() throws IOException {
        Path csv = folder.resolve("metrics.csv");
        try (var vif = vif(100)) {
            Run<TrainingState> run = new Run<>(vif, Seed.of(1)).checkpoints(folder.resolve("checkpoints"), 40)
                    .reportEvery(10);
            run.listener(new MetricsCsv(csv)).listener(new RunListener() {
                @Override
                public void onProgress(Algorithm.Info info) {
                    if (info.step() == 50) {
                        // as if killed: the metrics are ahead of the last checkpoint
                        throw new IllegalStateException("killed");
                    }
                }
            });
            assertThatThrownBy(() -> run.execute(true)).hasMessage("killed");
        }
        try (var vif = vif(100)) {
            new Run<>(vif, Seed.of(1)).checkpoints(folder.resolve("checkpoints"), 40).reportEvery(10)
                    .listener(new MetricsCsv(csv)).execute(true);
        }
        List<String> steps = Files.readAllLines(csv).stream().map(line -> line.split(",")[0]).toList();
        assertThat(steps).containsExactly("step", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100");
    }

    /** A target whose graph is the field's times a huge number: the first updates overflow. */
    private record Exploding(FactorTarget field, double factor) implements TargetModel {
        @Override
        public CodeSpace space() {
            return field.space();
        }

        @Override
        public double[] logJoint(int[][] codes) {
            return field.logJoint(codes);
        }

        @Override
        public boolean isDifferentiable() {
            return true;
        }

        @Override
        public Tensor logJoint(Graph graph, Tensor codes) {
            return field.logJoint(graph, codes).times(factor).exp();
        }
    }

    @Test
    void divergenceEndsTheRunNamesThePlaceAndNeverReachesACheckpoint() throws IOException {
        Mixture mixture = Mixture.factorised(TARGET.space(), 12);
        VifSettings settings = VifSettings.forMixture(mixture, 50);
        settings = settings.withTraining(settings.training().withOptimiser(new Optimiser.Sgd(), 1));
        AtomicReference<DivergenceException> told = new AtomicReference<>();
        try (var vif = new GradientTraining<>(new Vif(new Exploding(TARGET, 400), mixture, settings))) {
            Run<TrainingState> run = new Run<>(vif, Seed.of(1)).checkpoints(folder, 1).reportEvery(1)
                    .listener(new RunListener() {
                @Override
                public void onDivergence(DivergenceException problem) {
                    told.set(problem);
                }
            });
            assertThatThrownBy(() -> run.execute(true)).isInstanceOf(DivergenceException.class)
                    .hasMessageContaining("step").hasMessageContaining("temperature").hasMessageContaining("component");
        }
        assertThat(told.get()).hasMessageContaining("the last good state is kept");
        var latest = CheckpointFolder.look(folder).latest();
        latest.ifPresent(l -> assertThat(Arrays.stream(l.checkpoint().parameters()).allMatch(Double::isFinite))
                .isTrue());
    }

    @Test
    void fewerThanNoStepsAreRefused() {
        assertThatThrownBy(() -> StopRule.maxSteps(-1)).hasMessageContaining("steps = -1");
        assertThatThrownBy(() -> vif(-5)).hasMessageContaining("-5");
        TrainingSettings settings = VifSettings.forMixture(Mixture.factorised(TARGET.space(), 2), 5).training();
        assertThatThrownBy(() -> settings.withDecay(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> settings.withEvaluations(-1)).hasMessageContaining("evaluateEvery = -1");
    }

    /** Runs to the end, saving often and telling its steps, so that a parent can kill it anywhere. */
    static final class CrashProbe {
        static final int STEPS = 600;

        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[0]);
            try (var vif = wild()) {
                Files.writeString(
                        folder.resolve("end"), Arrays.toString(run(vif, folder, info -> System.out.println("step"))));
            }
        }

        /**
         * Learns so fast that the best is far from the end, at step 260: most that is resumed has to bring it along.
         */
        static GradientTraining<FlowMixture> wild() {
            Mixture mixture = Mixture.factorised(TARGET.space(), 12);
            VifSettings settings = VifSettings.forMixture(mixture, STEPS);
            return new GradientTraining<>(new Vif(TARGET, mixture, settings.withTraining(
                    settings.training().withOptimiser(new Optimiser.RmsProp(), 0.5).withEvaluations(20))));
        }

        static double[] run(GradientTraining<FlowMixture> vif, Path folder, Consumer<Algorithm.Info> progress)
                throws IOException {
            TrainingState end = new Run<>(vif, Seed.of(1)).checkpoints(folder.resolve("checkpoints"), 7).reportEvery(3)
                    .listener(new RunListener() {
                        @Override
                        public void onProgress(Algorithm.Info info) {
                            progress.accept(info);
                        }
                    }).execute(true);
            assertThat(end.best().step()).isBetween(1L, STEPS / 2L);
            return everything(end);
        }

        /** All numbers of a state but the time it took. */
        private static double[] everything(TrainingState s) {
            return Stream.of(new double[] {s.step(), s.updates(), s.value(), s.best().value(), s.best().step()},
                    s.parameters(), s.best().parameters(), Arrays.stream(s.optimiser()).flatMapToDouble(Arrays::stream)
                            .toArray()).flatMapToDouble(Arrays::stream).toArray();
        }
    }

    /**
     * What a kill leaves is what stands on the disk at that moment, so twenty copies of a running run's folder, taken
     * at any moment within a step or a save, stand for twenty kills; the next test kills in earnest.
     */
    @Test
    @Tag("slow")
    void whatStandsOnTheDiskAtTwentyRandomMomentsGoesOnToTheSameEnd() throws Exception {
        UniformRandomProvider rng = new Draws(Seed.of(8)).stream("moments");
        ExecutorService copier = Executors.newSingleThreadExecutor();
        List<Future<Path>> copies = new ArrayList<>();
        Path running = Files.createDirectory(folder.resolve("running"));
        try (var vif = CrashProbe.wild()) {
            double[] whole = CrashProbe.run(vif, running, info -> {
                if (info.step() >= 27L * (copies.size() + 1) && copies.size() < 20) {
                    int number = copies.size();
                    copies.add(copier.submit(() -> {
                        TimeUnit.MICROSECONDS.sleep(rng.nextInt(4000));
                        return copy(running, folder.resolve("copy" + number));
                    }));
                }
            });
            copier.shutdown();
            assertThat(copies).hasSize(20);
            for (Future<Path> copy : copies) {
                long[] resumed = new long[1];
                double[] end = CrashProbe.run(vif, copy.get(), info -> resumed[0]++);
                assertThat(resumed[0]).as("reports after resuming").isLessThan(CrashProbe.STEPS / 3);
                assertThat(end).containsExactly(whole);
            }
        }
    }

    /** As it stands: files that come and go while it is copied are left out, as a listing a moment later would. */
    private static Path copy(Path from, Path to) throws IOException {
        Path checkpoints = Files.createDirectories(to.resolve("checkpoints"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from.resolve("checkpoints"))) {
            for (Path file : files) {
                try {
                    Files.copy(file, checkpoints.resolve(file.getFileName()));
                } catch (NoSuchFileException e) {
                    Files.deleteIfExists(checkpoints.resolve(file.getFileName()));
                }
            }
        }
        return to;
    }

    @Test
    @Tag("slow")
    void killedTwiceItEndsBitEqual() throws Exception {
        double[] whole;
        try (var vif = CrashProbe.wild()) {
            whole = CrashProbe.run(vif, Files.createDirectory(folder.resolve("whole")), info -> { });
        }
        Path killed = Files.createDirectory(folder.resolve("killed"));
        UniformRandomProvider rng = new Draws(Seed.of(8)).stream("kills");
        int kills = 0;
        while (!Files.exists(killed.resolve("end"))) {
            Process child = launch(killed);
            // the second kill comes after step 260, whose parameters are the best
            int after = 45 + rng.nextInt(40);
            BufferedReader out = new BufferedReader(new InputStreamReader(child.getInputStream()));
            int lines = 0;
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (kills < 2 && line.startsWith("step") && ++lines == after) {
                    Thread.sleep(rng.nextInt(4), rng.nextInt(999_999));
                    child.destroyForcibly();
                    kills++;
                    break;
                }
            }
            child.waitFor();
        }
        assertThat(kills).isEqualTo(2);
        assertThat(Files.readString(killed.resolve("end"))).isEqualTo(Arrays.toString(whole));
    }

    private static Process launch(Path where) throws IOException {
        ProcessBuilder probe = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                CrashProbe.class.getName(), where.toString()).redirectError(ProcessBuilder.Redirect.DISCARD);
        probe.environment().put("OMP_NUM_THREADS", "1");
        return probe.start();
    }
}
