package io.mdnf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

class HtmlReportTest {
    private final String html = HtmlReport.html(SampleReport.report());
    private final Document page = parse(html);

    @Test
    @Tag("slow")
    void nothingOutsideTheFileIsReferredTo() {
        List<String> references = new ArrayList<>();
        for (Element element : elements("*")) {
            assertThat(element.getTagName()).isNotIn("script", "link", "iframe", "object", "base");
            for (String attribute : List.of("href", "src", "srcset", "poster", "data", "action", "xlink:href")) {
                if (element.hasAttribute(attribute)) {
                    references.add(element.getAttribute(attribute));
                }
            }
            for (int i = 0; i < element.getAttributes().getLength(); i++) {
                assertThat(element.getAttributes().item(i).getNodeName()).doesNotStartWith("on");
            }
        }
        assertThat(references).isNotEmpty().allMatch(r -> r.startsWith("#") || r.startsWith("data:image/png;base64,"));
        assertThat(html).doesNotContain("url(", "@import");
        assertThat(html.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xhtml", ""))
                .doesNotContain("http:", "https:");
    }

    @Test
    void theBrowserIsForbiddenToFetchOrToRunAnything() {
        assertThat(elements("meta")).filteredOn(m -> m.getAttribute("http-equiv").equals("Content-Security-Policy"))
                .singleElement().satisfies(policy -> assertThat(policy.getAttribute("content"))
                        .isEqualTo("default-src 'none'; img-src data:; style-src 'unsafe-inline'"));
    }

    @Test
    void everyFigureHasASizeAndWordsForWhoCannotSeeIt() {
        List<Element> figures = elements("figure");
        assertThat(figures).hasSize(14);
        for (Element figure : figures) {
            List<Element> pictures = new ArrayList<>(within(figure, "img"));
            within(figure, "svg").stream().filter(svg -> svg.getAttribute("class").equals("plot"))
                    .forEach(pictures::add);
            assertThat(pictures).hasSize(1);
            Element picture = pictures.get(0);
            assertThat(Double.parseDouble(picture.getAttribute("width"))).isPositive();
            assertThat(Double.parseDouble(picture.getAttribute("height"))).isPositive();
            assertThat(picture.getAttribute("alt") + picture.getAttribute("aria-label")).isNotBlank();
        }
    }

    @Test
    void textsThatLookLikeMarkupAreShownAsWritten() {
        // XML cannot hold the letter 0; it is replaced.
        String shown = SampleReport.HOSTILE.replace('\u0000', '\uFFFD');
        assertThat(elements("h2")).extracting(Node::getTextContent).contains(shown);
        assertThat(elements("td").size() + elements("th").size()).isPositive();
        assertThat(elements("caption")).extracting(Node::getTextContent).contains(shown);
    }

    @Test
    void headingsFormAnOutlineAndLinksLeadToSections() {
        assertThat(elements("h1")).hasSize(1);
        // one for each section, and "At a glance"
        assertThat(elements("h2")).hasSize(SampleReport.report().sections().size() + 1);
        Set<String> anchors = Set.copyOf(elements("section").stream().map(s -> s.getAttribute("id")).toList());
        assertThat(elements("a")).isNotEmpty()
                .allSatisfy(a -> assertThat(anchors).contains(a.getAttribute("href").substring(1)));
    }

    @Test
    void everyFindingStandsAtTheTopAndLeadsToItsSection() {
        Element glance = elements("section").get(0);
        assertThat(glance.getAttribute("id")).isEqualTo("at-a-glance");
        List<Element> rows = within((Element) within(glance, "tbody").get(0), "tr");
        assertThat(rows).hasSize(3);
        assertThat(within(rows.get(0), "*")).extracting(Node::getTextContent).containsSubsequence(
                "Sum of KL over 8 cases, 100 equal atoms (nats, ↓)", "1.1128", "4.85", "1.1128");
        assertThat(rows).extracting(row -> within(row, "a").get(0).getAttribute("href"))
                .containsExactly("#bn-table", "#bn-table", "#hostile");
        assertThat(rows).extracting(row -> row.getAttribute("class")).containsExactly("", "", "group");
    }

    @Test
    void oneFindingOrNoneNeedsNoTable() {
        ReportSection none = ReportSection.of("fit", "Fit");
        ReportSection one = none.with(new Finding("KL (nats, ↓)", "1", Finding.NONE, "0"));
        assertThat(HtmlReport.html(new Report("t", "", List.of(none, none)))).doesNotContain("At a glance");
        assertThat(HtmlReport.html(new Report("t", "", List.of(one)))).doesNotContain("At a glance");
        assertThat(HtmlReport.html(new Report("t", "", List.of(one, none)))).contains("At a glance");
        assertThat(HtmlReport.html(new Report("t", "", List.of(one.found(one.findings()))))).contains("At a glance");
    }

    @Test
    void aFindingLeavesNothingBlank() {
        assertThatThrownBy(() -> new Finding("KL (nats, ↓)", "1", " ", "0")).hasMessage(
                "finding: paper = ' ' is blank; '–' says that there is none");
    }

    @Test
    void sectionsOfOneNameHaveAnchorsOfTheirOwn() {
        ReportSection section = ReportSection.of("bn-table", "Table");
        assertThat(HtmlReport.html(new Report("t", "", List.of(section, section))))
                .contains("id=\"bn-table\"", "id=\"bn-table-2\"", "href=\"#bn-table-2\"");
    }

    @Test
    void tablesNameTheirRowsAndColumns() {
        for (Element table : elements("table")) {
            assertThat(within(table, "caption")).hasSize(1);
            assertThat(within(table, "th")).isNotEmpty().allSatisfy(
                    th -> assertThat(th.getAttribute("scope")).isIn("col", "row"));
            assertThat(((Element) table.getParentNode()).getAttribute("class")).isEqualTo("scroll");
        }
    }

    @Test
    void aRowOfTheWrongLengthIsRefused() {
        assertThatThrownBy(() -> Block.Table.numbers("KL", "case", List.of("ours", "paper", "limit"))
                .row("Sachs", "0.7"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("table 'KL': row 0 has 2 cells, there are 4 columns");
        assertThatThrownBy(() -> ReportSection.of("../up", "t")).hasMessageContaining("'../up'");
    }

    private List<Element> elements(String tag) {
        return within(page.getDocumentElement(), tag);
    }

    private static List<Element> within(Element parent, String tag) {
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < parent.getElementsByTagName(tag).getLength(); i++) {
            elements.add((Element) parent.getElementsByTagName(tag).item(i));
        }
        return elements;
    }

    private static Document parse(String html) {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                    .parse(new ByteArrayInputStream(html.getBytes(StandardCharsets.UTF_8)));
        } catch (Exception e) {
            throw new AssertionError("the report is not well-formed", e);
        }
    }
}
