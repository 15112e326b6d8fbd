package io.mdnf.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.VariableElimination;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A real browser, driven as a person would; skipped where there is no chromium with its chromedriver. */
@Tag("slow")
abstract class InChromium {

    static final BayesianNetwork ASIA = BuiltInNetworks.open("asia");
    static ChromeDriver browser;

    Explorer explorer;

    @BeforeAll
    static void open() throws IOException {
        Optional<Path> chromium = Stream.of("chromium", "chromium-browser", "google-chrome").map(InChromium::onPath)
                .flatMap(Optional::stream).findFirst();
        Optional<Path> driver = onPath("chromedriver");
        browser = null;
        if (chromium.isEmpty() || driver.isEmpty()) {
            return;
        }
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.get().toFile());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--disable-dev-shm-usage", "--window-size=1400,900");
        browser = new ChromeDriver(new ChromeDriverService.Builder()
                .usingDriverExecutable(driver.get().toFile()).usingAnyFreePort().build(), options);
        browser.manage().timeouts().scriptTimeout(Duration.ofSeconds(30));
    }

    /** Before each, so that each is reported as skipped, with the reason. */
    @BeforeEach
    void skipWithoutBrowser() {
        assumeTrue(browser != null, "no browser to test in: install chromium with its chromedriver"
                + " (Debian: chromium, chromium-driver) and put both on the path");
    }

    static Optional<Path> onPath(String program) {
        return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
                .map(folder -> Path.of(folder, program)).filter(Files::isExecutable).findFirst();
    }

    @AfterAll
    static void quit() {
        if (browser != null) {
            browser.quit();
        }
    }

    @AfterEach
    void close() {
        if (explorer != null) {
            explorer.close();
        }
    }

    void show(Page page) throws IOException {
        explorer = Explorer.start(page, 0);
        show(explorer.address());
    }

    void show(URI address) {
        browser.get(address.toString());
        until("the page is there", () -> !browser.findElements(By.cssSelector(".page")).isEmpty());
    }

    static void until(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + 120_000_000_000L; // far more than a busy machine needs
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited for: %s; status: %s", what, status()).isLessThan(end);
            try {
                Thread.sleep(30);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static Object run(String script, Object... arguments) {
        return browser.executeScript(script, arguments);
    }

    static String status() {
        return (String) run("return document.querySelector('.status')?.textContent ?? ''");
    }

    static String panel() {
        return (String) run("return document.querySelector('.panel').innerText");
    }

    static WebElement bar(String variable, int state) {
        return browser.findElement(By.cssSelector(".node[aria-label='" + variable + "'] .bar:nth-child("
                + (state + 1) + ")"));
    }

    static void click(String variable, int state) {
        run("arguments[0].click()", bar(variable, state));
    }

    static void press(String text) {
        run("[...document.querySelectorAll('button')].find(b => b.textContent === arguments[0] && !b.disabled).click()",
                text);
    }

    /** What the page shows is what exact inference says, in every bar. */
    static void untilBarsAreExact(String evidence) {
        ExactPosterior exact = VariableElimination.posterior(Evidence.parse(ASIA, evidence));
        List<String> expected = IntStream.range(0, ASIA.size()).boxed().flatMap(v -> IntStream.range(0, 2)
                .mapToObj(k -> ASIA.node(v).name() + " " + percent(exact.marginals()[v][k]))).toList();
        until("bars of " + evidence + ": " + expected, () -> ((List<?>) run("return [...document"
                + ".querySelectorAll('.node')].flatMap(node => [...node.querySelectorAll('.value')]"
                + ".map(value => node.getAttribute('aria-label') + ' ' + value.textContent))")).containsAll(expected));
    }

    static String value(String variable, int state) {
        return (String) run("return arguments[0].querySelector('.value').textContent", bar(variable, state));
    }

    static String percent(double p) {
        double value = 100 * p;
        return value > 0 && value < 0.05 ? "<0.1 %" : value < 100 && value > 99.95 ? ">99.9 %"
                : String.format(java.util.Locale.ROOT, "%.1f %%", value);
    }

    static void assertNumbers(String script, double... expected) {
        assertThat(((List<?>) run(script)).stream().mapToDouble(x -> ((Number) x).doubleValue()).toArray())
                .containsExactly(expected, within(1e-9));
    }

    static String value0() {
        return browser.findElement(By.cssSelector(".node .value")).getText();
    }
}
