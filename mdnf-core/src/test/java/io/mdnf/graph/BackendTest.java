package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.factory.Nd4j;

class BackendTest {

    /** In a process of its own, whose environment says nothing of threads: what a user of the library has. */
    @Test
    void operationsRunOnTheCallersThreadWhateverTheEnvironmentSays() throws Exception {
        assertThat(threads(Map.of())).isEqualTo("operations 1, products 1");
        assertThat(threads(Map.of("OMP_NUM_THREADS", "2"))).isEqualTo("operations 1, products 2");
    }

    private static String threads(Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Probe.class.getName()).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().remove("OMP_NUM_THREADS");
        builder.environment().putAll(environment);
        Process probe = builder.start();
        String out = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(probe.waitFor()).isZero();
        return out.lines().filter(line -> line.startsWith("operations")).findFirst().orElse(out);
    }

    static final class Probe {
        public static void main(String[] arguments) {
            new Graph(Precision.DOUBLE);
            System.out.println("operations " + Nd4j.getEnvironment().maxMasterThreads() + ", products "
                    + Nd4j.factory().blas().getMaxThreads());
        }
    }
}
