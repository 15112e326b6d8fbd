package io.mdnf.mnist;

import java.util.List;

/** The four files that make up MNIST and how to know them. */
record MnistManifest(MnistFile trainImages, MnistFile trainLabels, MnistFile testImages, MnistFile testLabels) {
    private static final int TRAIN = 60_000;
    private static final int TEST = 10_000;
    private static final int PIXELS = 784;

    /** {@return the original MNIST: 60,000 training and 10,000 test digits of 28 x 28} */
    static MnistManifest original() {
        return new MnistManifest(
                new MnistFile("train-images-idx3-ubyte",
                        "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db", 16 + TRAIN * PIXELS),
                new MnistFile("train-labels-idx1-ubyte",
                        "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5", 8 + TRAIN),
                new MnistFile("t10k-images-idx3-ubyte",
                        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7", 16 + TEST * PIXELS),
                new MnistFile("t10k-labels-idx1-ubyte",
                        "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2", 8 + TEST));
    }

    /** {@return the four files, small ones first so that a dead mirror is noticed early} */
    List<MnistFile> files() {
        return List.of(testLabels, trainLabels, testImages, trainImages);
    }
}
