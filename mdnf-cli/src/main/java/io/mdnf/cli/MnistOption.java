package io.mdnf.cli;

import io.mdnf.experiments.MnistData;
import io.mdnf.mnist.Mnist;
import io.mdnf.mnist.MnistUnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Mixin for commands that need MNIST, found in a folder or the cache, or fetched; or images of the user's own. */
final class MnistOption {

    @Option(names = "--data", paramLabel = "DIR",
            description = "Folder with the four MNIST files; else $MDNF_DATA, else the cache, else they are fetched.")
    private Path data;

    @Option(names = "--own-images",
            description = "Take the four IDX files in --data as they are: Fashion-MNIST, or your own images.")
    private boolean own;

    /** Whether the user named a folder, or images of their own. */
    boolean isGiven() {
        return data != null || own;
    }

    /** Whether they are images of the user's own. */
    boolean isOwn() {
        return own;
    }

    Mnist load(boolean quiet) throws IOException {
        if (!own) {
            return MnistData.load(Optional.ofNullable(data), quiet, notices(quiet));
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

    /** Shows on stderr what the user should know of the data, unless told to be quiet. */
    static Consumer<String> notices(boolean quiet) {
        return quiet ? sentence -> { } : sentence -> System.err.println("mdnf: " + sentence);
    }
}
