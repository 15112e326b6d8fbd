package io.mdnf.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.Node;
import io.mdnf.bn.Questions;
import io.mdnf.bn.VariableElimination;
import io.mdnf.checkpoint.RunManifest;
import io.mdnf.mnist.LabelledImages;
import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;

/** The pages in a real browser, driven as a person would; skipped where there is no chromium with its chromedriver. */
@Tag("slow")
class ExplorerInChromiumTest {

    private static final BayesianNetwork ASIA = BuiltInNetworks.open("asia");
    private static ChromeDriver browser;

    private Explorer explorer;

    @BeforeAll
    static void open() throws IOException {
        Optional<Path> chromium = onPath("chromium");
        Optional<Path> driver = onPath("chromedriver");
        assumeTrue(chromium.isPresent() && driver.isPresent(), "chromium and chromedriver are not on the path");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.get().toFile());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--disable-dev-shm-usage", "--window-size=1400,900");
        browser = new ChromeDriver(new ChromeDriverService.Builder()
                .usingDriverExecutable(driver.get().toFile()).usingAnyFreePort().build(), options);
        browser.manage().timeouts().scriptTimeout(Duration.ofSeconds(30));
    }

    private static Optional<Path> onPath(String program) {
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

    private void show(Page page) throws IOException {
        explorer = Explorer.start(page, 0);
        show(explorer.address());
    }

    private void show(URI address) {
        browser.get(address.toString());
        until("the page is there", () -> !browser.findElements(By.cssSelector(".page")).isEmpty());
    }

    private static void until(String what, BooleanSupplier holds) {
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

    private static Object run(String script, Object... arguments) {
        return browser.executeScript(script, arguments);
    }

    private static String status() {
        return (String) run("return document.querySelector('.status')?.textContent ?? ''");
    }

    private static String panel() {
        return (String) run("return document.querySelector('.panel').innerText");
    }

    private static WebElement bar(String variable, int state) {
        return browser.findElement(By.cssSelector(".node[aria-label='" + variable + "'] .bar:nth-child("
                + (state + 1) + ")"));
    }

    private static void click(String variable, int state) {
        run("arguments[0].click()", bar(variable, state));
    }

    private static void press(String text) {
        run("[...document.querySelectorAll('button')].find(b => b.textContent === arguments[0] && !b.disabled).click()",
                text);
    }

    /** What the page shows is what exact inference says, in every bar. */
    private static void untilBarsAreExact(String evidence) {
        ExactPosterior exact = VariableElimination.posterior(Evidence.parse(ASIA, evidence));
        List<String> expected = IntStream.range(0, ASIA.size()).boxed().flatMap(v -> IntStream.range(0, 2)
                .mapToObj(k -> ASIA.node(v).name() + " " + percent(exact.marginals()[v][k]))).toList();
        until("bars of " + evidence + ": " + expected, () -> ((List<?>) run("return [...document"
                + ".querySelectorAll('.node')].flatMap(node => [...node.querySelectorAll('.value')]"
                + ".map(value => node.getAttribute('aria-label') + ' ' + value.textContent))")).containsAll(expected));
    }

    private static String value(String variable, int state) {
        return (String) run("return arguments[0].querySelector('.value').textContent", bar(variable, state));
    }

    private static String percent(double p) {
        double value = 100 * p;
        return value > 0 && value < 0.05 ? "<0.1 %" : value < 100 && value > 99.95 ? ">99.9 %"
                : String.format(java.util.Locale.ROOT, "%.1f %%", value);
    }

    @Test
    void aClickOnAStateIsEvidenceAndAllBarsMoveAgainItIsFree() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        untilBarsAreExact("");
        click("xray", 0);
        untilBarsAreExact("xray=yes");
        assertThat(bar("xray", 0).getAttribute("aria-pressed")).isEqualTo("true");
        click("smoke", 1);
        untilBarsAreExact("xray=yes,smoke=no");
        assertThat(status()).contains("xray=yes, smoke=no").contains("exact");
        click("xray", 0);
        untilBarsAreExact("smoke=no");
        press("Undo");
        untilBarsAreExact("xray=yes,smoke=no");
        press("Undo");
        untilBarsAreExact("xray=yes");
        press("Redo");
        untilBarsAreExact("xray=yes,smoke=no");
        press("Clear");
        untilBarsAreExact("");
    }

    @Test
    void evidenceOfProbability0IsSaidAndCanBeTakenBack() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        click("tub", 0);
        untilBarsAreExact("tub=yes");
        click("either", 1);
        until("it is said", () -> status().contains("this has probability 0"));
        assertThat(panel()).doesNotContain("null");
        press("Undo");
        untilBarsAreExact("tub=yes");
    }

    @Test
    void whatWasCancelledIsNotExportedAsAnAnswerToTheEvidence() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        untilBarsAreExact("");
        run("document.body.page.engine.ask = (question, about, signal) => new Promise((_, reject) => "
                + "signal.addEventListener('abort', () => reject(signal.reason)))");
        click("xray", 0);
        until("it can be cancelled", () -> status().contains("Working"));
        press("Cancel");
        until("it is said", () -> status().contains("Cancelled: the bars are those of before"));
        assertThat(panel()).contains("xray = yes").doesNotContain("log evidence");
        press("Answer (JSON)");
        assertThat(status()).contains("There is no answer to this evidence to export.");
        run("delete document.body.page.engine.ask");
        press("Undo");
        untilBarsAreExact("");
        click("xray", 0);
        untilBarsAreExact("xray=yes");
    }

    @Test
    void theKeyboardDoesAllOfIt() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        untilBarsAreExact("");
        run("arguments[0].focus()", bar("xray", 0));
        new Actions(browser).sendKeys(Keys.ARROW_DOWN, Keys.ENTER).perform();
        untilBarsAreExact("xray=no");
        new Actions(browser).keyDown(Keys.CONTROL).sendKeys("z").keyUp(Keys.CONTROL).perform();
        untilBarsAreExact("");
        new Actions(browser).sendKeys("/").sendKeys("bro").sendKeys(Keys.ENTER).perform();
        until("bronc is found", () -> !browser.findElements(By.cssSelector(".node.found.selected[aria-label='bronc']"))
                .isEmpty());
        assertThat(browser.findElement(By.cssSelector(".panel h2")).getText()).isEqualTo("bronc");
    }

    @Test
    void softEvidenceIsAskedForAndHeeded() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        untilBarsAreExact("");
        new Actions(browser).keyDown(Keys.SHIFT).click(bar("dysp", 0)).keyUp(Keys.SHIFT).perform();
        until("it asks", () -> !browser.findElements(By.cssSelector("dialog input[type=range]")).isEmpty());
        run("document.querySelectorAll('dialog input').forEach((field, k) => { field.value = [0.9, 0.3][k];"
                + " field.dispatchEvent(new Event('input')); })");
        press("Apply");
        Questions soft = Questions.of(Evidence.none(ASIA)).soft(ASIA.indexOf("dysp"), 0.9, 0.3);
        until("bars follow", () -> value("bronc", 0).equals(percent(soft.marginal(ASIA.indexOf("bronc"))[0])));
        assertThat(browser.findElement(By.cssSelector(".chips")).getText()).contains("dysp ~ yes 0.9");
    }

    @Test
    void whatIsPinnedStandsBesideWhatIsShown() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        click("smoke", 0);
        untilBarsAreExact("smoke=yes");
        press("Compare");
        press("Pin what is shown now");
        click("smoke", 1);
        untilBarsAreExact("smoke=no");
        double pinned = VariableElimination.posterior(Evidence.parse(ASIA, "smoke=yes"))
                .marginals()[ASIA.indexOf("xray")][0];
        assertThat(bar("xray", 0).getAttribute("aria-label")).contains("pinned " + percent(pinned));
        assertThat(browser.findElement(By.cssSelector(".panel table")).getText()).contains("smoke = yes");
    }

    @Test
    void detailsOfAVariableAreAnswered() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        click("xray", 0);
        untilBarsAreExact("xray=yes");
        run("[...document.querySelectorAll('.name')].find(b => b.textContent === 'lung').click()");
        until("what moved it", () -> panel()
                .contains("What moved it most"));
        run("const s = document.querySelector('.panel select'); s.value = '0'; s.onchange()");
        double[] joint = Questions.of(Evidence.parse(ASIA, "xray=yes")).joint(ASIA.indexOf("lung"), 0);
        until("a joint", () -> panel()
                .contains(String.format(java.util.Locale.ROOT, "%.4f", joint[3])));
        press("Explanations");
        double best = Questions.of(Evidence.parse(ASIA, "xray=yes")).mostProbable(1).get(0).probability();
        until("explanations", () -> panel().contains(percent(best)));
    }

    @Test
    void everyExportHoldsWhatIsShown() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        click("xray", 0);
        untilBarsAreExact("xray=yes");
        String svg = (String) run("return document.body.page.picture()");
        assertThat(svg).startsWith("<svg").contains("bronc", "xray=yes", value("lung", 0).replace("<", "&lt;"));
        assertThat((String) run("return csvOf(document.body.page.model, document.body.page.answerNow)"))
                .contains("xray,yes,").hasLineCount(17);
        assertThat((String) run("return document.body.page.json()")).contains("\"xray\": \"yes\"");
        assertThat(run("return document.body.page.evidence.command('asia')"))
                .isEqualTo("mdnf bn query asia --evidence xray=yes");
        assertThat(run("return document.body.page.evidence.command('a field.uai', false)"))
                .isEqualTo("echo '1 " + ASIA.indexOf("xray") + " 0' > case.evid && mdnf uai fit 'a field.uai' "
                        + "--evidence case.evid");
        assertThat((long) browser.executeAsyncScript("const done = arguments[0];"
                + "pngOf(document.body.page.picture()).then(blob => done(blob.size), e => done(-1))"))
                .isGreaterThan(5000);
        run("document.body.page.evidence.load({evidence: {smoke: 'no'}, soft: {dysp: {yes: 1, no: 0.5}}})");
        until("a loaded file is heeded", () -> status().contains("smoke=no, dysp~"));
        assertThat((String) run("try { document.body.page.evidence.load({evidence: {smok: 'no'}}) } "
                + "catch (e) { return e.message }")).isEqualTo("this network has no variable 'smok'");
        for (String damaged : List.of("null", "{evidence: null}", "{evidence: {}, soft: {dysp: null}}")) {
            assertThat((String) run("try { document.body.page.evidence.load(" + damaged + ") } "
                    + "catch (e) { return e.message }")).contains("evidence").doesNotContain("undefined");
        }
    }

    @Test
    void anExportedPageOpensByItselfAndAnswersTheSame(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("asia.html");
        Files.writeString(file, NetworkPage.of(ASIA, "asia").alone());
        show(file.toUri());
        untilBarsAreExact("");
        click("xray", 0);
        click("dysp", 1);
        untilBarsAreExact("xray=yes,dysp=no");
        Questions questions = Questions.of(Evidence.parse(ASIA, "xray=yes,dysp=no"))
                .soft(ASIA.indexOf("bronc"), 0.2, 0.9);
        String about = "const e = document.body.page.engine; const about = {evidence: [[" + ASIA.indexOf("xray")
                + ", 0], [" + ASIA.indexOf("dysp") + ", 1]], soft: [[" + ASIA.indexOf("bronc") + ", [0.2, 0.9]]]};";
        for (int v = 0; v < ASIA.size(); v++) {
            assertNumbers(about + "return e.marginals(about).marginals[" + v + "]", questions.marginal(v));
        }
        assertNumbers(about + "return [e.marginals(about).lower]", questions.logEvidence());
        assertNumbers(about + "return e.information({...about, target: 1}).information", questions.information(1));
        assertNumbers(about + "return e.joint({...about, variables: [0, 3]}).joint", questions.joint(0, 3));
        assertNumbers(about + "return e.influences({...about, target: 3}).influences.map(i => i.nats)",
                questions.influences(3).stream().mapToDouble(Questions.Influence::nats).toArray());
        assertNumbers(about + "return e.explanations({...about, count: 6}).explanations.map(x => x.probability)",
                questions.mostProbable(6).stream().mapToDouble(Questions.Explanation::probability).toArray());
    }

    private static void assertNumbers(String script, double... expected) {
        assertThat(((List<?>) run(script)).stream().mapToDouble(x -> ((Number) x).doubleValue()).toArray())
                .containsExactly(expected, within(1e-9));
    }

    @Test
    void namesAreShownAsTextWhateverTheyHold() throws IOException {
        String hostile = "<img src=x onerror=\"document.title='owned'\"> & 'quoted'";
        show(NetworkPage.of(BayesianNetwork.of(hostile, List.of(new Node(hostile, List.of("<b>bold</b>", "\"\"'"),
                List.of(), new double[] {0.25, 0.75}))), "file.bif"));
        until("a value", () -> value0().equals("25.0 %"));
        assertThat(browser.findElement(By.cssSelector(".node .name")).getText()).isEqualTo(hostile);
        assertThat(browser.findElements(By.cssSelector(".node img, .node b"))).isEmpty();
        assertThat(browser.getTitle()).isEqualTo(hostile + " · MDNF");
        assertThat((String) run("return document.body.page.picture()")).doesNotContain("<img");
    }

    private static String value0() {
        return browser.findElement(By.cssSelector(".node .value")).getText();
    }

    @Test
    void aWideNetworkIsFoldedAndANarrowScreenIsNotScrolledSideways() throws IOException {
        BayesianNetwork hepar = BuiltInNetworks.open("hepar2");
        show(NetworkPage.of(hepar, "hepar2"));
        until("folded", () -> browser.findElements(By.cssSelector(".node.folded")).size() == hepar.size());
        until("values", () -> browser.findElement(By.cssSelector(".node .top")).getText().contains("%"));
        run("document.querySelector('.node .fold').click()");
        assertThat(browser.findElements(By.cssSelector(".node.folded"))).hasSize(hepar.size() - 1);
        Dimension before = browser.manage().window().getSize();
        try {
            browser.manage().window().setSize(new Dimension(500, 800));
            run("document.documentElement.style.width = '360px'");
            assertThat((long) run("return document.documentElement.scrollWidth")).isLessThanOrEqualTo(500);
        } finally {
            browser.manage().window().setSize(before);
        }
    }

    @Test
    void aRunsCurveGrowsWhileItGoes(@TempDir Path folder) throws IOException {
        new RunManifest("mdnf bn fit", Map.of("network", "asia"), 1, List.of(), Map.of(), "cpu",
                java.time.Instant.EPOCH, Optional.empty(), RunManifest.Status.RUNNING, "").write(folder);
        Files.writeString(folder.resolve("truth.json"), "{\"logEvidence\": -2.5}");
        Path metrics = folder.resolve("metrics-joint.csv");
        Files.writeString(metrics, "step,temperature,elbo\n1,1.0,-9.0\n2,0.9,-5.0\n");
        show(new RunPage(folder));
        until("two points", () -> points().equals("2"));
        assertThat((String) run("return document.querySelector('figcaption').textContent"))
                .contains("elbo", "exact −2.5");
        Files.writeString(metrics, "step,temperature,elbo\n1,1.0,-9.0\n2,0.9,-5.0\n3,0.8,-3.0\n");
        until("three", () -> points().equals("3"));
        assertThat(status()).contains("running");
        Files.writeString(folder.resolve("result.json"), "{\"kl\": 0.25, \"algorithm\": \"<b>any</b>\", "
                + "\"marginals\": {\"tub\": {\"yes\": 1}}}");
        until("what it found", () -> ((String) run("return document.body.innerText")).matches(
                "(?s).*algorithm\\s+<b>any</b>.*tub\\s+yes.*"));
        assertThat((String) run("return document.body.innerText")).containsPattern("kl\\s+0.25");
    }

    private static String points() {
        return (String) run("return document.querySelector('figure.curve')?.dataset.points ?? ''");
    }

    /** An autoencoder of 4 x 4 pixels after a few steps: whatever it learned, another code decodes to another image. */
    @Test
    void aSliderOfACodeChangesThePicture(@TempDir Path folder) throws IOException {
        new RunManifest("mdnf vae train", Map.of(), 1, List.of(), Map.of(), "cpu", java.time.Instant.EPOCH,
                Optional.of(java.time.Instant.EPOCH), RunManifest.Status.FINISHED, "").write(folder);
        byte[] pixels = new byte[16 * 64];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) (i / 16 % 4 == i % 4 ? 255 : 0);
        }
        DigitImages images = DigitImages.of(4, 4, pixels);
        VaeSettings settings = VaeSettings.of(3, 4).withHidden(16).withBatch(16, 1e-2);
        TrainedVae vae;
        try (GradientTraining<TrainedVae> training = new GradientTraining<>(new VaeTraining(settings, images, 5))) {
            vae = training.result(training.finish(training.init(Seed.of(1))));
        }
        show(new AutoencoderPage(vae, images.shape(), Optional.of(new LabelledImages(images, new byte[64])),
                new RunPage(folder)));
        until("a picture", () -> !picture().isEmpty());
        String before = picture();
        String code = (String) run("return document.querySelector('canvas').dataset.code");
        run("const s = document.querySelector('.sliders input'); s.value = (Number(s.value) + 1) % 4;"
                + " s.dispatchEvent(new Event('input'))");
        until("another code", () -> !code.equals(run("return document.querySelector('canvas').dataset.code")));
        assertThat(picture()).isNotEqualTo(before);
        until("an image with its posterior", () -> !browser.findElements(By.cssSelector(".heat td")).isEmpty());
        until("samples", () -> browser.findElements(By.cssSelector("[aria-label=Samples] .picture")).size() == 40);
        press("Its neighbours");
        until("neighbours", () -> browser.findElements(By.cssSelector("[aria-label=Code] .picture")).size() == 9);
    }

    private static String picture() {
        return (String) run("const c = document.querySelector('canvas'); return c.dataset.code ? c.toDataURL() : ''");
    }

    @Test
    void nothingIsMissingAndNothingIsFetchedFromElsewhere() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        untilBarsAreExact("");
        List<?> fetched = (List<?>) run("return performance.getEntriesByType('resource').map(r => r.name)");
        assertThat(fetched).isNotEmpty().allMatch(name -> name.toString().startsWith(explorer.address().toString())
                || name.toString().startsWith("data:"));
        assertThat(browser.manage().logs().get("browser").getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= java.util.logging.Level.SEVERE.intValue()).toList())
                .isEmpty();
        byte[] picture = browser.getScreenshotAs(OutputType.BYTES);
        assertThat(Arrays.copyOf(picture, 4)).isEqualTo(new byte[] {(byte) 0x89, 'P', 'N', 'G'});
        Optional.ofNullable(System.getProperty("screenshots")).ifPresent(to -> {
            try {
                Files.write(Path.of(to), picture);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }
}
