package io.mdnf.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.NamedFactors;
import io.mdnf.bn.Node;
import io.mdnf.bn.Questions;
import io.mdnf.space.Factor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/** What the page of a network gives away, and the copy that answers by itself, in a real browser. */
class ExportsInChromiumTest extends InChromium {

    @Test
    void everyExportHoldsWhatIsShown() throws IOException {
        show(NetworkPage.of(ASIA, "asia"));
        click("xray", 0);
        untilBarsAreExact("xray=yes");
        String svg = (String) run("return document.body.page.picture()");
        assertThat(svg).startsWith("<svg").contains("bronc", "xray=yes", value("lung", 0).replace("<", "&lt;"));
        assertThat((String) run("return csvOf(document.body.page.model, document.body.page.answerNow)"))
                .contains("xray,yes,").hasLineCount(17);
        assertThat((String) run("return document.body.page.json()")).contains("\"xray\": \"yes\"", "\"exact\": true")
                .doesNotContain("standardErrors");
        assertThat(run("return document.body.page.evidence.command('asia')"))
                .isEqualTo("mdnf bn query asia --evidence xray=yes");
        assertThat(run("return document.body.page.evidence.command('a field.uai', {directed: false})"))
                .isEqualTo("echo '1 " + ASIA.indexOf("xray") + " 0' > case.evid && mdnf uai fit 'a field.uai' "
                        + "--evidence case.evid");
        assertThat(run("return document.body.page.evidence.command('big.bif', {exact: false, seconds: 5.2})"))
                .isEqualTo("mdnf bn fit big.bif --evidence xray=yes --budget 6s");
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
    void thePageGivesItsOwnCopy() throws IOException {
        NetworkPage asia = NetworkPage.of(ASIA, "asia");
        show(asia);
        untilBarsAreExact("");
        assertThat((String) browser.executeAsyncScript("const done = arguments[0];"
                + "document.body.page.engine.alone().then(found => done(found.html), e => done(e.message))"))
                .isEqualTo(asia.alone());
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

    @Test
    void potentialsOfAnySizeAreAnsweredInAnExportedPage(@TempDir Path folder) throws IOException {
        NamedFactors field = new NamedFactors("field", List.of("a", "b", "c"), Collections.nCopies(3,
                List.of("0", "1")), List.of(new Factor(new int[] {0, 1}, new double[] {2000, 1999, -3000, 2000.5}),
                new Factor(new int[] {1, 2}, new double[] {-900, -901, -1700, -1700.25}),
                new Factor(new int[] {2}, new double[] {800, 0}),
                new Factor(new int[] {0}, new double[] {0, Double.NEGATIVE_INFINITY})));
        Path file = folder.resolve("field.html");
        Files.writeString(file, NetworkPage.of(field, "field.uai").alone());
        show(file.toUri());
        for (int[] observed : new int[][] {{-1, -1, -1}, {-1, 1, -1}, {0, -1, 1}}) {
            Questions questions = Questions.of(field, observed);
            String about = "const e = document.body.page.engine; const about = {soft: [], evidence: "
                    + Arrays.toString(observed) + ".map((k, v) => [v, k]).filter(each => each[1] >= 0)};";
            for (int v = 0; v < 3; v++) {
                assertNumbers(about + "return e.marginals(about).marginals[" + v + "]", questions.marginal(v));
            }
            assertNumbers(about + "return [e.marginals(about).lower]", questions.logEvidence());
            assertNumbers(about + "return e.explanations({...about, count: 2}).explanations.map(x => x.probability)",
                    questions.mostProbable(2).stream().mapToDouble(Questions.Explanation::probability).toArray());
        }
        assertThat(run("return document.body.page.engine.marginals({evidence: [[0, 1]], soft: []}).impossible"))
                .isEqualTo(true);
    }

    /** Names that a command line could take for its own signs; BnQueryTest gives the same words to the command. */
    @Test
    void theCommandQuotesNamesThatHoldItsSignsOrSaysThatThereIsNone() throws IOException {
        show(NetworkPage.of(BayesianNetwork.of("odd", List.of(new Node("a:b, c=d", List.of("x=1", "\"y\", z"),
                List.of(), new double[] {0.25, 0.75}))), "odd.bif"));
        until("a value", () -> value0().equals("25.0 %"));
        run("document.body.page.evidence.soften(0, [0.5, 1e-7])");
        until("soft", () -> status().contains("a:b, c=d~"));
        assertThat(run("return document.body.page.evidence.command('odd.bif')")).isEqualTo(
                "mdnf bn query odd.bif --soft '\"a:b, c=d\":\"x=1\"=0.5,\"\\\"y\\\", z\"=1e-7'");
        run("document.body.page.model.exact = false");
        press("Command");
        assertThat(browser.findElement(By.cssSelector("dialog")).getText()).contains("There is no command for this");
        press("Close");
    }
}
