package io.mdnf.cli;

import io.mdnf.mnist.LabelledImages;
import io.mdnf.mnist.Mnist;
import io.mdnf.vae.DigitImages;
import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mixin for commands that show images to a trained VAE: which ones, and how many. */
final class VaeImages {

    enum Split {
        /** Those it was trained on. */
        TRAIN,
        /** Those it never saw. */
        TEST
    }

    @Option(names = "--split", paramLabel = "train|test", defaultValue = "test", description = "Which images")
    private Split split;

    @Option(names = "--limit", paramLabel = "N", description = "The first N images only.")
    private Integer limit;

    @Mixin
    private MnistOption mnist;

    void check() {
        UsageProblem.ifBelowOne("--limit", limit == null ? 1 : limit);
    }

    String split() {
        return Manual.word(split);
    }

    /** All of the split, with labels. */
    LabelledImages load(boolean quiet) throws IOException {
        Mnist data = mnist.load(quiet);
        return split == Split.TRAIN ? data.train() : data.test();
    }

    /** Those that are wanted. */
    DigitImages of(LabelledImages all) {
        return limit == null ? all.images() : all.images().first(limit);
    }
}
