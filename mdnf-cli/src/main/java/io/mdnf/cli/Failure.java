package io.mdnf.cli;

import io.mdnf.checkpoint.StoredFileException;
import io.mdnf.file.InvalidFileException;
import io.mdnf.graph.MissingBackendException;
import io.mdnf.mnist.MnistUnavailableException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a throwable means to the person at the terminal.
 *
 * <p>ND4J's exceptions are told apart by name, so that a failure before ND4J was needed does not load it.
 *
 * @param exitCode 2 for wrong usage or input, 1 for everything else
 */
record Failure(int exitCode, String sentence) {
    private static final String NO_BACKEND = "org.nd4j.linalg.factory.Nd4jBackend$NoAvailableBackendException";
    /** As ND4J says it. */
    private static final String DEVICE_IS_FULL = "[DEVICE] allocation failed";
    private static final String CUDA_BACKEND = "org/nd4j/linalg/jcublas/JCublasBackend.class";

    static Failure of(Throwable thrown) {
        return of(thrown, Failure.class.getClassLoader().getResource(CUDA_BACKEND) != null);
    }

    static Failure of(Throwable thrown, boolean cudaBackend) {
        List<Throwable> chain = chain(thrown);
        Throwable root = chain.get(chain.size() - 1);
        // a stored file that the system could not read or write has that as its cause; any other is damaged
        boolean refused = root instanceof IOException && !(root instanceof StoredFileException);
        for (Throwable t : chain) {
            if (t instanceof UsageProblem || t instanceof MnistUnavailableException
                    || t instanceof MissingBackendException
                    || t instanceof InvalidFileException || t instanceof StoredFileException && !refused) {
                return new Failure(2, firstLine(t.getMessage()));
            }
        }
        if (chain.stream().anyMatch(t -> t.getClass().getName().equals(NO_BACKEND))) {
            return new Failure(1, cudaBackend
                    ? "the CUDA backend finds no GPU it can use (it needs CUDA 11.6 and a device); "
                        + "build and run without backend=cuda to use the CPU"
                    : "ND4J finds no backend that runs here: nd4j-native-platform must be on the class path, with "
                        + "natives for this system");
        }
        if (chain.stream().anyMatch(t -> t instanceof LinkageError && fromNd4j(t))) {
            return new Failure(1, cudaBackend
                    ? "the CUDA backend cannot start, so there is no GPU or no CUDA 11.6 (" + describe(root)
                        + "); build and run without backend=cuda to use the CPU"
                    : "ND4J cannot start: " + describe(root));
        }
        if (root instanceof OutOfMemoryError) {
            return new Failure(1, "out of memory (" + firstLine(root.getMessage())
                    + "); give the program more with MDNF_JAVA_OPTS=-Xmx8g");
        }
        if (chain.stream().anyMatch(t -> String.valueOf(t.getMessage()).contains(DEVICE_IS_FULL))) {
            return new Failure(1, "the GPU has no memory left for this: a smaller batch or model takes less, and "
                    + "CUDA_VISIBLE_DEVICES picks another card");
        }
        if (root instanceof NoSuchFileException) {
            return new Failure(1, "no such file: " + firstLine(root.getMessage()));
        }
        return new Failure(1, describe(thrown) + " (--verbose shows where)");
    }

    private static List<Throwable> chain(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable t = thrown; t != null && !chain.contains(t); t = t.getCause()) {
            chain.add(t);
        }
        return chain;
    }

    /** A link error of ND4J's, or of the native libraries it stands on. */
    private static boolean fromNd4j(Throwable t) {
        return t instanceof UnsatisfiedLinkError || String.valueOf(t.getMessage()).contains("org.nd4j")
                || Arrays.stream(t.getStackTrace()).map(StackTraceElement::getClassName)
                        .anyMatch(name -> name.startsWith("org.nd4j.") || name.startsWith("org.bytedeco."));
    }

    private static String describe(Throwable t) {
        String message = firstLine(t.getMessage());
        return message.isEmpty() ? t.getClass().getSimpleName() : message;
    }

    private static String firstLine(String message) {
        return message == null ? "" : message.lines().findFirst().orElse("").strip();
    }
}
