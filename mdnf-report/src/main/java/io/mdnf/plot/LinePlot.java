package io.mdnf.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Lines over a numeric axis, with bands where a series summarises several runs.
 *
 * @param title above the plot
 * @param description for who cannot see it
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param series the lines, drawn in order
 * @param references levels to compare with, each with one value
 */
public record LinePlot(String title, String description, Axis x, Axis y, List<Series> series,
        List<Reference> references) implements Plot {
    /** More points than this cannot be told apart; peaks and troughs are kept. */
    private static final int POINTS = 500;
    private static final int MARKED = 25;
    private static final int POINTED = 100;

    /** Checks that there is something to draw. */
    public LinePlot {
        series = List.copyOf(series);
        references = List.copyOf(references);
        if (series.isEmpty()) {
            throw new IllegalArgumentException("plot '" + title + "' has no series");
        }
        references.forEach(reference -> reference.checkGroups(1));
    }

    @Override
    public Scene scene() {
        // No margin: lines begin at the axis and end at the frame.
        Range tight = Range.tight(x, Values.all(series.stream().map(Series::x), List.of()));
        Range range = Range.of(y, DoubleStream.of(Values.all(series.stream()
                .flatMap(s -> Stream.of(s.middle(), s.lower(), s.upper())), references)));
        List<Legend.Entry> entries = new ArrayList<>();
        for (int i = 0; i < series.size(); i++) {
            entries.add(entry(series.get(i), i));
        }
        List<Ticks.Tick> ticks = Ticks.of(tight, 7);
        double overhang = ticks.stream().mapToDouble(tick -> Letters.width(tick.label()) / 2).max().orElse(0);
        Chart chart = new Chart(title, entries, references, y, range, 0, overhang);
        chart.numbers(tight);
        List<Mark> data = new ArrayList<>();
        for (int i = 0; i < series.size(); i++) {
            band(chart, tight, series.get(i), i, data);
        }
        data.addAll(chart.references(references));
        List<Mark> markers = new ArrayList<>();
        for (int i = 0; i < series.size(); i++) {
            line(chart, tight, series.get(i), i, data, markers);
        }
        return chart.finish(x.words(), data, markers);
    }

    private static Legend.Entry entry(Series series, int index) {
        return new Legend.Entry(series.name(), (left, middle, width) -> {
            List<Mark> marks = new ArrayList<>();
            if (series.hasBand()) {
                marks.add(new Mark.Box(left, middle - 6, width, 12, bandPaint(index)));
            }
            marks.add(Mark.line(left, middle, left + width, middle, linePaint(series, index)));
            if (series.x().size() <= MARKED) {
                marks.add(Marker.at(index, left + width / 2, middle));
            }
            return marks;
        });
    }

    private static Paint linePaint(Series series, int index) {
        // Thin where points are dense; broken once colours repeat.
        Paint.Dash dash = Paint.Dash.values()[index / Ink.SERIES.size() % Paint.Dash.values().length];
        return Paint.stroke(Ink.series(index), series.x().size() > 100 ? 1.4 : 2, dash);
    }

    private static Paint bandPaint(int index) {
        return Paint.fill(Ink.series(index), 0.2);
    }

    private static void band(Chart chart, Range across, Series series, int index, List<Mark> data) {
        if (!series.hasBand()) {
            return;
        }
        List<Mark.Point> above = new ArrayList<>();
        List<Mark.Point> below = new ArrayList<>();
        for (int i : thinned(series)) {
            double low = series.lower().get(i);
            double high = series.upper().get(i);
            if (Double.isNaN(low) || Double.isNaN(high)) {
                closeBand(above, below, index, data);
                continue;
            }
            double at = place(chart, across, series.x().get(i));
            above.add(new Mark.Point(at, bounded(chart, high)));
            below.add(new Mark.Point(at, bounded(chart, low)));
        }
        closeBand(above, below, index, data);
    }

    private static void closeBand(List<Mark.Point> above, List<Mark.Point> below, int index, List<Mark> data) {
        if (above.size() > 1) {
            List<Mark.Point> around = new ArrayList<>(above);
            for (int i = below.size() - 1; i >= 0; i--) {
                around.add(below.get(i));
            }
            data.add(new Mark.Path(around, true, bandPaint(index)));
        }
        above.clear();
        below.clear();
    }

    private void line(Chart chart, Range across, Series series, int index, List<Mark> data,
            List<Mark> markers) {
        Paint paint = linePaint(series, index);
        List<Mark.Point> points = new ArrayList<>();
        for (int i : thinned(series)) {
            double value = series.middle().get(i);
            if (!Double.isFinite(value)) {
                closeLine(points, paint, data);
                continue;
            }
            Mark.Point point = new Mark.Point(place(chart, across, series.x().get(i)), bounded(chart, value));
            points.add(point);
            boolean within = point.x() >= chart.left() && point.x() <= chart.right()
                    && point.y() >= chart.top() && point.y() <= chart.bottom();
            boolean marked = series.x().size() <= MARKED;
            if (within && (marked || i % (1 + series.x().size() / POINTED) == 0)) {
                // dense lines have no markers, but what is under the pointer can be asked for as well
                markers.add(new Mark.Titled(series.name() + ": " + x.label() + " "
                        + Numbers.pointed(series.x().get(i), x) + ", " + y.label() + " " + Numbers.pointed(value, y),
                        List.of(marked ? Marker.at(index, point.x(), point.y())
                                : new Mark.Circle(point.x(), point.y(), 4, Paint.fill(Ink.series(index), 0)))));
            }
        }
        closeLine(points, paint, data);
    }

    private static void closeLine(List<Mark.Point> points, Paint paint, List<Mark> data) {
        if (points.size() == 1) {
            data.add(new Mark.Circle(points.get(0).x(), points.get(0).y(), 2, Paint.fill(paint.stroke())));
        } else if (!points.isEmpty()) {
            data.add(new Mark.Path(List.copyOf(points), false, paint));
        }
        points.clear();
    }

    private static double place(Chart chart, Range across, double value) {
        return chart.left() + across.part(value) * (chart.right() - chart.left());
    }

    /** Far outside is as good as a little outside, and infinity is no coordinate. */
    private static double bounded(Chart chart, double value) {
        return Math.max(-1e4, Math.min(1e4, chart.y(value)));
    }

    /** Indices to draw: all, or of each run of neighbours the lowest and the highest. */
    private static int[] thinned(Series series) {
        int size = series.x().size();
        int run = 2 * ((size + POINTS - 1) / POINTS);
        if (size <= POINTS) {
            return IntStream.range(0, size).toArray();
        }
        List<Integer> kept = new ArrayList<>();
        for (int start = 0; start < size; start += run) {
            int lowest = start;
            int highest = start;
            for (int i = start; i < Math.min(size, start + run); i++) {
                lowest = series.middle().get(i) < series.middle().get(lowest) ? i : lowest;
                highest = series.middle().get(i) > series.middle().get(highest) ? i : highest;
            }
            kept.add(Math.min(lowest, highest));
            if (lowest != highest) {
                kept.add(Math.max(lowest, highest));
            }
        }
        if (kept.get(kept.size() - 1) != size - 1) {
            kept.add(size - 1);
        }
        return kept.stream().mapToInt(i -> i).toArray();
    }
}
