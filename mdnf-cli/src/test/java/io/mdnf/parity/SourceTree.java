package io.mdnf.parity;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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

    /** The Java files of all modules below a folder of theirs, {@code src/main} for instance. */
    public static List<Path> java(String folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(root(), "mdnf-*")) {
            for (Path module : modules) {
                if (Files.isDirectory(module.resolve(folder))) {
                    try (Stream<Path> files = Files.walk(module.resolve(folder))) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
                    }
                }
            }
        }
        return found.stream().sorted().toList();
    }
}
