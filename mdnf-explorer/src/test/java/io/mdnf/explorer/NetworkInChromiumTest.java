package io.mdnf.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.Node;
import io.mdnf.bn.Questions;
import io.mdnf.bn.VariableElimination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.interactions.WheelInput;

/** The page of a network in a real browser. */
class NetworkInChromiumTest extends InChromium {

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
    void ofManyQuickClicksTheLastIsAnswered() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        untilBarsAreExact("");
        for (int round = 0; round < 20; round++) {
            run("for (let i = 0; i < 8; i++) document.body.page.evidence.toggle(i % 2 ? 4 : 7, arguments[0])",
                    round % 2);
            until("an answer or a complaint", () -> (boolean) run("return document.body.page.current "
                    + "|| document.querySelector('.status').classList.contains('problem')"));
            assertThat(run("return document.querySelector('.status.problem')?.textContent ?? ''")).isEqualTo("");
        }
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
        press("Explanations");
        until("details can be cancelled too", () -> panel().contains("Cancel"));
        run("document.querySelector('.panel .later button').click()");
        assertThat(panel()).contains("Cancelled.");
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

    private static String focused() {
        return (String) run("const e = document.activeElement; return e.closest('.node')?.getAttribute('aria-label')"
                + " + ' ' + (e.querySelector('.state')?.textContent ?? e.textContent)");
    }

    @Test
    void theFocusStaysWhereItWasWhenAnAnswerComes() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        untilBarsAreExact("");
        run("[...document.querySelectorAll('.name')].find(b => b.textContent === 'lung').click()");
        run("arguments[0].focus()", bar("xray", 0));
        new Actions(browser).sendKeys(Keys.ENTER).perform();
        untilBarsAreExact("xray=yes");
        assertThat(focused()).isEqualTo("xray yes");
        bar("xray", 1).click();
        untilBarsAreExact("xray=no");
        assertThat(focused()).isEqualTo("xray no");
        run("document.querySelectorAll('.observe')[1].focus()");
        new Actions(browser).sendKeys(Keys.ENTER).perform();
        untilBarsAreExact("xray=no,lung=no");
        assertThat(run("return document.activeElement === document.querySelectorAll('.observe')[1]")).isEqualTo(true);
        press("Evidence");
        run("document.querySelector('.chips button').focus()");
        new Actions(browser).sendKeys(Keys.ENTER).perform();
        untilBarsAreExact("lung=no");
        assertThat(run("return document.activeElement.id")).as("what had it is gone").isEqualTo("panel-body");
        run("document.querySelector('.tools button').focus()");
        for (String left : List.of("xray=no,lung=no", "xray=no", "xray=yes", "")) {
            new Actions(browser).sendKeys(Keys.ENTER).perform();
            untilBarsAreExact(left);
        }
        assertThat(run("return document.activeElement.textContent")).isEqualTo("Undo");
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

    @Test
    void aWideNetworkIsFoldedAndANarrowScreenIsNotScrolledSideways() throws IOException {
        BayesianNetwork hepar = BuiltInNetworks.open("hepar2");
        show(NetworkPage.of(hepar, "hepar2"));
        until("folded", () -> browser.findElements(By.cssSelector(".node.folded")).size() == hepar.size());
        until("values", () -> browser.findElement(By.cssSelector(".node .top")).getText().contains("%"));
        double[] first = Questions.of(Evidence.none(hepar)).marginal(0);
        assertThat(((Number) run("return Number(document.querySelector('.node .top').style"
                + ".getPropertyValue('--before'))")).doubleValue()).isEqualTo(Arrays.stream(first).max().orElseThrow());
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
    void theFirstViewShowsAllBoxesThatCanBeReadAndNoneUnderTheLegend() throws IOException {
        Dimension before = browser.manage().window().getSize();
        try {
            for (Dimension size : List.of(before, new Dimension(820, 900))) {
                browser.manage().window().setSize(size);
                show(NetworkPage.of(ASIA, "asia"));
                assertThat((long) run("const seen = document.querySelector('.graph').getBoundingClientRect();"
                        + "const low = document.querySelector('.legend').getBoundingClientRect().top;"
                        + "return [...document.querySelectorAll('.node')].map(n => n.getBoundingClientRect())"
                        + ".filter(b => b.left >= seen.left && b.right <= seen.right && b.top >= seen.top"
                        + " && b.bottom <= low).length")).as("%s", size).isEqualTo(ASIA.size());
                explorer.close();
            }
        } finally {
            browser.manage().window().setSize(before);
        }
    }

    @Test
    void manyStatesAreScrolledByTheWheelAndADragFromABoxIsNoClick() throws IOException {
        int many = 60;
        double[] even = new double[many];
        Arrays.fill(even, 1.0 / many);
        show(NetworkPage.of(BayesianNetwork.of("many", List.of(new Node("many", IntStream.range(0, many)
                .mapToObj(k -> "s" + k).toList(), List.of(), even))), "many.bif"));
        until("a value", () -> value0().equals("1.7 %"));
        String place = (String) run("return document.querySelector('.plane').style.transform");
        WebElement bars = browser.findElement(By.cssSelector(".bars"));
        new Actions(browser).scrollFromOrigin(WheelInput.ScrollOrigin.fromElement(bars), 0, 120).perform();
        until("it is scrolled", () -> (long) run("return Math.round(arguments[0].scrollTop)", bars) > 0);
        assertThat(run("return document.querySelector('.plane').style.transform")).isEqualTo(place);
        new Actions(browser).dragAndDropBy(bars, 60, 30).perform();
        until("it is moved", () -> !place.equals(run("return document.querySelector('.plane').style.transform")));
        assertThat(run("return document.body.page.evidence.isEmpty")).isEqualTo(true);
        new Actions(browser).click(bars).perform();
        until("a click is one again", () -> status().contains("many=s"));
    }

    @Test
    void aMenuClosesTheDetailsAreReachedAtOnceAndPaperHasTheWholeNetwork() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        untilBarsAreExact("");
        new Actions(browser).sendKeys(Keys.TAB).perform();
        assertThat(run("return document.activeElement.textContent")).isEqualTo("Skip to the details");
        new Actions(browser).sendKeys(Keys.ENTER).perform();
        assertThat(run("return document.activeElement.id")).isEqualTo("panel-body");
        WebElement menu = browser.findElement(By.cssSelector(".menu summary"));
        menu.click();
        assertThat(run("return document.querySelector('.menu').open")).isEqualTo(true);
        new Actions(browser).sendKeys(Keys.ESCAPE).perform();
        assertThat(run("return document.querySelector('.menu').open")).isEqualTo(false);
        menu.click();
        browser.findElement(By.cssSelector("h1")).click();
        assertThat(run("return document.querySelector('.menu').open")).isEqualTo(false);
        run("document.querySelector('.zoom button').click(); dispatchEvent(new Event('beforeprint'));"
                + "dispatchEvent(new Event('beforeprint'))");
        assertThat((List<?>) run("return [...document.querySelectorAll('.printed')].map(each => each.textContent)"))
                .hasSize(1).first().asString().contains("xray", "dysp", percent(0.055));
    }

    @Test
    void nothingIsMissingAndNothingIsFetchedFromElsewhere() throws IOException {
        browser.get("about:blank");
        browser.manage().logs().get("browser"); // what other tests left
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
