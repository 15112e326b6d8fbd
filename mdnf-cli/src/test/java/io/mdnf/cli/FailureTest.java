package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.factory.Nd4jBackend.NoAvailableBackendException;

/** Every failure is one sentence and an exit code. */
class FailureTest {
    /** As ND4J's static initialiser throws it. */
    private static final Throwable NO_BACKEND = new ExceptionInInitializerError(
            new RuntimeException(new NoAvailableBackendException("Please ensure that you have an nd4j backend\nmore")));

    @Test
    void cudaWithoutAGpuIsSaidInOneSentence() {
        Failure failure = Failure.of(NO_BACKEND, true);

        assertThat(failure.exitCode()).isEqualTo(1);
        assertThat(failure.sentence()).startsWith("the CUDA backend finds no GPU it can use").doesNotContain("\n");
    }

    @Test
    void noBackendAtAllNamesTheMissingArtifact() {
        assertThat(Failure.of(NO_BACKEND, false).sentence()).contains("no backend", "nd4j-native-platform");
    }

    @Test
    void aMissingCudaLibraryMeansNoGpu() {
        Throwable thrown = new UnsatisfiedLinkError("libcudart.so.11.0: cannot open shared object file");

        assertThat(Failure.of(thrown, true)).isEqualTo(new Failure(1,
                "the CUDA backend cannot start, so there is no GPU or no CUDA 11.6 (libcudart.so.11.0: cannot open "
                + "shared object file); build and run without backend=cuda to use the CPU"));
        assertThat(Failure.of(thrown, false).sentence()).startsWith("ND4J cannot start: libcudart");
    }

    /** ND4J prints why, and throws what does not say it. */
    @Test
    void aMissingDriverIsNamedWithWhatToDoAndExitsTwo() {
        String printed = "java.lang.UnsatisfiedLinkError: /cache/libjnicudart.so: %s: cannot open shared object file: "
                + "No such file or directory%n\tat org.bytedeco.javacpp.Loader.load(Loader.java:1402)%n";

        assertThat(Failure.of(Nd4jStart.missingLibrary(String.format(printed, "libcuda.so.1")).orElseThrow()))
                .isEqualTo(new Failure(2, "there is no NVIDIA driver here (libcuda.so.1 is missing): install one that "
                        + "supports CUDA 11.6, or run without backend=cuda to use the CPU"));
        assertThat(Failure.of(Nd4jStart.missingLibrary(String.format(printed, "libcudart.so.11.0")).orElseThrow()))
                .isEqualTo(new Failure(2, "CUDA 11.6 is not whole here (libcudart.so.11.0 is missing): install it, or "
                        + "add org.bytedeco:cuda-platform-redist:11.6-8.3-1.5.7, or run without backend=cuda to use "
                        + "the CPU"));
        assertThat(Nd4jStart.missingLibrary("java.lang.RuntimeException: no devices")).isEmpty();
    }

    @Test
    void wrongInputExitsTwoWithItsOwnWords() {
        assertThat(Failure.of(new IllegalStateException(new UsageProblem("--flows 0: at least 1 is needed\nsecond"))))
                .isEqualTo(new Failure(2, "--flows 0: at least 1 is needed"));
    }

    @Test
    void otherFailuresExitOneAndOfferTheStackTrace() {
        assertThat(Failure.of(new IllegalStateException("disk on fire")))
                .isEqualTo(new Failure(1, "disk on fire (--verbose shows where)"));
        assertThat(Failure.of(new NullPointerException()).sentence()).startsWith("NullPointerException");
        assertThat(Failure.of(new UncheckedIOException(new NoSuchFileException("a.bif"))).sentence())
                .isEqualTo("no such file: a.bif");
        assertThat(Failure.of(new UncheckedIOException(new IOException("disk full"))).sentence()).contains("disk full");
        assertThat(Failure.of(new OutOfMemoryError("Java heap space")).sentence()).contains("MDNF_JAVA_OPTS=-Xmx8g");
        assertThat(Failure.of(new RuntimeException("Allocation failed: [[DEVICE] allocation failed; Error code: [2]]")))
                .isEqualTo(new Failure(1, "the GPU has no memory left for this: a smaller batch or model takes less, "
                        + "and CUDA_VISIBLE_DEVICES picks another card"));
    }
}
