package io.mdnf.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nd4j.linalg.factory.Nd4j;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts ND4J quietly. A command that computes calls {@link #now()} before anything else of ND4J's.
 *
 * <p>Without a GPU the CUDA backend prints a stack trace with the reason, and ND4J then throws an error without it; the
 * user is to read one sentence instead.
 */
final class Nd4jStart {
    private static final Logger LOG = LoggerFactory.getLogger(Nd4jStart.class);
    /** As the system's loader names a library that it does not find. */
    private static final Pattern MISSING = Pattern.compile("(\\S+): cannot open shared object file");

    private Nd4jStart() { }

    /** Loads the backend, or throws what {@link Main} turns into one sentence. */
    static synchronized void now() {
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            Nd4j.getBackend();
        } catch (LinkageError e) {
            missingLibrary(printed.toString(StandardCharsets.UTF_8)).ifPresent(problem -> {
                throw problem;
            });
            throw e;
        } finally {
            System.setErr(err);
            if (LOG.isInfoEnabled()) {
                err.print(printed.toString(StandardCharsets.UTF_8));
            }
        }
        LOG.info("{}", Nd4j.getBackend().getClass().getSimpleName());
    }

    /** The library that the CUDA backend did not find, by what it printed: the driver's, or one of CUDA's. */
    static Optional<UsageProblem> missingLibrary(String printed) {
        Matcher missing = MISSING.matcher(printed);
        if (!missing.find()) {
            return Optional.empty();
        }
        String library = missing.group(1);
        String problem = library.startsWith("libcuda.so")
                ? "there is no NVIDIA driver here (" + library + " is missing): install one that supports CUDA 11.6"
                : "CUDA 11.6 is not whole here (" + library + " is missing): install it, or add "
                        + "org.bytedeco:cuda-platform-redist:11.6-8.3-1.5.7";
        return Optional.of(new UsageProblem(problem + ", or run without backend=cuda to use the CPU"));
    }
}
