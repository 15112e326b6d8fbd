package io.mdnf.experiments;

import io.mdnf.mnist.FetchListener;
import io.mdnf.mnist.Mnist;
import io.mdnf.report.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Finds MNIST, or fetches it and shows how far that is. */
public final class MnistData {

    private MnistData() {}

    /**
     * The verified data, from the folder the user gave, if any.
     *
     * @param notices is told, a sentence each, what was passed over or repaired
     * @throws io.mdnf.mnist.MnistUnavailableException if it is nowhere
     */
    public static Mnist load(Optional<Path> data, boolean quiet, Consumer<String> notices) throws IOException {
        try (Watch watch = new Watch(quiet, notices)) {
            return Mnist.load(data, watch);
        }
    }

    /** One progress per file that is fetched. */
    private static final class Watch implements FetchListener, AutoCloseable {
        private final boolean quiet;
        private final Consumer<String> notices;
        private String file = "";
        private Progress progress = Progress.SILENT;

        Watch(boolean quiet, Consumer<String> notices) {
            this.quiet = quiet;
            this.notices = notices;
        }

        @Override
        public synchronized void progress(Fetched at) {
            if (!at.file().equals(file)) {
                close();
                file = at.file();
                progress = Progress.start("fetch " + file, at.total().orElse(0), quiet, System.err);
            }
            progress.at(at.bytes(), Double.NaN);
        }

        @Override
        public void notice(String sentence) {
            notices.accept(sentence);
        }

        @Override
        public synchronized void close() {
            progress.close();
        }
    }
}
