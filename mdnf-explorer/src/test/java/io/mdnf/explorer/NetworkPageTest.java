package io.mdnf.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.NamedFactors;
import io.mdnf.bn.Node;
import io.mdnf.bn.Questions;
import io.mdnf.space.Factor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NetworkPageTest {

    private static final BayesianNetwork ASIA = BuiltInNetworks.open("asia");

    private static JsonNode ask(NetworkPage page, String question, String about) throws IOException {
        return Json.read(Json.bytes(page.answer(question, Json.read(about.getBytes(StandardCharsets.UTF_8)),
                () -> false)));
    }

    /** xray=yes and dysp twice as likely yes, as a page says it. */
    private static String about(String more) {
        return "{\"evidence\":[[" + ASIA.indexOf("xray") + ",0]],\"soft\":[[" + ASIA.indexOf("dysp") + ",[1,0.5]]]"
                + more + "}";
    }

    private static Questions questions() {
        return Questions.of(Evidence.parse(ASIA, "xray=yes")).soft(ASIA.indexOf("dysp"), 1, 0.5);
    }

    @Test
    void answersAreThoseOfQuestions() throws IOException {
        NetworkPage page = NetworkPage.of(ASIA, "asia");
        JsonNode found = ask(page, "marginals", about(""));
        assertThat(found.path("exact").asBoolean()).isTrue();
        assertThat(found.path("lower").asDouble()).isEqualTo(questions().logEvidence());
        int lung = ASIA.indexOf("lung");
        assertThat(found.path("marginals").path(lung).path(0).asDouble()).isEqualTo(questions().marginal(lung)[0]);
        assertThat(found.path("couplings")).hasSize(questions().couplings().size());

        assertThat(ask(page, "influences", about(",\"target\":" + lung)).path("influences").path(0).path("finding")
                .asInt()).isEqualTo(questions().influences(lung).get(0).finding());
        assertThat(ask(page, "information", about(",\"target\":" + lung)).path("information").path(0).asDouble())
                .isEqualTo(questions().information(lung)[0]);
        assertThat(ask(page, "joint", about(",\"variables\":[" + lung + ",0]")).path("joint").path(3).asDouble())
                .isEqualTo(questions().joint(lung, 0)[3]);
        assertThat(ask(page, "explanations", about(",\"count\":2")).path("explanations").path(1).path("probability")
                .asDouble()).isEqualTo(questions().mostProbable(2).get(1).probability());
    }

    @Test
    void whatHasProbability0IsSaidAndNoFault() throws IOException {
        NetworkPage page = NetworkPage.of(ASIA, "asia");
        String tubWithoutEither = "{\"evidence\":[[" + ASIA.indexOf("tub") + ",0],[" + ASIA.indexOf("either") + ",1]]}";
        assertThat(ask(page, "marginals", tubWithoutEither).path("impossible").asBoolean()).isTrue();
    }

    @Test
    void aQuestionThatMakesNoSenseIsRefusedInASentence() {
        NetworkPage page = NetworkPage.of(ASIA, "asia");
        assertThatThrownBy(() -> ask(page, "marginals", "{\"evidence\":[[99,0]]}"))
                .hasMessageContaining("[99,0] is no state of a variable");
        for (String soft : List.of("[0,[1]]", "[0,[1,-1]]", "[0,[0,0]]", "[9,[1,1]]", "[0,[1,\"x\"]]", "7")) {
            assertThatThrownBy(() -> ask(page, "marginals", "{\"soft\":[" + soft + "]}")).as(soft)
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("likelihood");
        }
        assertThatThrownBy(() -> ask(page, "joint", "{\"variables\":[1,1]}")).hasMessageContaining("two different");
        assertThatThrownBy(() -> ask(page, "weather", "{}")).hasMessageContaining("nobody answers 'weather'");
        assertThatThrownBy(() -> ask(page, "influences", "{\"target\":8}")).hasMessageContaining("none of the 8");
    }

    @Test
    void arcsAndBoxesAreThoseOfTheNetwork() {
        var look = NetworkPage.of(ASIA, "asia").look();
        assertThat((List<?>) look.get("arcs")).hasSize(ASIA.arcs());
        for (String form : List.of("open", "folded")) {
            NetworkDrawing drawing = (NetworkDrawing) ((java.util.Map<?, ?>) look.get("layouts")).get(form);
            assertThat(drawing.boxes()).hasSize(ASIA.size());
            for (double[] box : drawing.boxes()) {
                assertThat(box[0]).isBetween(0.0, drawing.width() - box[2] + 0.1);
                assertThat(box[1]).isBetween(0.0, drawing.height() - box[3] + 0.1);
            }
            for (int child = 0; child < ASIA.size(); child++) {
                for (int parent : ASIA.parents(child)) {
                    assertThat(drawing.boxes().get(parent)[1]).isLessThan(drawing.boxes().get(child)[1]);
                }
            }
        }
    }

    /** The page of a grid. */
    static NetworkPage page(int side) {
        return NetworkPage.of(grid(side), "grid.uai");
    }

    /** A grid of binary variables: 24 x 24 has cliques of 2^24 and more. */
    static NamedFactors grid(int side) {
        Random random = new Random(1);
        List<Factor> factors = new ArrayList<>();
        for (int i = 0; i < side * side; i++) {
            factors.add(new Factor(new int[] {i}, random.doubles(2, -1, 1).toArray()));
            for (int j : new int[] {i % side + 1 < side ? i + 1 : -1, i + side < side * side ? i + side : -1}) {
                if (j >= 0) {
                    factors.add(new Factor(new int[] {i, j}, random.doubles(4, -0.3, 0.3).toArray()));
                }
            }
        }
        return new NamedFactors("grid", IntStream.range(0, side * side).mapToObj(i -> "x" + i).toList(),
                Collections.nCopies(side * side, List.of("0", "1")), factors);
    }

    @Test
    void aFieldWithoutDirectionsIsAskedLikeANetwork() throws IOException {
        NamedFactors grid = grid(3);
        NetworkPage page = NetworkPage.of(grid, "grid.uai");
        assertThat(page.look()).containsEntry("directed", false);
        assertThat((List<?>) page.look().get("arcs")).hasSize(12);
        int[] observed = new int[9];
        java.util.Arrays.fill(observed, -1);
        assertThat(ask(page, "marginals", "{}").path("marginals").path(4).path(1).asDouble())
                .isEqualTo(Questions.of(grid, observed).marginal(4)[1]);
    }

    @Test
    @Tag("slow")
    void whereExactInferenceIsTooLargeBoundsAndErrorsAreShown() throws IOException {
        NetworkPage page = page(24);
        assertThat(page.look().get("prior")).isNull();
        JsonNode found = ask(page, "marginals", "{\"evidence\":[[0,1]],\"soft\":[[5,[1,0.5]]],\"effort\":0}");
        assertThat(found.path("exact").asBoolean()).isFalse();
        assertThat(found.path("lower").asDouble()).isLessThan(found.path("upper").asDouble());
        assertThat(found.path("more").asBoolean()).isTrue();
        assertThat(found.path("marginals").path(0).path(1).asDouble()).isEqualTo(1);
        assertThat(found.path("errors").path(7).path(0).asDouble()).isPositive();
        assertThatThrownBy(() -> ask(page, "information", "{\"target\":0}")).hasMessageContaining("too large");
        assertThatThrownBy(page::alone).hasMessageContaining("too large to be answered inside a page");
    }

    @Test
    void anExportedPageHoldsEverythingAndNoNameEscapesFromItsPlace() throws IOException {
        String hostile = "</script><script>document.title='owned'</script>";
        BayesianNetwork network = BayesianNetwork.of("n", List.of(
                new Node(hostile, List.of("<b>", "\"'"), List.of(), new double[] {0.3, 0.7})));
        String page = NetworkPage.of(network, "n.bif").alone();
        assertThat(page).doesNotContain(hostile).doesNotContain("src=").doesNotContain("href=\"style").contains(
                "\\u003c/script>");
        String usual = NetworkPage.of(ASIA, "asia").alone();
        assertThat(page.split("</script>", -1)).hasSameSizeAs(usual.split("</script>", -1));
    }
}
