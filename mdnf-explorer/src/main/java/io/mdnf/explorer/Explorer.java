package io.mdnf.explorer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mdnf.space.Check;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A page for a browser on this machine.
 *
 * <pre>{@code
 * try (Explorer explorer = Explorer.start(NetworkPage.of(BuiltInNetworks.open("asia"), "asia"), 0)) {
 *     System.out.println(explorer.address());
 *     Thread.sleep(Long.MAX_VALUE);
 * }
 * }</pre>
 *
 * <p>It listens to 127.0.0.1 only, and answers only who knows the random token in the address, from no page but its
 * own: a request with another {@code Host} or {@code Origin} is refused. Nothing can be written by it.
 */
public final class Explorer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Explorer.class);
    private static final int LONGEST_QUESTION = 1 << 20;
    /** Most of them wait for their turn, while others take what is cancelled. */
    private static final int THREADS = 48;
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'";

    static {
        // an answer's head and body are two packets: else the second waits 40 ms until the first is acknowledged
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final Page page;
    private final byte[] token;
    private final Visitors visitors = new Visitors();

    private Explorer(HttpServer server, ExecutorService threads, Page page, byte[] token) {
        this.server = server;
        this.threads = threads;
        this.page = page;
        this.token = token;
    }

    /** Starts to serve a page; port 0 is any that is free. Closing closes the page too. */
    public static Explorer start(Page page, int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 0);
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "explorer");
            thread.setDaemon(true);
            return thread;
        });
        Explorer explorer = new Explorer(server, threads, page,
                HexFormat.of().formatHex(random).getBytes(StandardCharsets.US_ASCII));
        server.createContext("/", explorer::handle);
        server.setExecutor(threads);
        server.start();
        return explorer;
    }

    /** {@return where a browser finds the page, token included} */
    public URI address() {
        return URI.create("http://" + host() + "/" + new String(token, StandardCharsets.US_ASCII) + "/");
    }

    private String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        visitors.close();
        server.stop(0);
        threads.shutdownNow();
        page.close();
    }

    private record Reply(int status, String type, byte[] content) {

        static Reply text(int status, String text) {
            return new Reply(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
        }

        static Reply json(int status, Object answer) throws IOException {
            return new Reply(status, "application/json", Json.bytes(answer));
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Reply reply;
            try {
                reply = reply(exchange);
            } catch (IOException | RuntimeException e) {
                LOG.warn("{} {}", exchange.getRequestMethod(), exchange.getRequestURI().getPath(), e);
                reply = Reply.json(500, Map.of("error", "this failed: " + e.getMessage()));
            }
            Headers headers = exchange.getResponseHeaders();
            headers.set("Content-Type", reply.type);
            headers.set("Content-Security-Policy", POLICY);
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("Cross-Origin-Resource-Policy", "same-origin");
            headers.set("Cache-Control", "no-store");
            exchange.sendResponseHeaders(reply.status, reply.content.length == 0 ? -1 : reply.content.length);
            exchange.getResponseBody().write(reply.content);
        } catch (IOException e) {
            LOG.debug("nobody waited for the answer", e);
        }
    }

    private Reply reply(HttpExchange exchange) throws IOException {
        Headers asked = exchange.getRequestHeaders();
        String origin = asked.getFirst("Origin");
        String site = asked.getFirst("Sec-Fetch-Site");
        if (!host().equals(asked.getFirst("Host")) || origin != null && !origin.equals("http://" + host())
                || site != null && !List.of("same-origin", "none").contains(site)) {
            return Reply.text(403, "only the page itself may ask here: open the address that was printed");
        }
        String[] path = exchange.getRequestURI().getPath().split("/", 4);
        if (path.length < 2 || !MessageDigest.isEqual(path[1].getBytes(StandardCharsets.UTF_8), token)) {
            return Reply.text(403, "the address lacks its token: open the one that was printed");
        }
        if (path.length == 2) {
            exchange.getResponseHeaders().set("Location", address().getPath());
            return Reply.text(308, "with a slash at its end");
        }
        boolean isAsked = path.length == 4 && path[2].equals("ask");
        if (!exchange.getRequestMethod().equals(isAsked ? "POST" : "GET")) {
            return Reply.text(405, "not done by " + exchange.getRequestMethod());
        }
        if (isAsked) {
            return asked(path[3], exchange);
        }
        if (path.length == 4) {
            return path[2].equals("file") ? file(path[3]) : Reply.text(404, "there is no such page");
        }
        return path[2].equals("look") ? Reply.json(200, page.look()) : resource(path[2].isEmpty() ? "index.html"
                : path[2]);
    }

    private Reply asked(String question, HttpExchange exchange) throws IOException {
        byte[] content = exchange.getRequestBody().readNBytes(LONGEST_QUESTION + 1);
        if (content.length > LONGEST_QUESTION
                || !"application/json".equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
            return Reply.json(400, Map.of("error", "a question is JSON of at most a megabyte"));
        }
        try {
            JsonNode about = Json.read(content);
            Check.that(about.isObject(), "a question is a JSON object");
            BooleanSupplier cancelled = visitors.asks(about.path("page").asText(),
                    about.path("turn").asLong(), List.of("marginals", "cancel").contains(question));
            return Reply.json(200, question.equals("cancel") ? Map.of() : page.answer(question, about, cancelled));
        } catch (CancellationException e) {
            return Reply.json(409, Map.of("error", String.valueOf(e.getMessage())));
        } catch (IllegalArgumentException | JsonProcessingException e) {
            return Reply.json(400, Map.of("error", String.valueOf(e.getMessage())));
        }
    }

    private Reply file(String name) throws IOException {
        Optional<Path> file = page.file(name);
        return file.isEmpty() ? Reply.text(404, "there is no such file")
                : new Reply(200, "image/png", Files.readAllBytes(file.get()));
    }

    private static Reply resource(String name) throws IOException {
        Optional<String> text = WebFiles.text(name);
        return text.isEmpty() ? Reply.text(404, "there is no such page")
                : new Reply(200, WebFiles.type(name), text.get().getBytes(StandardCharsets.UTF_8));
    }
}
