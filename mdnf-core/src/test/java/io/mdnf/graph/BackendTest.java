package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.factory.Nd4j;

class BackendTest {

    /** In a process of its own, whose environment says nothing of threads: what a user of the library has. */
    @Test
    @Tag("slow")
    void operationsRunOnTheCallersThreadWhateverTheEnvironmentSays() throws Exception {
        assertThat(threads(Map.of())).isEqualTo("operations 1, products 1");
        assertThat(threads(Map.of("OMP_NUM_THREADS", "2"))).isEqualTo("operations 1, products 2");
    }

    private static String threads(Map<String, String> environment) throws Exception {
        return probe(0, System.getProperty("java.class.path"), environment);
    }

    /** All that a probe prints; its logger shows warnings, and of ND4J's only errors, as README advises. */
    private static String probe(int exit, String classPath, Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dlogback.configurationFile=" + Path.of("..", "config", "logback-test.xml"), "-cp", classPath,
                Probe.class.getName()).redirectErrorStream(true);
        builder.environment().remove("OMP_NUM_THREADS");
        builder.environment().putAll(environment);
        Process probe = builder.start();
        String out = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(probe.waitFor()).as(out).isEqualTo(exit);
        return out.strip();
    }

    /** With mdnf-core alone, as its POM has it: one line, and no trace. */
    @Test
    void aMissingBackendIsOneLineThatSaysWhatToAdd() throws Exception {
        String without = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*(nd4j-native|nd4j-cuda|openblas).*"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(probe(1, without, Map.of())).isEqualTo("Exception in thread \"main\" io.mdnf.graph.MissingBackendException: "
                + "ND4J has no backend that runs here: add org.nd4j:nd4j-native-platform:1.0.0-M2.1, or "
                + "nd4j-cuda-11.6-platform for a GPU, to what the program runs with");
    }

    static final class Probe {
        public static void main(String[] arguments) {
            new Graph(Precision.DOUBLE);
            System.out.println("operations " + Nd4j.getEnvironment().maxMasterThreads() + ", products "
                    + Nd4j.factory().blas().getMaxThreads());
        }
    }
}
