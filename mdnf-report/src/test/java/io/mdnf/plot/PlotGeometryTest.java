package io.mdnf.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where numbers end up on the page. */
class PlotGeometryTest {

    @Test
    void quartilesInterpolateBetweenOrderStatistics() {
        assertThat(Quartiles.of(5, 1, 4, 2, 3)).isEqualTo(new Quartiles(2, 3, 4));
        // Places 0.75, 1.5 and 2.25 of 0..3.
        assertThat(Quartiles.of(4, 3, 2, 1)).isEqualTo(new Quartiles(1.75, 2.5, 3.25));
        assertThat(Quartiles.of(7)).isEqualTo(new Quartiles(7, 7, 7));
        double[] kept = {3, 1, 2, 5, 4};
        Quartiles.of(kept);
        assertThat(kept).as("the order of the caller's values").containsExactly(3, 1, 2, 5, 4);
    }

    @Test
    void aFailedRunIsNotQuietlyLeftOut() {
        assertThat(Quartiles.of(1, Double.NaN, 2).median()).isNaN();
        double inf = Double.POSITIVE_INFINITY;
        assertThat(Quartiles.of(1, inf, inf)).isEqualTo(new Quartiles(inf, inf, inf));
        // Places 0.5, 1 and 1.5 of (1, 2, infinity).
        assertThat(Quartiles.of(2, 1, inf)).isEqualTo(new Quartiles(1.5, 2, inf));
    }

    @Test
    void bandsAreQuartilesOverSeeds() {
        Series series = Series.overSeeds("s", new double[] {1, 2}, new double[][] {{1, 10}, {2, 20}, {3, 30}});
        assertThat(series.middle()).containsExactly(2.0, 20.0);
        assertThat(series.lower()).containsExactly(1.5, 15.0);
        assertThat(series.upper()).containsExactly(2.5, 25.0);
    }

    @Test
    void equalDistancesOnALinearAxisAndEqualRatiosOnALogarithmicOne() {
        List<Mark.Point> linear = line(Axis.linear("y", "").between(0, 4), 0, 1, 2);
        assertThat(linear.get(1).y() - linear.get(0).y())
                .isCloseTo(linear.get(2).y() - linear.get(1).y(), within(1e-9));
        List<Mark.Point> log = line(Axis.log("y", "").between(1, 1000), 1, 10, 100);
        assertThat(log.get(1).y() - log.get(0).y()).isCloseTo(log.get(2).y() - log.get(1).y(), within(1e-9));
        assertThat(log.get(2).y()).isLessThan(log.get(0).y());
    }

    @Test
    void whatALogarithmicAxisCannotShowSitsOnItsLowerEdge() {
        List<Mark.Point> points = line(Axis.log("y", "").between(1, 1000), 1, 0, -5);
        assertThat(points).extracting(Mark.Point::y).containsOnly(points.get(0).y());
    }

    @Test
    void aMissingValueInterruptsTheLine() {
        LinePlot plot = new LinePlot("t", "d", Axis.linear("x", ""), Axis.linear("y", ""),
                List.of(Series.line("s", new double[] {0, 1, 2, 3, 4}, new double[] {1, 2, Double.NaN, 4, 5})),
                List.of());
        assertThat(data(plot).marks()).filteredOn(Mark.Path.class::isInstance).hasSize(2);
    }

    @Test
    void thinningALongLineKeepsItsHighestAndItsLastPoint() {
        double[] x = IntStream.range(0, 20_000).asDoubleStream().toArray();
        double[] y = DoubleStream.of(x).map(v -> Math.sin(v / 700)).toArray();
        y[12_345] = 9;
        LinePlot plot = new LinePlot("t", "d", Axis.linear("x", ""), Axis.linear("y", "").between(-2, 10),
                List.of(Series.line("s", x, y)), List.of());
        Mark.Window window = data(plot);
        List<Mark.Point> points = ((Mark.Path) window.marks().get(0)).points();
        assertThat(points.size()).isLessThan(1200);
        double spike = points.stream().mapToDouble(Mark.Point::y).min().orElseThrow();
        // 9 on an axis from -2 to 10 is one twelfth below the upper edge; the window is one pixel larger all around.
        double height = window.height() - 2;
        assertThat(spike).isCloseTo(window.y() + 1 + height / 12, within(1e-6));
        assertThat(points.get(points.size() - 1).x()).isCloseTo(window.x() + window.width() - 1, within(1e-6));
    }

