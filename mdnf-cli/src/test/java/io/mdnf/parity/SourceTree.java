package io.mdnf.parity;

import java.nio.file.Files;
import java.nio.file.Path;

/** The tree these tests run in, found from the module's directory that both tools start tests in. */
public final class SourceTree {
    private SourceTree() { }

    /** The directory that holds settings.gradle.kts. */
    public static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (Files.notExists(directory.resolve("settings.gradle.kts"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException("no settings.gradle.kts above " + Path.of("").toAbsolutePath());
            }
        }
        return directory;
    }
}
