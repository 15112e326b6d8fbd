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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
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
                @Override
                public void onProgress(Algorithm.Info info) {
                    if (info.step() >= 70) {
                        first.interrupt();
                    }
                }
            });
            assertThat(first.execute(true).step()).isEqualTo(70);
            assertThat(first.isInterrupted()).isTrue();
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
            Run<TrainingState> run = new Run<>(vif, Seed.of(1)).checkpoints(folder.resolve("checkpoints"), 40).reportEvery(10);
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
            Run<TrainingState> run = new Run<>(vif, Seed.of(1)).checkpoints(folder, 1).reportEvery(1).listener(new RunListener() {
                @Override
                public void onDivergence(DivergenceException problem) {
                    told.set(problem);
                }
            });
            assertThatThrownBy(() -> run.execute(true)).isInstanceOf(DivergenceException.class)
                    .hasMessageContaining("step").hasMessageContaining("temperature").hasMessageContaining("component");
        }
        assertThat(told.get().lastGoodState()).isInstanceOf(TrainingState.class);
        assertThat(Arrays.stream(((TrainingState) told.get().lastGoodState()).parameters()).allMatch(Double::isFinite)).isTrue();
        var latest = CheckpointFolder.look(folder).latest();
        latest.ifPresent(l -> assertThat(Arrays.stream(l.checkpoint().parameters()).allMatch(Double::isFinite)).isTrue());
    }

    /** Runs to the end, saving often and telling its steps, so that a parent can kill it anywhere. */
    static final class CrashProbe {
        static final int STEPS = 600;

        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[0]);
            try (var vif = vif(STEPS)) {
                TrainingState end = new Run<>(vif, Seed.of(1)).checkpoints(folder.resolve("checkpoints"), 7).reportEvery(3)
                        .listener(new RunListener() {
                            @Override
                            public void onProgress(Algorithm.Info info) {
                                System.out.println("step " + info.step());
                            }
                        }).execute(true);
                try (FlowMixture q = vif.result(end)) {
                    Files.writeString(folder.resolve("end"), Arrays.toString(q.parameters()));
                }
            }
        }
    }

    @Test
    @Tag("slow")
    void killedAtTwentyRandomMomentsEndsBitEqual() throws Exception {
        Path whole = Files.createDirectory(folder.resolve("whole"));
        assertThat(launch(whole).waitFor()).isZero();
        Path killed = Files.createDirectory(folder.resolve("killed"));
        UniformRandomProvider rng = new Draws(Seed.of(8)).stream("kills");
        int kills = 0;
        while (!Files.exists(killed.resolve("end"))) {
            Process child = launch(killed);
            // some steps further on, and then at any moment within a step or a save
            int after = 1 + rng.nextInt(CrashProbe.STEPS / 3 / 20);
            BufferedReader out = new BufferedReader(new InputStreamReader(child.getInputStream()));
            int lines = 0;
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (kills < 20 && line.startsWith("step") && ++lines == after) {
                    Thread.sleep(rng.nextInt(4), rng.nextInt(999_999));
                    child.destroyForcibly();
                    kills++;
                    break;
                }
            }
            child.waitFor();
        }
        assertThat(kills).isEqualTo(20);
        assertThat(Files.readString(killed.resolve("end"))).isEqualTo(Files.readString(whole.resolve("end")));
    }

    private static Process launch(Path where) throws IOException {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-cp",
                System.getProperty("java.class.path"), CrashProbe.class.getName(), where.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }
}
