package io.mdnf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.plot.Gallery;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens a report in a real browser. Where no {@code chromium} is on the path the tests are skipped by an assumption and
 * reported as such; {@link HtmlReportTest} checks what can be checked without one.
 */
@Tag("slow")
class ReportInChromiumTest {
    // Runs in the page after it has loaded and sends its findings, hex-coded, to the page around it.
    private static final String PROBE = """
            <script>
            var errors = [];
            window.addEventListener('error', function (e) {
              errors.push(String(e.message || e.target.outerHTML));
            }, true);
            document.addEventListener('securitypolicyviolation', function (e) {
              errors.push('policy ' + e.blockedURI);
            });
            window.addEventListener('load', function () {
              var sizes = [];
              document.querySelectorAll('figure').forEach(function (figure) {
                var picture = figure.querySelector('svg.plot, img');
                var box = picture.getBoundingClientRect();
                sizes.push([box.width, box.height, picture.naturalWidth === undefined ? 1 : picture.naturalWidth]);
              });
              var texts = [];
              document.querySelectorAll('svg.plot').forEach(function (svg) {
                var page = svg.getBoundingClientRect();
                var scale = page.width / svg.viewBox.baseVal.width;
                svg.querySelectorAll('text').forEach(function (text) {
                  var box = text.getBoundingClientRect();
                  var inside = box.left >= page.left - 0.5 && box.right <= page.right + 0.5
                      && box.top >= page.top - 0.5 && box.bottom <= page.bottom + 0.5;
                  texts.push([inside ? 1 : 0, scale * parseFloat(getComputedStyle(text).fontSize), text.textContent]);
                });
              });
              var wide = [];
              document.querySelectorAll('.scroll').forEach(function (box) {
                if (box.scrollWidth > box.clientWidth) { wide.push(box.getAttribute('aria-label')); }
              });
              var found = JSON.stringify({errors: errors, wide: wide, sizes: sizes, texts: texts,
                fetched: performance.getEntriesByType('resource').map(function (r) { return r.name.slice(0, 60); })
                    .filter(function (name) { return name.indexOf('data:') !== 0; }),
                width: window.innerWidth, scrollWidth: document.documentElement.scrollWidth,
                background: getComputedStyle(document.body).backgroundColor,
                ink: getComputedStyle(document.querySelector('svg.plot text')).fill});
              var bytes = new TextEncoder().encode(found);
              var hex = '';
              bytes.forEach(function (b) { hex += (b < 16 ? '0' : '') + b.toString(16); });
              parent.postMessage(hex, '*');
            });
            </script>
            """;

    // The report in a frame of the wanted width, since a window of chromium is never narrower than 500 pixels.
    private static final String FRAME = """
            <!DOCTYPE html>
            <html><head><meta charset="utf-8"/><script>
            window.addEventListener('message', function (e) {
              document.documentElement.setAttribute('data-found', e.data);
            });
            </script></head>
            <body style="margin:0"><iframe src="probed.html" style="border:0;width:%dpx;height:1600px"></iframe></body>
            </html>
            """;