    @Test
    void aBoxSpansTheQuartiles() {
        BoxPlot plot = new BoxPlot("t", "d", "g", List.of("a"), Axis.linear("y", "").between(0, 10),
                List.of(BoxPlot.Samples.of("s", new double[][] {{1, 2, 3, 4, 9}})), List.of());
        Mark.Window window = data(plot);
        Mark.Box box = marks(window.marks()).filter(Mark.Box.class::isInstance).map(Mark.Box.class::cast)
                .findFirst().orElseThrow();
        double unit = (window.height() - 2) / 10;
        double bottom = window.y() + window.height() - 1;
        assertThat(box.y()).isCloseTo(bottom - 4 * unit, within(1e-9));
        assertThat(box.height()).isCloseTo(2 * unit, within(1e-9));
        // The whisker stops at 4, since 9 lies beyond 4 + 1.5 * 2.
        assertThat(marks(window.marks())).filteredOn(Mark.Circle.class::isInstance).hasSize(5);
        assertThat(titles(plot)).containsExactly("s, a: median 3, quartiles 2 and 4, of 5", "s, a: 1", "s, a: 2",
                "s, a: 3", "s, a: 4", "s, a: 9");
    }

    @Test
    void thePointerFindsTheValueOfEveryMark() {
        assertThat(titles(new BarPlot("t", "d", "g", List.of("a", "b"), Axis.linear("y", "nats"),
                List.of(BarPlot.Bars.of("s", 1.23456789, -2)),
                List.of(Reference.across("limit", 3))))).containsExactly("s, a: 1.23457 nats", "s, b: −2 nats",
                        "limit: 3 nats");
        assertThat(titles(new LinePlot("t", "d", Axis.linear("step", ""), Axis.linear("ELBO", "nats"),
                List.of(Series.line("s", new double[] {1, 2}, new double[] {-4.5, -4.25})), List.of())))
                .containsExactly("s: step 1, ELBO −4.5 nats", "s: step 2, ELBO −4.25 nats");
        assertThat(titles(new HeatMaps("t", "d", Axis.log("τ", ""), List.of(1.0, 10.0), Axis.log("τₚ", ""),
                List.of(0.1), new ColourScale(Axis.log("KL", "nats")),
                List.of(HeatMaps.Panel.of("p", new double[][] {{0.48, Double.POSITIVE_INFINITY}})))))
                .containsExactly("p, τ 1, τₚ 0.1: 0.48 nats", "p, τ 10, τₚ 0.1: ∞ nats");
    }

    @Test
    void aDenseLineHasValuesUnderThePointerThoughNoMarkers() {
        double[] x = IntStream.range(0, 1000).asDoubleStream().toArray();
        LinePlot plot = new LinePlot("t", "d", Axis.linear("x", ""), Axis.linear("y", ""),
                List.of(Series.line("s", x, x)), List.of());
        assertThat(titles(plot)).hasSizeBetween(40, 100).contains("s: x 0, y 0");
        assertThat(marks(plot.scene().marks())).filteredOn(Mark.Circle.class::isInstance).isNotEmpty()
                .allSatisfy(mark -> assertThat(((Mark.Circle) mark).paint().opacity()).isZero());
    }

    private static List<String> titles(Plot plot) {
        return plot.scene().marks().stream().flatMap(PlotGeometryTest::titles).toList();
    }

    private static Stream<String> titles(Mark mark) {
        return mark instanceof Mark.Titled titled ? Stream.of(titled.title())
                : mark instanceof Mark.Window window ? window.marks().stream().flatMap(PlotGeometryTest::titles)
                : Stream.empty();
    }

    /** With those that belong together taken apart. */
    private static Stream<Mark> marks(List<Mark> marks) {
        return marks.stream().flatMap(m -> m instanceof Mark.Titled titled ? titled.marks().stream() : Stream.of(m));
    }

    @Test
    void equalNumbersHaveEqualColoursInAllPanels() {
        HeatMaps plot = new HeatMaps("t", "d", Axis.log("x", ""), List.of(1.0, 2.0), Axis.log("y", ""), List.of(1.0),
                new ColourScale(Axis.linear("v", "")),
                List.of(HeatMaps.Panel.of("a", new double[][] {{1, 2}}),
                        HeatMaps.Panel.of("b", new double[][] {{2, 100}})));
        List<Ink> cells = marks(plot.scene().marks()).filter(Mark.Box.class::isInstance).map(Mark.Box.class::cast)
                .map(box -> box.paint().fill()).limit(4).toList();
        assertThat(cells.get(1)).isEqualTo(cells.get(2));
        assertThat(cells.get(0)).isNotEqualTo(cells.get(3));
        // The ends of viridis.
        assertThat(cells.get(0).light()).isEqualTo(0x440154);
        assertThat(cells.get(3).light()).isEqualTo(0xFDE725);
    }

