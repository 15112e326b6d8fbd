package io.mdnf.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.nd4j.linalg.factory.Nd4j;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts ND4J quietly. A command that computes calls {@link #now()} before anything else of ND4J's.
 *
 * <p>Without a GPU the CUDA backend prints the stack trace of an error that ND4J then throws anyway; the user is to
 * read one sentence instead.
 */
final class Nd4jStart {
    private static final Logger LOG = LoggerFactory.getLogger(Nd4jStart.class);

    private Nd4jStart() { }

    /** Loads the backend, or throws what {@link Main} turns into one sentence. */
    static synchronized void now() {
        if (LOG.isInfoEnabled()) {
            LOG.info("{}", Nd4j.getBackend().getClass().getSimpleName());
            return;
        }
        PrintStream err = System.err;
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        try {
            Nd4j.getBackend();
        } finally {
            System.setErr(err);
        }
    }
}