    private static final Map<String, JsonNode> FOUND = new HashMap<>();

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0} pixels wide, where chromium is installed")
    @ValueSource(ints = {1200, 390})
    void everyFigureHasASizeNothingFailsToLoadAndThePageDoesNotScrollSideways(int width) throws Exception {
        JsonNode found = probe(width, false);
        assertThat(found.path("errors")).isEmpty();
        assertThat(found.path("fetched")).isEmpty();
        // Every plot and one picture.
        assertThat(found.path("sizes")).hasSize(Gallery.plots().size() + 1);
        for (JsonNode size : found.path("sizes")) {
            assertThat(size.path(0).asDouble()).isGreaterThan(20);
            assertThat(size.path(1).asDouble()).isGreaterThan(20);
            assertThat(size.path(2).asInt()).isPositive();
        }
        assertThat(found.path("width").asInt()).isEqualTo(width);
        assertThat(found.path("scrollWidth").asInt()).isLessThanOrEqualTo(width);
    }

    @Test
    void figuresAndTablesOfTenColumnsNeedNoScrollingOnAWideScreenWhereChromiumIsInstalled() throws Exception {
        assertThat(probe(1200, false).path("wide")).isEmpty();
        // on a telephone the same scroll, which shows that the probe sees it
        assertThat(probe(390, false).path("wide")).extracting(JsonNode::asText)
                .contains("Table: KL(q‖p) in nats, ten columns", "Figure: KL by case");
    }

    @ParameterizedTest(name = "{0} pixels wide, where chromium is installed")
    @ValueSource(ints = {1200, 390})
    void noLabelOfAPlotIsCutOffOrTooSmall(int width) throws Exception {
        JsonNode texts = probe(width, false).path("texts");
        assertThat(texts.size()).isGreaterThan(500);
        for (JsonNode text : texts) {
            assertThat(text.path(0).asInt()).as("'%s' within its plot", text.path(2).asText()).isEqualTo(1);
            assertThat(text.path(1).asDouble()).as("size of '%s'", text.path(2).asText()).isGreaterThanOrEqualTo(11);
        }
    }

    @Test
    void darkReadersGetADarkPageAndLightInkWhereChromiumIsInstalled() throws Exception {
        JsonNode light = probe(1200, false);
        assertThat(light.path("background").asText()).isEqualTo("rgb(255, 255, 255)");
        assertThat(light.path("ink").asText()).isEqualTo("rgb(27, 31, 36)");
        JsonNode dark = probe(1200, true);
        assertThat(dark.path("background").asText()).isEqualTo("rgb(21, 24, 28)");
        assertThat(dark.path("ink").asText()).isEqualTo("rgb(232, 234, 237)");
    }

    /** The report, its plots as files and the screenshot stay in {@code target/sample-report}, to be looked at. */
    @Test
    void aScreenshotOfTheUntouchedReportIsNotBlankWhereChromiumIsInstalled() throws Exception {
        Path kept = Path.of("target", "sample-report").toAbsolutePath();
        SampleReport.write(kept);
        Path picture = kept.resolve("report.png");
        chromium(List.of("--window-size=1200,7000", "--screenshot=" + picture,
                kept.resolve("report.html").toUri().toString()));
        BufferedImage image = ImageIO.read(picture.toFile());
        assertThat(image.getWidth()).isEqualTo(1200);
        long painted = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                painted += (image.getRGB(x, y) & 0xFFFFFF) == 0xFFFFFF ? 0 : 1;
            }
        }
        // Text and lines cover at least one pixel in a hundred.
        assertThat(painted).isGreaterThan((long) image.getWidth() * image.getHeight() / 100);
    }

    /** What the page told at a width; asked once, since a browser takes its time. */
    private JsonNode probe(int width, boolean dark) throws Exception {
        String asked = width + (dark ? " dark" : "");
        if (!FOUND.containsKey(asked)) {
            FOUND.put(asked, ask(width, dark));
        }
        return FOUND.get(asked);
    }

    private JsonNode ask(int width, boolean dark) throws Exception {
        String html = HtmlReport.html(SampleReport.report());
        // The report's own policy forbids scripts; the probe is let in, everything else stays forbidden.
        String policy = "default-src 'none';";
        assertThat(html).containsOnlyOnce(policy);
        // Once, before the page's own title: every mark of a plot has a title too.
        int title = html.indexOf("<title>");
        String probed = html.substring(0, title).replace(policy, policy + " script-src 'unsafe-inline';") + PROBE
                + html.substring(title);
        assertThat(probed.length()).isGreaterThan(html.length() + PROBE.length());
        Files.writeString(folder.resolve("probed.html"), probed);
        Path frame = folder.resolve("frame.html");
        Files.writeString(frame, String.format(Locale.ROOT, FRAME, width));
        // Time runs ahead until nothing happens any more, so that the message has arrived.
        List<String> options = new ArrayList<>(List.of("--window-size=1300,1600", "--virtual-time-budget=1000",
                "--dump-dom"));
        if (dark) {
            options.add("--force-dark-mode");
        }
        options.add(frame.toUri().toString());
        Matcher found = Pattern.compile("data-found=\"([0-9a-f]+)\"").matcher(chromium(options));
        assertThat(found.find()).as("the probe ran").isTrue();
        byte[] bytes = HexFormat.of().parseHex(found.group(1));
        return new ObjectMapper().readTree(new String(bytes, StandardCharsets.UTF_8));
    }

    private String chromium(List<String> options) throws IOException, InterruptedException {
        Optional<Path> binary = onPath("chromium");
        assumeTrue(binary.isPresent(), "chromium is not installed");
        Path out = Files.createTempFile(folder, "chromium", ".out");
        List<String> command = new ArrayList<>(List.of(binary.get().toString(), "--headless", "--no-sandbox",
                "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                "--user-data-dir=" + Files.createTempDirectory(folder, "profile")));
        command.addAll(options);
        Process process = new ProcessBuilder(command).redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("chromium ends within two minutes").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isZero();
        return Files.readString(out);
    }

    private static Optional<Path> onPath(String name) {
        return Arrays.stream(Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name)).filter(Files::isExecutable).findFirst();
    }
}
