package io.mdnf.cli;

import io.mdnf.graph.Backend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** The findings that need ND4J; kept apart because touching this class starts it. */
final class Nd4jCheckup {
    private Nd4jCheckup() { }

    static List<Check> run() {
        Nd4jStart.now();
        Backend.Description backend = Backend.describe();
        return List.of(
                Check.fine("nd4j", Backend.version()),
                arithmetic(backend.name()),
                Check.fine("blas", backend.blas() + ", " + Checkup.count(backend.threads(), "thread")),
                Check.fine("native memory", "arrays up to " + Checkup.gib(Pointer.maxBytes())),
                Check.fine("cuda", backend.devices().isEmpty() ? "no devices used; MDNF_BACKEND=cuda runs on a GPU"
                        : String.join(", ", backend.devices())),
                Checkup.cache("native cache", nativeCache(),
                        "set MDNF_JAVA_OPTS=-Dorg.bytedeco.javacpp.cachedir=DIRECTORY to one you can write to"));
    }

    /** Two times three is six on every backend that works. */
    private static Check arithmetic(String backend) {
        try (INDArray two = Nd4j.valueArrayOf(1, 1, 2.0);
                INDArray three = Nd4j.valueArrayOf(1, 1, 3.0);
                INDArray product = two.mmul(three)) {
            return Check.when(product.getDouble(0) == 6.0, "backend", backend,
                    "2 x 3 gave " + product.getDouble(0) + ": these natives do not fit this machine");
        }
    }

    private static Path nativeCache() {
        try {
            return Loader.getCacheDir().toPath();
        } catch (IOException e) {
            throw new UncheckedIOException("javacpp has no cache directory", e);
        }
    }
}