    @Test
    void ticksAreRoundNumbers() {
        assertThat(labels(new Range(false, 0, 20_000, false), 6))
                .containsExactly("0", "5000", "10,000", "15,000", "20,000");
        assertThat(labels(new Range(false, -0.012, 0.011, false), 4))
                .containsExactly("−0.010", "−0.005", "0", "0.005", "0.010");
        assertThat(labels(new Range(true, 0.1, 30, false), 6))
                .containsExactly("0.1", "0.2", "0.5", "1", "2", "5", "10", "20");
        assertThat(labels(new Range(true, 1e-6, 100, false), 6)).contains("10⁻⁶", "0.01", "1", "100");
        assertThat(labels(new Range(true, 2, 6, false), 4)).containsExactly("2", "3", "4", "5", "6");
    }

    @Test
    void epochsAndStepsAreWholeNumbersAlsoWhereThereAreFew() {
        assertThat(acrossLabels(1, 2, 3)).containsExactly("1", "2", "3");
        assertThat(acrossLabels(1)).containsExactly("0", "1", "2");
        assertThat(acrossLabels(100, 3000)).containsExactly("500", "1000", "1500", "2000", "2500", "3000");
        assertThat(acrossLabels(0.5, 1)).contains("0.6");
    }

    /** What stands below the data. */
    private static List<String> acrossLabels(double... x) {
        LinePlot plot = new LinePlot("t", "d", Axis.linear("epoch", ""), Axis.linear("y", ""),
                List.of(Series.line("s", x, new double[x.length])), List.of());
        Mark.Window window = data(plot);
        return plot.scene().marks().stream().filter(Mark.Text.class::isInstance).map(Mark.Text.class::cast)
                .filter(text -> text.y() > window.y() + window.height() + 8 && !text.text().equals("epoch"))
                .map(Mark.Text::text).toList();
    }

    @Test
    void aLogarithmicAxisSaysSoAndColumnsOfAHeatMapDoNot() {
        assertThat(Axis.log("KL(q‖p)", "nats").words()).isEqualTo("KL(q‖p) (nats, log scale)");
        assertThat(Axis.log("τ", "").words()).isEqualTo("τ (log scale)");
        assertThat(Axis.linear("ELBO", "nats").words()).isEqualTo("ELBO (nats)");
        assertThat(Gallery.plots().get("heat-maps").svg()).contains(">temperature τ<", ">KL(q‖p) (nats, log scale)<");
        assertThat(Gallery.plots().get("boxes").svg()).contains("log scale");
    }

    @Test
    void aBarPlotFitsIntoAReportWhereItsWordsDo() {
        List<String> names = List.of("ChronicHepatitis = yes", "ChronicHepatitis = no");
        BarPlot plot = new BarPlot("t", "d", "", names, Axis.linear("p", ""),
                List.of(BarPlot.Bars.of("q", 1, 2), BarPlot.Bars.of("exact", 1, 2)), List.of());
        assertThat(plot.fits()).isTrue();
        assertThat(plot.scene().width()).isLessThanOrEqualTo(Chart.WIDEST);
    }

    @Test
    void longNamesAreBrokenRatherThanThatAPlotMustBeScrolled() {
        List<String> names = IntStream.range(0, 15).mapToObj(i -> "Hyperbilirubinemia_over_" + i).toList();
        BarPlot plot = new BarPlot("t", "d", "", names, Axis.linear("p", ""),
                List.of(BarPlot.Bars.of("q", new double[15])), List.of());
        assertThat(plot.fits()).isFalse();
        assertThat(plot.scene().width()).isLessThanOrEqualTo(Chart.WIDEST);
        assertThat(Letters.wrap("Hyperbilirubinemia of x", 60, Letters.SIZE))
                .allSatisfy(line -> assertThat(Letters.width(line)).isLessThanOrEqualTo(60.01))
                .satisfies(lines -> assertThat(String.join("", lines)).isEqualTo("Hyperbilirubinemia of x"));
    }

