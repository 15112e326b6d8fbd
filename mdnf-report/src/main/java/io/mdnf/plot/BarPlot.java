package io.mdnf.plot;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Bars from zero in groups. The vertical axis is linear: the length of a bar has no meaning on a logarithmic one.
 *
 * @param groupLabel what the groups are; may be empty
 * @param groups names of the groups, left to right
 * @param bars one for each series
 * @param references levels to compare with, across or one for each group
 */
public record BarPlot(String title, String description, String groupLabel, List<String> groups, Axis y,
        List<Bars> bars, List<Reference> references) implements Plot {
    /** Pixels of a label of twelve letters. */
    private static final double USUAL_WORD = 80;

    /**
     * The bars of one series.
     *
     * @param name for the legend
     * @param values [groups]; NaN draws nothing
     */
    @JsonIgnoreProperties({"lower", "upper"}) // error bars, in files of version 0.1.0
    public record Bars(String name, List<Double> values) {
        /** Copies the values. */
        public Bars {
            values = List.copyOf(values);
        }

        /** The bars of values [groups]. */
        public static Bars of(String name, double... values) {
            return new Bars(name, Values.list(values));
        }
    }

    /** Checks that every series and reference has a place in every group. */
    public BarPlot {
        groups = List.copyOf(groups);
        bars = List.copyOf(bars);
        references = List.copyOf(references);
        Check.that(!y.logarithmic(), "plot '", title, "': bars need a linear axis, '", y.label(), "' is logarithmic");
        Chart.checkGroups(title, groups, "bars", bars, Bars::name, Bars::values, references);
    }

    @Override
    public Scene scene() {
        int[] looks = Palette.of(bars.stream().map(Bars::name).toList());
        List<Legend.Entry> entries = new ArrayList<>();
        for (int i = 0; i < bars.size() && (bars.size() > 1 || !references.isEmpty()); i++) {
            entries.add(Legend.block(bars.get(i).name(), Paint.fill(Ink.series(looks[i]))));
        }
        double[] shown = Values.all(bars.stream().map(Bars::values), references);
        Range range = Range.of(fromZero(shown), DoubleStream.concat(DoubleStream.of(0), DoubleStream.of(shown)));
        Chart chart = Chart.grouped(title, entries, references, y, range, groups, 16 * bars.size(), 16);
        List<Mark> data = new ArrayList<>();
        double width = chart.slot(groups.size());
        double lane = Math.min(width * 0.8 / bars.size(), 60);
        for (int g = 0; g < groups.size(); g++) {
            double start = chart.left + (g + 0.5) * width - lane * bars.size() / 2;
            for (int i = 0; i < bars.size(); i++) {
                bar(chart, bars.get(i), looks[i], g, start + i * lane, lane, data);
            }
        }
        data.addAll(chart.references(references));
        data.add(Mark.line(chart.left, chart.y(0), chart.right, chart.y(0), Paint.stroke(Ink.MUTED, 1)));
        return chart.finish(groupLabel, data, List.of());
    }

    /** Returns whether a report shows it without scrolling and without breaking words of usual length. */
    public boolean fits() {
        double label = Math.min(USUAL_WORD, Chart.widestWord(groups));
        return groups.size() * Math.max(16 * bars.size() + 16, label) <= Chart.GROUPS;
    }

    /** An axis that begins at zero where all values lie on one side of it. */
    private Axis fromZero(double[] shown) {
        boolean above = DoubleStream.of(shown).noneMatch(v -> v < 0);
        boolean below = DoubleStream.of(shown).noneMatch(v -> v > 0);
        Double min = y.min() == null && above ? Double.valueOf(0) : y.min();
        Double max = y.max() == null && below && !above ? Double.valueOf(0) : y.max();
        return new Axis(y.label(), y.unit(), false, min, max);
    }

    private void bar(Chart chart, Bars bars, int look, int group, double left, double lane, List<Mark> data) {
        double value = bars.values().get(group);
        if (Double.isNaN(value)) {
            return;
        }
        double zero = Math.max(chart.top, Math.min(chart.bottom, chart.y(0)));
        double end = Math.max(chart.top, Math.min(chart.bottom, chart.y(value)));
        double gap = 0.07 * lane;
        data.add(new Mark.Titled(bars.name() + ", " + groups.get(group) + ": " + Numbers.pointed(value, y),
                List.of(new Mark.Box(left + gap, Math.min(zero, end), lane - 2 * gap, Math.abs(zero - end),
                        Paint.fill(Ink.series(look))))));
    }
}
