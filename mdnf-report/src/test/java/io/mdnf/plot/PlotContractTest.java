package io.mdnf.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** What every kind of plot promises, tried on the gallery. */
class PlotContractTest {

    static Stream<Arguments> plots() {
        return Gallery.plots().entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plots")
    void noLabelLeavesThePage(String name, Plot plot) {
        Scene scene = plot.scene();
        Rectangle2D page = new Rectangle2D.Double(0, 0, scene.width(), scene.height());
        for (Mark.Text text : texts(scene.marks())) {
            assertThat(page.contains(place(text))).as("'%s' at %s within %s", text.text(), place(text), page).isTrue();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plots")
    @Tag("slow")
    void noTwoLabelsOverlap(String name, Plot plot) {
        List<Mark.Text> texts = texts(plot.scene().marks());
        for (int i = 0; i < texts.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertThat(place(texts.get(i)).intersects(place(texts.get(j))))
                        .as("'%s' over '%s'", texts.get(i).text(), texts.get(j).text()).isFalse();
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plots")
    void neitherLegendNorLabelsCoverTheData(String name, Plot plot) {
        List<Mark> marks = plot.scene().marks();
        for (Mark mark : marks) {
            if (mark instanceof Mark.Window window) {
                Rectangle2D data = new Rectangle2D.Double(window.x(), window.y(), window.width(), window.height());
                List<Mark> around = marks.stream().filter(m -> m != window).toList();
                assertThat(texts(around)).isNotEmpty().allSatisfy(
                        text -> assertThat(data.intersects(place(text))).as(text.text()).isFalse());
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plots")
    void textIsNeverShownBelowElevenPixels(String name, Plot plot) {
        // A figure is shrunk to 85 % of its width at most.
        assertThat(texts(plot.scene().marks())).allSatisfy(t -> assertThat(0.85 * t.size()).isGreaterThanOrEqualTo(11));
        String width = String.format(Locale.ROOT, "%.2f", 0.85 * plot.scene().width());
        assertThat(plot.inlineSvg()).contains("min-width:" + width.replaceAll("\\.?0+$", "") + "px");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plots")
    @Tag("slow")
    void svgIsWellFormedAndRefersToNothingOutside(String name, Plot plot) throws Exception {
        Document svg = parse(plot.svg());
        for (Element element : elements(svg)) {
            assertThat(element.getTagName()).isNotEqualTo("script");
            assertThat(element.hasAttribute("id")).isFalse();
            if (element.hasAttribute("href")) {
                assertThat(element.getAttribute("href")).startsWith("data:image/png;base64,");
            }
        }
        assertThat(svg.getDocumentElement().getAttribute("role")).isEqualTo("img");
        assertThat(svg.getDocumentElement().getAttribute("aria-label")).isEqualTo(plot.description());
        assertThat(plot.svg()).doesNotContain("NaN", "Infinity\"", "null");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plots")
    void everyColourOfTheThemeHasItsDarkRule(String name, Plot plot) throws Exception {
        String dark = Ink.darkStyle();
        for (Element element : elements(parse(plot.svg()))) {
            String words = element.getTagName().equals("svg") ? "" : element.getAttribute("class");
            for (String word : words.isEmpty() ? new String[0] : words.split(" ")) {
                assertThat(dark).contains(".plot ." + word + " {");
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plots")
    @Tag("slow")
    void pngIsTwiceTheSceneOnWhiteAndNotEmpty(String name, Plot plot, @TempDir Path folder) throws IOException {
        plot.write(folder, name);
        BufferedImage image = ImageIO.read(folder.resolve(name + ".png").toFile());
        assertThat(image.getWidth()).isEqualTo((int) Math.ceil(2 * plot.scene().width()));
        assertThat(image.getHeight()).isEqualTo((int) Math.ceil(2 * plot.scene().height()));
        int other = 0;
        for (int x = 0; x < image.getWidth(); x++) {
            assertThat(image.getRGB(x, 0)).isEqualTo(0xFFFFFFFF);
            for (int y = 0; y < image.getHeight(); y++) {
                other += image.getRGB(x, y) == 0xFFFFFFFF ? 0 : 1;
            }
        }
        // Text and lines cover at least one pixel in a hundred.
        assertThat(other).isGreaterThan(image.getWidth() * image.getHeight() / 100);
        assertThat(Files.readString(folder.resolve(name + ".svg"))).isEqualTo(plot.svg());
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plots")
    void whatIsUnderThePointerSaysItsSeriesAndItsValue(String name, Plot plot) throws Exception {
        List<String> titles = elements(parse(plot.svg())).stream().filter(e -> e.getTagName().equals("title"))
                .map(Element::getTextContent).toList();
        if (plot instanceof ImageGrid) {
            assertThat(titles).isEmpty();
        } else {
            // a number, or the signs for what is infinite or missing
            assertThat(titles).isNotEmpty().allMatch(title -> title.matches("(?s).+[:,] .*[0-9∞–].*"));
        }
        // a title stands where viewers look for it: first within its group
        for (Element element : elements(parse(plot.svg()))) {
            if (element.getTagName().equals("g")) {
                assertThat(((Element) element.getFirstChild()).getTagName()).isEqualTo("title");
            }
        }
    }

    @Test
    void hostileTitlesStayText() throws Exception {
        String hostile = "</svg><script>alert(1)</script> & \"q\" \u0001";
        Plot plot = new BarPlot(hostile, hostile, hostile, List.of(hostile), Axis.linear(hostile, hostile),
                List.of(BarPlot.Bars.of(hostile, 1)), List.of(Reference.across(hostile, 2)));
        Document svg = parse(plot.svg());
        assertThat(elements(svg)).noneMatch(element -> element.getTagName().equals("script"));
        assertThat(svg.getDocumentElement().getTextContent()).contains("<script>alert(1)</script>");
    }

    @Test
    void eightSeriesHaveEightColoursInLightAndInDark() {
        assertThat(Stream.iterate(0, i -> i + 1).limit(8).map(i -> Ink.series(i).light())).doesNotHaveDuplicates();
        assertThat(Stream.iterate(0, i -> i + 1).limit(8).map(i -> Ink.series(i).dark())).doesNotHaveDuplicates();
    }

    private static List<Mark.Text> texts(List<Mark> marks) {
        List<Mark.Text> texts = new ArrayList<>();
        for (Mark mark : marks) {
            if (mark instanceof Mark.Text text) {
                texts.add(text);
            } else if (mark instanceof Mark.Window window) {
                texts.addAll(texts(window.marks()));
            } else if (mark instanceof Mark.Titled titled) {
                texts.addAll(texts(titled.marks()));
            }
        }
        return texts;
    }

    /** Where a text stands, by the widths of DejaVu Sans; letters reach 0.75 of the size up and 0.2 down. */
    private static Rectangle2D place(Mark.Text text) {
        double width = Letters.width(text.text(), text.bold() ? Letters.BOLD * text.size() : text.size());
        double before = switch (text.anchor()) {
            case START -> 0;
            case MIDDLE -> width / 2;
            case END -> width;
        };
        double up = 0.75 * text.size();
        double height = 0.95 * text.size();
        return text.upwards()
                ? new Rectangle2D.Double(text.x() - up, text.y() + before - width, height, width)
                : new Rectangle2D.Double(text.x() - before, text.y() - up, width, height);
    }

    private static Document parse(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Element> elements(Document document) {
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < document.getElementsByTagName("*").getLength(); i++) {
            elements.add((Element) document.getElementsByTagName("*").item(i));
        }
        return elements;
    }
}