    @Test
    void pointsStandWhereTheyBelong() {
        ScatterPlot plot = new ScatterPlot("t", "d", Axis.linear("x", "").between(0, 10),
                Axis.linear("y", "").between(0, 4), List.of(ScatterPlot.Cloud.of("c",
                new double[][] {{5, 1}, {11, 1}, {Double.NaN, 1}}, new double[][] {{0, 0}, {10, 0}, {10, 4}})));
        Mark.Window window = data(plot);
        List<Mark.Circle> circles = marks(plot.scene().marks()).filter(Mark.Circle.class::isInstance)
                .map(Mark.Circle.class::cast).filter(c -> c.y() > window.y()).toList();
        // one point lies outside, one has no place; the window is one pixel larger all around
        assertThat(circles).hasSize(1);
        assertThat(circles.get(0).x()).isCloseTo(window.x() + window.width() / 2, within(1e-9));
        assertThat(circles.get(0).y()).isCloseTo(window.y() + 1 + 0.75 * (window.height() - 2), within(1e-9));
        assertThat(titles(plot)).containsExactly("c: x 5, y 1");
        assertThat(((Mark.Path) window.marks().get(0)).points().get(2))
                .isEqualTo(new Mark.Point(window.x() + window.width() - 1, window.y() + 1));
        assertThatThrownBy(() -> ScatterPlot.Cloud.of("c", new double[1][3], new double[0][]))
                .hasMessage("cloud 'c' has a point of 3 coordinates");
    }

    @Test
    void cellsShowTwoOrThreeDigits() {
        assertThat(DoubleStream.of(0.0071, 0.0996, 0.48, 1.05, 12.34, 168.9, 0, 0.0001, 12_345, -3.3).boxed()
                .map(Numbers::cell)).containsExactly(
                        "0.007", "0.10", "0.48", "1.05", "12.3", "169", "0", "0", "1.2×10⁴", "−3.30");
        assertThat(Numbers.cell(Double.POSITIVE_INFINITY)).isEqualTo("∞");
        assertThat(Numbers.cell(Double.NEGATIVE_INFINITY)).isEqualTo("−∞");
        assertThat(Numbers.cell(Double.NaN)).isEqualTo("–");
    }

    @Test
    void refusalsNameTheThingAndTheValue() {
        Axis y = Axis.log("KL", "nats");
        List<BarPlot.Bars> bars = List.of(BarPlot.Bars.of("b", 1));
        assertThatThrownBy(() -> new BarPlot("t", "d", "g", List.of("a"), y, bars, List.of()))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'KL' is logarithmic");
        assertThatThrownBy(() -> y.between(0, 1)).hasMessageContaining("min 0.0");
        assertThatThrownBy(() -> y.between(2, 1)).hasMessageContaining("min 2.0 is not below max 1.0");
        assertThatThrownBy(() -> Series.line("s", new double[] {1, 1}, new double[2]))
                .hasMessageContaining("'s'").hasMessageContaining("x[1] = 1.0");
        assertThatThrownBy(() -> Series.line("s", new double[3], new double[2])).hasMessageContaining("3 x, 2 middle");
        assertThatThrownBy(() -> new BoxPlot("t", "d", "g", List.of("a", "b"), y,
                List.of(BoxPlot.Samples.of("s", new double[1][1])), List.of()))
                .hasMessageContaining("samples 's' have 1 groups, the plot has 2");
        assertThatThrownBy(() -> PngImage.of(new byte[] {1, 2, 3})).hasMessageContaining("3 bytes are not a PNG");
    }

    @Test
    void emptyAndConstantDataStillGiveAPlot() {
        double inf = Double.POSITIVE_INFINITY;
        for (Axis y : List.of(Axis.linear("y", ""), Axis.log("y", ""))) {
            for (double[] values : new double[][] {{0, 0}, {3, 3}, {Double.NaN, Double.NaN}, {inf, inf}, {-1, -inf}}) {
                LinePlot plot = new LinePlot("t", "d", Axis.linear("x", ""), y,
                        List.of(Series.line("s", new double[] {1, 2}, values)), List.of());
                assertThat(plot.svg()).doesNotContain("NaN", "Infinity");
            }
        }
    }

    private static List<String> labels(Range range, int wanted) {
        return Tick.of(range, wanted).stream().map(Tick::label).toList();
    }

    private static List<Mark.Point> line(Axis y, double... values) {
        double[] x = IntStream.range(0, values.length).asDoubleStream().toArray();
        LinePlot plot = new LinePlot("t", "d", Axis.linear("x", ""), y, List.of(Series.line("s", x, values)),
                List.of());
        return ((Mark.Path) data(plot).marks().get(0)).points();
    }

    private static Mark.Window data(Plot plot) {
        return plot.scene().marks().stream().filter(Mark.Window.class::isInstance).map(Mark.Window.class::cast)
                .findFirst().orElseThrow();
    }
}
