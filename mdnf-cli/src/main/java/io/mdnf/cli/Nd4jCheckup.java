package io.mdnf.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.nd4j.linalg.api.environment.Nd4jEnvironment;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** The findings that need ND4J; kept apart because touching this class starts it. */
final class Nd4jCheckup {
    private Nd4jCheckup() { }

    static List<Check> run() {
        Properties environment = Nd4j.getExecutioner().getEnvironmentInformation();
        List<Check> checks = new ArrayList<>();
        checks.add(Check.fine("nd4j", version()));
        checks.add(backend(environment));
        checks.add(Check.fine("blas", environment.getProperty(Nd4jEnvironment.BLAS_VENDOR_KEY, "unknown") + ", "
                + environment.get(Nd4jEnvironment.OMP_THREADS_KEY) + " thread(s)"));
        checks.add(Check.fine("native memory", "arrays up to " + Checkup.gib(Pointer.maxBytes())));
        checks.add(Check.fine("cuda", devices(environment)));
        checks.add(Checkup.cache("native cache", nativeCache(),
                "set MDNF_JAVA_OPTS=-Dorg.bytedeco.javacpp.cachedir=DIRECTORY to one you can write to"));
        return checks;
    }

    /** Two times three is six on every backend that works. */
    private static Check backend(Properties environment) {
        try (INDArray product = Nd4j.valueArrayOf(1, 1, 2.0).mmul(Nd4j.valueArrayOf(1, 1, 3.0))) {
            return Check.when(product.getDouble(0) == 6.0, "backend",
                    String.valueOf(environment.get(Nd4jEnvironment.BACKEND_KEY)),
                    "2 x 3 gave " + product.getDouble(0) + ": reinstall, these natives do not fit this machine");
        }
    }

    private static String version() {
        String resource = "/META-INF/maven/org.nd4j/nd4j-api/pom.properties";
        try (InputStream in = Nd4j.class.getResourceAsStream(resource)) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(resource + " cannot be read", e);
        }
    }

    private static String devices(Properties environment) {
        if (!(environment.get(Nd4jEnvironment.CUDA_DEVICE_INFORMATION_KEY) instanceof List<?> devices)
                || devices.isEmpty()) {
            return "none used; MDNF_BACKEND=cuda runs on a GPU";
        }
        List<String> names = new ArrayList<>();
        for (Object device : devices) {
            names.add(device instanceof Map<?, ?> facts
                    ? String.valueOf(facts.get(Nd4jEnvironment.CUDA_DEVICE_NAME_KEY)) : String.valueOf(device));
        }
        return String.join(", ", names);
    }

    private static Path nativeCache() {
        try {
            return Loader.getCacheDir().toPath();
        } catch (IOException e) {
            throw new UncheckedIOException("javacpp has no cache directory", e);
        }
    }
}
