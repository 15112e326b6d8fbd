package io.mdnf.plot;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Lines over a numeric axis, with bands where a series summarises several runs.
 *
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
        Check.that(!series.isEmpty(), "plot '", title, "' has no series");
        references.forEach(reference -> reference.checkGroups(1));
    }

    @Override
    public Scene scene() {
        // No margin: lines begin at the axis and end at the frame.
        Range tight = Range.tight(x, Values.all(series.stream().map(Series::x), List.of()));
        Range range = Range.of(y, DoubleStream.of(Values.all(series.stream()
                .flatMap(s -> Stream.of(s.middle(), s.lower(), s.upper())), references)));
        int[] looks = Palette.of(series.stream().map(Series::name).toList());
        List<Legend.Entry> entries = new ArrayList<>();
        for (int i = 0; i < series.size(); i++) {
            entries.add(entry(series.get(i), looks[i]));
        }
        List<Tick> ticks = Tick.of(tight, 7);
        double overhang = ticks.stream().mapToDouble(tick -> Letters.width(tick.label()) / 2).max().orElse(0);
        Chart chart = new Chart(title, entries, references, y, range, 0, overhang);
        chart.numbers(tight);
        List<Mark> data = new ArrayList<>();
        for (int i = 0; i < series.size(); i++) {
            band(chart, tight, series.get(i), looks[i], data);
        }
        data.addAll(chart.references(references));
        List<Mark> markers = new ArrayList<>();
        for (int i = 0; i < series.size(); i++) {
            line(chart, tight, series.get(i), looks[i], data, markers);
        }
        return chart.finish(x.words(), data, markers);
    }

    private static Legend.Entry entry(Series series, int look) {
        return new Legend.Entry(series.name(), (left, middle, width) -> {
            List<Mark> marks = new ArrayList<>();
            if (series.hasBand()) {
                marks.add(new Mark.Box(left, middle - 6, width, 12, bandPaint(look)));
            }
            marks.add(Mark.line(left, middle, left + width, middle, linePaint(series, look)));
            if (series.x().size() <= MARKED) {
                marks.add(Mark.marker(look, left + width / 2, middle));
            }
            return marks;
        });
    }

    private static Paint linePaint(Series series, int look) {
        // Thin where points are dense; broken once colours repeat.
        Paint.Dash dash = Paint.Dash.values()[look / Ink.SERIES.size() % Paint.Dash.values().length];
        return Paint.stroke(Ink.series(look), series.x().size() > 100 ? 1.4 : 2, dash);
    }

    private static Paint bandPaint(int look) {
        return Paint.fill(Ink.series(look), 0.2);
    }

    private static void band(Chart chart, Range across, Series series, int look, List<Mark> data) {
        for (List<Integer> run : runs(series, i -> series.hasBand() && !Double.isNaN(series.lower().get(i))
                && !Double.isNaN(series.upper().get(i)))) {
            List<Mark.Point> around = new ArrayList<>();
            run.forEach(i -> around.add(chart.point(across, series.x().get(i), series.upper().get(i))));
            Collections.reverse(run);
            run.forEach(i -> around.add(chart.point(across, series.x().get(i), series.lower().get(i))));
            if (run.size() > 1) {
                data.add(new Mark.Path(around, true, bandPaint(look)));
            }
        }
    }

    private void line(Chart chart, Range across, Series series, int look, List<Mark> data, List<Mark> markers) {
        Paint paint = linePaint(series, look);
        boolean marked = series.x().size() <= MARKED;
        int every = marked ? 1 : 1 + series.x().size() / POINTED;
        for (List<Integer> run : runs(series, i -> Double.isFinite(series.middle().get(i)))) {
            List<Mark.Point> points = new ArrayList<>();
            for (int i : run) {
                double value = series.middle().get(i);
                Mark.Point point = chart.point(across, series.x().get(i), value);
                points.add(point);
                if (chart.holds(point) && i % every == 0) {
                    // dense lines have no markers, but what is under the pointer can be asked for as well
                    markers.add(new Mark.Titled(series.name() + ": " + x.label() + " "
                            + Numbers.pointed(series.x().get(i), x) + ", " + y.label() + " "
                            + Numbers.pointed(value, y), List.of(marked ? Mark.marker(look, point.x(), point.y())
                            : new Mark.Circle(point.x(), point.y(), 4, Paint.fill(Ink.series(look), 0)))));
                }
            }
            data.add(points.size() > 1 ? new Mark.Path(points, false, paint)
                    : new Mark.Circle(points.get(0).x(), points.get(0).y(), 2, Paint.fill(paint.stroke())));
        }
    }

    /** Neighbouring indices of what is drawn, each list ended by something that cannot be. */
    private static List<List<Integer>> runs(Series series, IntPredicate drawn) {
        List<List<Integer>> runs = new ArrayList<>();
        boolean open = false;
        for (int i : thinned(series)) {
            if (drawn.test(i) && !open) {
                runs.add(new ArrayList<>());
            }
            open = drawn.test(i);
            if (open) {
                runs.get(runs.size() - 1).add(i);
            }
        }
        return runs;
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
