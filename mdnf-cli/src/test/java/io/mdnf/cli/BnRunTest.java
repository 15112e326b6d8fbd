package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.plot.BarPlot;
import io.mdnf.plot.LinePlot;
import io.mdnf.plot.ScatterPlot;
import io.mdnf.plot.Series;
import io.mdnf.report.Block;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BnRunTest {

    private static LinePlot plot(List<BnRun.Curve> curves, String kept) {
        Block.Figure figure = BnRun.training(curves, kept, -0.5, Optional.of(-0.4)).orElseThrow();
        return (LinePlot) figure.plot();
    }

    @Test
    void theKeptFamilyIsACurveThatEndsAtItsBoundAndNoFlatLine() {
        double none = Double.NEGATIVE_INFINITY;
        LinePlot plot = plot(List.of(
                new BnRun.Curve("factorised", new double[] {100, 200}, new double[] {-2, -1}),
                new BnRun.Curve("autoregressive", new double[] {100, 200, 300, 400, 500, 600},
                        new double[] {none, -0.9, -0.9, -0.7, -0.8, -0.8})), "autoregressive");
        assertThat(plot.references()).extracting("name").containsExactly("log evidence");
        Series kept = plot.series().get(1);
        assertThat(kept.x()).containsExactly(200.0, 400.0, 500.0, 600.0);
        assertThat(kept.middle()).containsExactly(-0.9, -0.7, -0.8, -0.5);
        assertThat(plot.series().get(0).middle()).containsExactly(-2.0, -1.0);
    }

    @Test
    void aFamilyKeptWithoutTrainingIsAPoint() {
        List<BnRun.Curve> curves =
                List.of(new BnRun.Curve("factorised", new double[] {100, 200}, new double[] {-2, -1}));
        LinePlot plot = plot(curves, "joint");
        assertThat(plot.series()).extracting(Series::name)
                .containsExactly("factorised", "joint, found without training");
        assertThat(plot.series().get(1).x()).containsExactly(0.0);
        assertThat(plot.series().get(1).middle()).containsExactly(-0.5);
        assertThat(BnRun.training(List.of(), "joint", -0.5, Optional.empty())).isEmpty();
    }

    private static Map<String, Map<String, Double>> variables(int count) {
        Map<String, Map<String, Double>> q = new LinkedHashMap<>();
        for (int v = 0; v < count; v++) {
            Map<String, Double> states = new LinkedHashMap<>(Map.of("yes", 0.25));
            states.put("no", 0.75);
            q.put("aVariableOfALongName" + v, states);
        }
        return q;
    }

    @Test
    void marginalsShowAllStates() {
        BarPlot plot = (BarPlot) BnRun.marginals(variables(3), variables(3)).orElseThrow().plot();
        assertThat(plot.groups()).hasSize(6).startsWith("aVariableOfALongName0: yes", "aVariableOfALongName0: no");
        assertThat(plot.bars()).extracting(BarPlot.Bars::name).containsExactly("q", "exact");
        // a report in a window of 1200 pixels has room for 1088
        assertThat(plot.svg()).matches("(?s).*<svg[^>]* width=\"(\\d{3}|10[0-8]\\d)(\\.\\d+)?\".*");
    }

    /** Hepar II had 32 plots of three variables each, above a table with the same bars. */
    @Test
    void moreStatesThanAPlotHoldsAreOnePlotOfTheFitAgainstTheTruth() {
        ScatterPlot plot = (ScatterPlot) BnRun.marginals(variables(30), variables(30)).orElseThrow().plot();
        assertThat(plot.clouds()).singleElement().satisfies(cloud -> assertThat(cloud.points()).hasSize(60));
        assertThat(BnRun.marginals(variables(30), Map.of())).isEmpty();
    }
}
