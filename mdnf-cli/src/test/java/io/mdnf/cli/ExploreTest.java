package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.checkpoint.RunManifest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code mdnf explore} promises at the terminal; mdnf-explorer has tests of the page. */
class ExploreTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    private void manifest(String what) throws IOException {
        new RunManifest(what, Map.of("network", "asia"), 1, List.of(), Map.of(), "cpu", Instant.EPOCH, Optional.empty(),
                RunManifest.Status.RUNNING, "").write(folder);
    }

    @Test
    void whatCannotBeShownIsRefusedInOneLine() throws IOException {
        assertThat(run("explore", "asai")).isEqualTo(2);
        assertThat(err.toString()).contains("did you mean 'asia'?").hasLineCount(1);
        assertThat(run("explore", folder.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("there is no run in this folder");
        assertThat(run("explore", "asia", "--port", "99999")).isEqualTo(2);
        assertThat(err.toString()).contains("--port 99999: 0 to 65535");
        manifest("mdnf bn fit");
        assertThat(run("explore", folder.toString(), "--export", "x.html")).isEqualTo(2);
        assertThat(err.toString()).contains("only a network's page answers by itself").hasLineCount(4);
    }

    @Test
    void anExportIsOneFile() throws IOException {
        Path file = folder.resolve("asia.html");
        assertThat(run("explore", "asia", "--export", file.toString())).isZero();
        assertThat(out.toString().strip()).isEqualTo(file.toString());
        assertThat(Files.readString(file)).startsWith("<!DOCTYPE html>").contains("\"name\":\"asia\"");
    }

    @Test
    void theAddressThatIsPrintedHasThePageUntilItIsStopped() throws Exception {
        manifest("mdnf bn fit");
        PipedWriter writer = new PipedWriter();
        Thread command = new Thread(() -> Main.run(new PrintWriter(writer, true), new PrintWriter(err, true), "explore",
                folder.toString()));
        try (BufferedReader printed = new BufferedReader(new PipedReader(writer))) {
            command.start();
            URI address = URI.create(printed.readLine());
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest look = HttpRequest.newBuilder(address.resolve("look")).build();
            assertThat(client.send(look, HttpResponse.BodyHandlers.ofString()).body()).contains("\"kind\":\"run\"",
                    "\"status\":\"RUNNING\"");
        } finally {
            command.interrupt();
            command.join();
        }
    }
}
