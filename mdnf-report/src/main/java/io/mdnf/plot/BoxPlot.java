package io.mdnf.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Box plots in groups: the box spans the quartiles with a line at the median, whiskers reach the farthest value within
 * one and a half times the box's height, and every value is drawn as a point. Values that no axis can show are counted
 * above the box.
 *
 * @param groupLabel what the groups are, such as "components B"
 * @param groups names of the groups, left to right
 * @param samples one for each algorithm
 * @param references levels to compare with, across or one for each group
 */
public record BoxPlot(String title, String description, String groupLabel, List<String> groups, Axis y,
        List<Samples> samples, List<Reference> references) implements Plot {

    /**
     * What one algorithm reached in each group.
     *
     * @param name for the legend
     * @param values [groups, seeds]; a group may be empty
     */
    public record Samples(String name, List<List<Double>> values) {
        /** Copies the values. */
        public Samples {
            values = Values.copy(values);
        }

        /** From values [groups, seeds]; a group may be empty. */
        public static Samples of(String name, double[][] values) {
            return new Samples(name, Values.lists(values));
        }
    }

    /** Checks that every algorithm and reference has a place in every group. */
    public BoxPlot {
        groups = List.copyOf(groups);
        samples = List.copyOf(samples);
        references = List.copyOf(references);
        Chart.checkGroups(title, groups, "samples", samples, Samples::name, Samples::values, references);
    }

    @Override
    public Scene scene() {
        int[] looks = Palette.of(samples.stream().map(Samples::name).toList());
        List<Legend.Entry> entries = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            entries.add(Legend.block(samples.get(i).name(), boxPaint(looks[i])));
        }
        Range range = Range.of(y, DoubleStream.of(Values.all(samples.stream().flatMap(s -> s.values().stream()),
                references)));
        Chart chart = Chart.grouped(title, entries, references, y, range, groups, 22 * samples.size(), 18);
        List<Mark> data = new ArrayList<>();
        double width = chart.slot(groups.size());
        for (int g = 1; g < groups.size(); g++) {
            double at = chart.left + g * width;
            data.add(Mark.line(at, chart.top, at, chart.bottom, Paint.stroke(Ink.GRID, 1)));
        }
        data.addAll(chart.references(references));
        double lane = width * 0.88 / samples.size();
        for (int g = 0; g < groups.size(); g++) {
            for (int i = 0; i < samples.size(); i++) {
                double centre = chart.left + (g + 0.06) * width + (i + 0.5) * lane;
                box(chart, samples.get(i), looks[i], g, centre, Math.min(15, 0.36 * lane), data);
            }
        }
        return chart.finish(groupLabel, data, List.of());
    }

    private static Paint boxPaint(int look) {
        return new Paint(Ink.series(look), 0.22, Ink.series(look), 1.6, Paint.Dash.SOLID);
    }

    private void box(Chart chart, Samples shown, int look, int group, double centre, double half, List<Mark> data) {
        List<Double> values = shown.values().get(group);
        String name = shown.name() + ", " + groups.get(group) + ": ";
        double[] finite = values.stream().mapToDouble(v -> v).filter(Double::isFinite).sorted().toArray();
        if (finite.length < values.size()) {
            boolean failed = values.stream().anyMatch(v -> v.isNaN());
            data.add(Mark.text(centre, chart.top + Letters.SIZE, (values.size() - finite.length)
                    + (failed ? "×NaN" : "×∞"), Mark.Anchor.MIDDLE, Ink.TEXT));
        }
        if (finite.length == 0) {
            return;
        }
        Quartiles quartiles = Quartiles.of(finite);
        double reach = 1.5 * (quartiles.upper() - quartiles.lower());
        double low = DoubleStream.of(finite).filter(v -> v >= quartiles.lower() - reach).min().orElseThrow();
        double high = DoubleStream.of(finite).filter(v -> v <= quartiles.upper() + reach).max().orElseThrow();
        Paint thin = Paint.stroke(Ink.series(look), 1.6);
        double top = chart.y(quartiles.upper());
        double bottom = chart.y(quartiles.lower());
        List<Mark> box = new ArrayList<>(List.of(Mark.line(centre, chart.y(high), centre, top, thin),
                Mark.line(centre, bottom, centre, chart.y(low), thin)));
        for (double end : new double[] {low, high}) {
            box.add(Mark.line(centre - half / 2, chart.y(end), centre + half / 2, chart.y(end), thin));
        }
        box.add(new Mark.Box(centre - half, top, 2 * half, bottom - top, boxPaint(look)));
        box.add(Mark.line(centre - half, chart.y(quartiles.median()), centre + half, chart.y(quartiles.median()),
                Paint.stroke(Ink.series(look), 3)));
        data.add(new Mark.Titled(name + "median " + Numbers.pointed(quartiles.median(), y) + ", quartiles "
                + Numbers.pointed(quartiles.lower(), y) + " and " + Numbers.pointed(quartiles.upper(), y) + ", of "
                + values.size(), box));
        for (int i = 0; i < finite.length; i++) {
            // Set apart sideways in a fixed pattern, so that equal values are seen as several.
            double aside = (i % 5 - 2) * 0.22 * half;
            data.add(new Mark.Titled(name + Numbers.pointed(finite[i], y), List.of(new Mark.Circle(centre + aside,
                    chart.y(finite[i]), 2.2, new Paint(Ink.PAPER, 0.9, Ink.series(look), 1, Paint.Dash.SOLID)))));
        }
    }
}
