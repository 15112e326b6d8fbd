package io.mdnf.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PaletteTest {

    @Test
    void aMethodHasOneColourWhereverItStands() {
        assertThat(Ink.series(Palette.of(List.of("ST-Gumbel", "Gumbel", "MDNF factorised"))[1]))
                .isEqualTo(Ink.series(Palette.of(List.of("MDNF", "paper's MDNF", "Gumbel"))[2]))
                .isEqualTo(Ink.series(Palette.of(List.of("Gumbel"))[0]));
        assertThat(Palette.of(List.of("ST Gumbel", "MDNF"))).isEqualTo(Palette.of(List.of("ST-Gumbel", "factorised")));
        assertThat(Palette.of(List.of("autoregressive", "joint")))
                .isEqualTo(Palette.of(List.of("autoregressive, B=40", "joint, equal weights, B=100")));
        assertThat(Palette.of(List.of("Jang"))).isEqualTo(Palette.of(List.of("ST Jang")));
    }

    @Test
    void thePlotsOfOneMethodAreDrawnInItsColour() {
        String orange = "#d55e00";
        Plot lines = new LinePlot("t", "d", Axis.linear("x", ""), Axis.linear("y", ""),
                List.of(Series.line("Gumbel", new double[] {1, 2}, new double[] {1, 2})), List.of());
        Plot bars = new BarPlot("t", "d", "", List.of("a"), Axis.linear("y", ""),
                List.of(BarPlot.Bars.of("MDNF", 1), BarPlot.Bars.of("Gumbel", 1)), List.of());
        Plot boxes = new BoxPlot("t", "d", "", List.of("a"), Axis.linear("y", ""), List.of(
                BoxPlot.Samples.of("Gumbel", new double[][] {{1}})), List.of());
        assertThat(List.of(lines, bars, boxes)).allSatisfy(plot -> assertThat(plot.svg()).contains(orange));
        assertThat(boxes.svg()).doesNotContain("#0072b2");
    }

    @Test
    void seriesOfOnePlotDifferAlsoWhereTheyAreManyOrUnknown() {
        List<String> oracles = List.of("ST-Gumbel", "ST-Gumbel, paper", "Gumbel", "Gumbel, paper", "MDNF factorised",
                "paper's MDNF (joint)", "joint, B=100", "autoregressive");
        assertThat(Palette.of(oracles)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(Palette.of(List.of("VIF", "BVIF", "BVI", "VIF, refined", "BVIF, refined"))).doesNotHaveDuplicates();
        assertThat(Palette.of(IntStream.range(0, 12).mapToObj(i -> "method " + i).toList()))
                .containsExactly(IntStream.range(0, 12).toArray());
        // "quality" does not begin with the word q
        assertThat(Palette.of(List.of("quality", "q"))).containsExactly(1, 0);
    }
}
