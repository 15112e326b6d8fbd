package io.mdnf.mnist;

import io.mdnf.file.AtomicFiles;
import io.mdnf.file.InvalidFileException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A folder that may hold MNIST, itself or in its subfolder {@code mnist}, plain or gzip, also under the names some
 * copies carry ({@code train-images.idx3-ubyte}).
 */
record MnistFolder(Path folder) {
    private static final String SUBFOLDER = "mnist";
    /** No write takes this long, so an older part is a killed process's. */
    private static final Duration STALE = Duration.ofHours(1);

    Optional<Path> find(MnistFile file) {
        String dotted = file.name().replaceFirst("-(idx\\d)", ".$1");
        for (Path place : List.of(folder, folder.resolve(SUBFOLDER))) {
            for (String name : List.of(file.name(), file.name() + ".gz", dotted, dotted + ".gz")) {
                Path candidate = place.resolve(name);
                if (Files.isRegularFile(candidate)) {
                    return Optional.of(candidate);
                }
            }
        }
        return Optional.empty();
    }

    /** What is the matter where a file is not found. */
    String lacks(MnistFile file) {
        return folder + (Files.isDirectory(folder) ? " has no " + file.name() : " is not a folder");
    }

    /** The verified content; throws {@link InvalidFileException} if it is not the right one. */
    static byte[] read(MnistFile file, Path path) throws IOException {
        return file.verified(Files.readAllBytes(path), path.toString());
    }

    /** Writes a verified content into the subfolder, whole or not at all. */
    void install(MnistFile file, byte[] content) throws IOException {
        AtomicFiles.write(folder.resolve(SUBFOLDER).resolve(file.name()), content);
    }

    /** Makes the subfolder and sweeps out what killed processes left. */
    void prepare() throws IOException {
        Path place = Files.createDirectories(folder.resolve(SUBFOLDER));
        if (!Files.isWritable(place)) {
            throw new IOException(place + " is not writable");
        }
        FileTime old = FileTime.from(Instant.now().minus(STALE));
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(place, ".*-ubyte.*" + AtomicFiles.TEMPORARY)) {
            for (Path part : parts) {
                if (Files.getLastModifiedTime(part).compareTo(old) < 0) {
                    Files.deleteIfExists(part);
                }
            }
        }
    }
}
