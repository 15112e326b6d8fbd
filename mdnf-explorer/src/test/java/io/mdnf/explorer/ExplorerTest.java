package io.mdnf.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.bn.BuiltInNetworks;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests written by hand, since a client would refuse to send some of them. */
class ExplorerTest {

    private static Explorer explorer;
    private static URI address;

    @BeforeAll
    static void start() throws IOException {
        explorer = Explorer.start(NetworkPage.of(BuiltInNetworks.open("asia"), "asia"), 0);
        address = explorer.address();
    }

    @AfterAll
    static void stop() {
        explorer.close();
    }

    private static String request(String method, String path, String host, List<String> headers, String body)
            throws IOException {
        try (Socket socket = new Socket("127.0.0.1", address.getPort())) {
            String text = method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
                    + String.join("", headers.stream().map(header -> header + "\r\n").toList())
                    + "Content-Length: " + body.length() + "\r\n\r\n" + body;
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String host() {
        return "127.0.0.1:" + address.getPort();
    }

    private static String get(String path, String... headers) throws IOException {
        return request("GET", path, host(), List.of(headers), "");
    }

    private static String post(String question, String body, String... headers) throws IOException {
        return request("POST", address.getPath() + "ask/" + question, host(), List.of(headers), body);
    }

    private static String status(String reply) {
        return reply.split(" ", 3)[1];
    }

    @Test
    void whoHasTheAddressGetsThePageItsFilesAndAnswers() throws IOException {
        assertThat(get(address.getPath())).startsWith("HTTP/1.1 200").containsIgnoringCase("Content-Security-Policy:")
                .contains("start.js");
        assertThat(get(address.getPath() + "start.js")).startsWith("HTTP/1.1 200").contains("text/javascript");
        assertThat(get(address.getPath().replaceFirst("/$", ""))).startsWith("HTTP/1.1 308")
                .containsIgnoringCase("Location: " + address.getPath() + "\r\n");
        assertThat(get(address.getPath() + "look")).startsWith("HTTP/1.1 200").contains("\"kind\":\"network\"");
        assertThat(post("marginals", "{\"evidence\":[]}", "Content-Type: application/json"))
                .startsWith("HTTP/1.1 200").contains("\"exact\":true");
    }

    @Test
    void nobodyElseGetsAnything() throws IOException {
        String token = address.getPath().substring(1, address.getPath().length() - 1);
        assertThat(token).hasSize(32);
        for (String path : List.of("/", "/look", "/start.js", "/" + token.substring(1) + "0/look",
                "/" + token.toUpperCase(java.util.Locale.ROOT) + "x/", "/%2e%2e/" + token + "/")) {
            assertThat(status(get(path))).as(path).isEqualTo("403");
        }
        assertThat(status(get(address.getPath(), "Origin: http://evil.example"))).isEqualTo("403");
        assertThat(status(get(address.getPath(), "Origin: null"))).isEqualTo("403");
        assertThat(status(get(address.getPath(), "Sec-Fetch-Site: cross-site"))).isEqualTo("403");
        assertThat(status(request("GET", address.getPath(), "evil.example:" + address.getPort(), List.of(), "")))
                .as("a name that leads here").isEqualTo("403");
        assertThat(status(get(address.getPath(), "Origin: http://" + host(), "Sec-Fetch-Site: same-origin")))
                .isEqualTo("200");
    }

    @Test
    void onlyItsOwnFilesAreServedAndNothingIsWritten() throws IOException {
        for (String path : List.of("../secret", "..%2f..%2fetc%2fpasswd", "package-info.class", "missing.js", "a/b",
                "file/x.png", "file/../manifest.json")) {
            assertThat(status(get(address.getPath() + path))).as(path).isIn("404", "403");
        }
        for (String method : List.of("PUT", "DELETE", "POST")) {
            assertThat(status(request(method, address.getPath() + "start.js", host(), List.of(), "x")))
                    .isEqualTo("405");
        }
    }

    @Test
    void aQuestionThatIsNoJsonIsRefusedInASentence() throws IOException {
        assertThat(post("marginals", "{", "Content-Type: application/json")).startsWith("HTTP/1.1 400")
                .contains("\"error\":");
        assertThat(post("marginals", "[]", "Content-Type: application/json")).contains("a question is a JSON object");
        assertThat(post("marginals", "{}", "Content-Type: text/plain")).startsWith("HTTP/1.1 400");
        assertThat(post("marginals", "{\"evidence\":[[0,7]]}", "Content-Type: application/json"))
                .startsWith("HTTP/1.1 400").contains("is no state of a variable");
    }

    @Test
    void itListensToThisMachineOnly() throws IOException {
        for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress other : Collections.list(network.getInetAddresses())) {
                if (!other.isLoopbackAddress()) {
                    assertThatThrownBy(() -> new Socket(other, address.getPort()).close())
                            .isInstanceOf(IOException.class);
                }
            }
        }
        NetworkPage page = NetworkPage.of(BuiltInNetworks.open("asia"), "asia");
        assertThatThrownBy(() -> Explorer.start(page, address.getPort())).isInstanceOf(BindException.class);
    }

    @Test
    @Tag("slow")
    void whatNobodyWaitsForIsNotWorkedOn() throws Exception {
        try (Explorer slow = Explorer.start(NetworkPageTest.page(24), 0)) {
            HttpClient client = HttpClient.newHttpClient();
            long start = System.nanoTime();
            var answer = client.sendAsync(asked(slow, "marginals", "{\"effort\":3}"),
                    HttpResponse.BodyHandlers.ofString());
            while (!answer.isDone()) {
                assertThat(client.send(asked(slow, "cancel", "{}"), HttpResponse.BodyHandlers.ofString()).statusCode())
                        .isEqualTo(200);
                Thread.sleep(200);
            }
            assertThat(answer.get().statusCode()).isEqualTo(200);
            assertThat(System.nanoTime() - start).as("it would go on for 96 s").isLessThan(60_000_000_000L);
        }
    }

    @Test
    @Tag("slow")
    void oneTabsQuestionsDoNotCutAnothersAnswerShort() throws Exception {
        try (Explorer slow = Explorer.start(NetworkPageTest.page(24), 0)) {
            HttpClient client = HttpClient.newHttpClient();
            var better = client.sendAsync(asked(slow, "marginals", "{\"effort\":1,\"page\":\"a\"}"),
                    HttpResponse.BodyHandlers.ofString());
            int others = 0;
            while (!better.isDone()) {
                assertThat(client.send(asked(slow, "cancel", "{\"page\":\"b\"}"),
                        HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(200);
                assertThat(client.send(asked(slow, "marginals", "{\"page\":\"b\"}"),
                        HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(200);
                others++;
            }
            assertThat(others).as("first answers beside it").isPositive();
            assertThat(Json.read(better.get().body().getBytes(StandardCharsets.UTF_8)).path("seconds").asDouble())
                    .as("of the 6 s it may take").isGreaterThan(4);
        }
    }

    private static HttpRequest asked(Explorer of, String question, String about) {
        return HttpRequest.newBuilder(of.address().resolve("ask/" + question))
                .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(about)).build();
    }
}
