package io.mdnf.cli;

import io.mdnf.cli.report.Progress;
import io.mdnf.vae.FetchListener;
import io.mdnf.vae.FetchProgress;
import io.mdnf.vae.Mnist;
import io.mdnf.vae.MnistSearch;
import io.mdnf.vae.MnistUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Mixin for commands that need MNIST, found in a folder or the cache, or fetched; or images of the user's own. */
public final class MnistOption {

    @Option(names = "--data", paramLabel = "DIR",
            description = "Folder with the four MNIST files; else $MDNF_DATA, else the cache, else they are fetched.")
    private Path data;

    @Option(names = "--own-images",
            description = "Take the four IDX files in --data as they are: Fashion-MNIST, or your own images.")
    private boolean own;

    /** Creates the options, not given; picocli does. */
    public MnistOption() { }

    Mnist load(boolean quiet) throws IOException {
        if (!own) {
            return load(Optional.ofNullable(data), quiet);
        }
        if (data == null) {
            throw new UsageProblem("--own-images: name their folder with --data DIR");
        }
        try {
            return Mnist.taken(data);
        } catch (MnistUnavailableException e) {
            throw new UsageProblem("--own-images: " + e.getMessage(), e);
        }
    }

    /**
     * Finds MNIST, showing on stderr what is fetched.
     *
     * @param data the folder the user gave, if any
     * @param quiet whether to show nothing
     * @return the verified data
     * @throws IOException if a file cannot be read
     */
    public static Mnist load(Optional<Path> data, boolean quiet) throws IOException {
        try (Watch watch = new Watch(quiet)) {
            return Mnist.load(MnistSearch.standard(data), watch);
        } catch (MnistUnavailableException e) {
            throw new UsageProblem(e.getMessage(), e);
        }
    }

    /** One progress per file that is fetched. */
    private static final class Watch implements FetchListener, AutoCloseable {
        private final boolean quiet;
        private String file = "";
        private Progress progress;

        Watch(boolean quiet) {
            this.quiet = quiet;
        }

        @Override
        public synchronized void progress(FetchProgress at) {
            if (!at.file().equals(file)) {
                close();
                file = at.file();
                progress = Progress.start("fetch " + file, at.total().orElse(0), quiet, System.err);
            }
            progress.at(at.bytes(), Double.NaN);
        }

        @Override
        public void notice(String sentence) {
            if (!quiet) {
                System.err.println("mdnf: " + sentence);
            }
        }

        @Override
        public synchronized void close() {
            if (progress != null) {
                progress.close();
                progress = null;
            }
        }
    }
}
