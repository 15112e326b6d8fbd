package io.mdnf.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Bars from zero in groups, with error bars. The vertical axis is linear: the length of a bar has no meaning on a
 * logarithmic one.
 *
 * @param title above the plot
 * @param description for who cannot see it
 * @param groupLabel what the groups are; may be empty
 * @param groups names of the groups, left to right
 * @param y the vertical axis
 * @param bars one for each series
 * @param references levels to compare with, across or one for each group
 */
public record BarPlot(String title, String description, String groupLabel, List<String> groups, Axis y,
        List<Bars> bars, List<Reference> references) implements Plot {

    /**
     * The bars of one series.
     *
     * @param name for the legend
     * @param values [groups]; NaN draws nothing
     * @param lower [groups] lower ends of the error bars; empty for none
     * @param upper [groups] upper ends of the error bars; empty for none
     */
    public record Bars(String name, List<Double> values, List<Double> lower, List<Double> upper) {
        /** Checks that the lengths agree. */
        public Bars {
            values = List.copyOf(values);
            lower = List.copyOf(lower);
            upper = List.copyOf(upper);
            if (lower.size() != upper.size() || !lower.isEmpty() && lower.size() != values.size()) {
                throw new IllegalArgumentException("bars '" + name + "' have " + values.size() + " values, "
                        + lower.size() + " lower and " + upper.size() + " upper ends: lengths must agree");
            }
        }

        /**
         * Bars without error bars.
         *
         * @param name for the legend
         * @param values [groups]
         * @return the bars
         */
        public static Bars of(String name, double... values) {
            return new Bars(name, Values.list(values), List.of(), List.of());
        }

        /**
         * Bars at the mean of something measured, with error bars of so much to either side.
         *
         * @param name for the legend
         * @param values [groups]
         * @param errors [groups] half the length of each error bar
         * @return the bars
         */
        public static Bars withErrors(String name, double[] values, double[] errors) {
            List<Double> lower = new ArrayList<>();
            List<Double> upper = new ArrayList<>();
            for (int i = 0; i < errors.length; i++) {
                lower.add(values[i] - errors[i]);
                upper.add(values[i] + errors[i]);
            }
            return new Bars(name, Values.list(values), lower, upper);
        }

    }

    /** Checks that every series and reference has a place in every group. */
    public BarPlot {
        groups = List.copyOf(groups);
        bars = List.copyOf(bars);
        references = List.copyOf(references);
        if (y.logarithmic()) {
            throw new IllegalArgumentException("plot '" + title + "': bars need a linear axis, '" + y.label()
                    + "' is logarithmic");
        }
        Chart.checkGroups(title, groups, "bars", bars, Bars::name, Bars::values, references);
    }

    @Override
    public Scene scene() {
        List<Legend.Entry> entries = new ArrayList<>();
        for (int i = 0; i < bars.size() && (bars.size() > 1 || !references.isEmpty()); i++) {
            entries.add(Legend.block(bars.get(i).name(), Paint.fill(Ink.series(i))));
        }
        double[] shown = Values.all(bars.stream().flatMap(b -> Stream.of(b.values(), b.lower(), b.upper())),
                references);
        Range range = Range.of(fromZero(shown), DoubleStream.concat(DoubleStream.of(0), DoubleStream.of(shown)));
        Chart chart = Chart.grouped(title, entries, references, y, range, groups, 16 * bars.size(), 16);
        List<Mark> data = new ArrayList<>();
        double width = chart.slot(groups.size());
        double lane = Math.min(width * 0.8 / bars.size(), 60);
        for (int g = 0; g < groups.size(); g++) {
            double start = chart.left() + (g + 0.5) * width - lane * bars.size() / 2;
            for (int i = 0; i < bars.size(); i++) {
                bar(chart, bars.get(i), i, g, start + i * lane, lane, data);
            }
        }
        data.addAll(chart.references(references));
        data.add(Mark.line(chart.left(), chart.y(0), chart.right(), chart.y(0), Paint.stroke(Ink.MUTED, 1)));
        return chart.finish(groupLabel, data, List.of());
    }

    /** An axis that begins at zero where all values lie on one side of it. */
    private Axis fromZero(double[] shown) {
        boolean above = DoubleStream.of(shown).noneMatch(v -> v < 0);
        boolean below = DoubleStream.of(shown).noneMatch(v -> v > 0);
        Double min = y.min() == null && above ? Double.valueOf(0) : y.min();
        Double max = y.max() == null && below && !above ? Double.valueOf(0) : y.max();
        return new Axis(y.label(), y.unit(), false, min, max);
    }

    private void bar(Chart chart, Bars bars, int series, int group, double left, double lane, List<Mark> data) {
        double value = bars.values().get(group);
        if (Double.isNaN(value)) {
            return;
        }
        double zero = Math.max(chart.top(), Math.min(chart.bottom(), chart.y(0)));
        double end = Math.max(chart.top(), Math.min(chart.bottom(), chart.y(value)));
        double gap = 0.07 * lane;
        List<Mark> marks = new ArrayList<>();
        marks.add(new Mark.Box(left + gap, Math.min(zero, end), lane - 2 * gap, Math.abs(zero - end),
                Paint.fill(Ink.series(series))));
        String title = bars.name() + ", " + groups.get(group) + ": " + Numbers.pointed(value, y);
        if (!bars.lower().isEmpty() && Double.isFinite(bars.lower().get(group))
                && Double.isFinite(bars.upper().get(group))) {
            double centre = left + lane / 2;
            double low = chart.y(bars.lower().get(group));
            double high = chart.y(bars.upper().get(group));
            Paint whisker = Paint.stroke(Ink.TEXT, 1.5);
            marks.add(Mark.line(centre, low, centre, high, whisker));
            marks.add(Mark.line(centre - 4, low, centre + 4, low, whisker));
            marks.add(Mark.line(centre - 4, high, centre + 4, high, whisker));
            title += ", from " + Numbers.pointed(bars.lower().get(group), y) + " to "
                    + Numbers.pointed(bars.upper().get(group), y);
        }
        data.add(new Mark.Titled(title, marks));
    }
}
