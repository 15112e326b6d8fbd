package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.fit.Fitter;
import io.mdnf.fit.Plan;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.FunctionTarget;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.factory.Nd4j;

class BackendTest {

    /** In a process of its own, since tests have one thread anyway. */
    @Test
    @Tag("slow")
    void plansRunOnOneThreadAndTheProgramKeepsItsOwn() throws Exception {
        assertThat(threads(Map.of("OMP_NUM_THREADS", "2"))).isEqualTo("operations 2, products 2 before"
                + System.lineSeparator() + "operations 1, products 2 in a run"
                + System.lineSeparator() + "operations 1, products 1 in a fit"
                + System.lineSeparator() + "operations 1, products 2 in a large training"
                + System.lineSeparator() + "operations 1, products 1 in a small training beside it"
                + System.lineSeparator() + "operations 2, products 2 after");
    }

    private static String threads(Map<String, String> environment) throws Exception {
        return probe(0, System.getProperty("java.class.path"), environment, Probe.class);
    }

    /** All that a probe prints; its logger shows warnings, and of ND4J's only errors, as README advises. */
    private static String probe(int exit, String classPath, Map<String, String> environment,
            Class<?> program) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dlogback.configurationFile=" + Path.of("..", "config", "logback-test.xml"), "-cp", classPath,
                program.getName()).redirectErrorStream(true);
        builder.environment().remove("OMP_NUM_THREADS");
        builder.environment().putAll(environment);
        Process probe = builder.start();
        String out = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(probe.waitFor()).as(out).isEqualTo(exit);
        return out.strip();
    }

    /** With mdnf-core alone, as its POM has it: one line, and no trace; also where a fit comes first. */
    @DisabledIfEnvironmentVariable(named = "EMULATED_GPU_COUNTERS", matches = ".+",
            disabledReason = "the emulated GPU's backend is among the tests' own classes, so one is always there")
    @ParameterizedTest
    @ValueSource(classes = {Probe.class, FittingProbe.class})
    void aMissingBackendIsOneLineThatSaysWhatToAdd(Class<?> program) throws Exception {
        String without = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*(nd4j-native|nd4j-cuda|openblas).*"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(probe(1, without, Map.of(), program)).isEqualTo("Exception in thread \"main\" "
                + "io.mdnf.graph.MissingBackendException: "
                + "ND4J has no backend that runs here: add org.nd4j:nd4j-native-platform:1.0.0-M2.1, or "
                + "nd4j-cuda-11.6-platform for a GPU, to what the program runs with");
    }

    /** On CUDA's backend every graph asks this of the first card. */
    @Test
    void aCardThatNd4jHasNoCodeForIsRefusedBeforeAnythingIsComputed() {
        new Backend.Device("A100", 40L << 30, 8, 0).refuseUnsupported();
        new Backend.Device("RTX 4090, which runs code for 8.6", 24L << 30, 8, 9).refuseUnsupported();
        assertThatThrownBy(() -> new Backend.Device("H100", 80L << 30, 9, 0).refuseUnsupported())
                .isInstanceOf(MissingBackendException.class).hasMessage("H100 cannot be used: ND4J's library holds "
                        + "code for compute capability 3.7 to 8.9; choose another card by CUDA_VISIBLE_DEVICES, or "
                        + "run without backend=cuda");
    }

    static final class FittingProbe {
        public static void main(String[] arguments) throws Exception {
            new Fitter(new FunctionTarget(CodeSpace.uniform(2, 2), x -> x[0])).fit(Plan.joint(), Seed.of(1)).close();
        }
    }

    static final class Probe {
        public static void main(String[] arguments) throws Exception {
            Graph graph = new Graph(Precision.FLOAT);
            say("before");
            Threads.run(() -> say("in a run"));
            boolean[] said = new boolean[1];
            new Fitter(new FunctionTarget(CodeSpace.uniform(2, 2), x -> x[0])).watched(new Fitter.Watch() {
                @Override
                public void at(double share, String doing, double elbo) {
                    if (!said[0]) {
                        say("in a fit");
                    }
                    said[0] = true;
                }
            }).fit(Plan.autoregressive().withSteps(1), Seed.of(1)).close();
            // 2 * 1000^3 operations, and 2 * 10^3
            try (ExecutionPlan large = square(graph, 1000); ExecutionPlan small = square(graph, 10);
                    Threads outer = Threads.of(large, 1)) {
                say("in a large training");
                try (Threads inner = Threads.of(small, 1)) {
                    say("in a small training beside it");
                }
            }
            say("after");
        }

        private static ExecutionPlan square(Graph graph, int n) {
            Tensor x = graph.placeholder("x" + n, n, n);
            return ExecutionPlan.forward(graph, x.matmul(x));
        }

        private static void say(String when) {
            System.out.println("operations " + Nd4j.getEnvironment().maxMasterThreads() + ", products "
                    + Nd4j.factory().blas().getMaxThreads() + " " + when);
        }
    }
}
