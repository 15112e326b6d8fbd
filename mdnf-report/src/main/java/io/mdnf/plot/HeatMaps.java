package io.mdnf.plot;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Panels of coloured cells with their numbers printed, all on one colour scale with one colour bar. Rows run upwards,
 * as on an axis. A cell whose number is infinite or missing stays without colour.
 *
 * @param x what the columns are; only its name is used
 * @param columns the columns' positions, such as temperatures
 * @param y what the rows are; only its name is used
 * @param rows the rows' positions, the lowest first
 * @param scale from numbers to colours
 * @param panels left to right, then down
 */
public record HeatMaps(String title, String description, Axis x, List<Double> columns, Axis y, List<Double> rows,
        ColourScale scale, List<Panel> panels) implements Plot {
    private static final double EDGE = 12;
    private static final double GAP = 22;
    private static final double LEAST_HEIGHT = 26;
    private static final double BAR = 16;
    private static final double LONGEST_BAR = 400;

    /**
     * One grid of numbers.
     *
     * @param title above the panel
     * @param values [rows, columns]
     */
    public record Panel(String title, List<List<Double>> values) {
        /** Copies the values. */
        public Panel {
            values = Values.copy(values);
        }

        /** From values [rows, columns]. */
        public static Panel of(String title, double[][] values) {
            return new Panel(title, Values.lists(values));
        }
    }

    /** Checks that every panel fills the grid. */
    public HeatMaps {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        panels = List.copyOf(panels);
        Check.that(!columns.isEmpty() && !rows.isEmpty() && !panels.isEmpty(), "plot '", title, "' has ",
                columns.size(), " columns, ", rows.size(), " rows and ", panels.size(),
                " panels; at least one of each is needed");
        int across = columns.size();
        for (Panel panel : panels) {
            List<Integer> sizes = panel.values().stream().map(List::size).toList();
            Check.that(sizes.equals(Collections.nCopies(rows.size(), across)), "panel '", panel.title(),
                    "' must have ", rows.size(), " rows of ", across, " values, has ", sizes);
        }
    }

    @Override
    public Scene scene() {
        Range tight = Range.tight(scale.axis(),
                Values.all(panels.stream().flatMap(p -> p.values().stream()), List.of()));
        double cell = cellWidth();
        double inner = cell * columns.size();
        double rowLabels = rows.stream().mapToDouble(v -> Letters.width(Numbers.plain(v))).max().orElseThrow();
        double left = EDGE + Letters.LINE + 4 + rowLabels + 6;
        List<Tick> ticks = Tick.of(tight, 5);
        double barRoom = GAP + BAR + 8 + ticks.stream().mapToDouble(t -> Letters.width(t.label())).max().orElse(0)
                + Letters.LINE + EDGE;
        // Side by side as many as fit; then rows of equal length rather than a short last one.
        int fit = (int) Math.max(1, Math.floor((Chart.WIDEST - left - barRoom + GAP) / (inner + GAP)));
        int lines = (panels.size() + fit - 1) / fit;
        int perLine = (panels.size() + lines - 1) / lines;
        double width = Math.max(left + perLine * (inner + GAP) - GAP + barRoom, 360);

        List<Mark> marks = new ArrayList<>();
        double top = Chart.title(title, marks, EDGE, EDGE, width - 2 * EDGE);
        double y0 = top;
        double bottom = top;
        for (int line = 0; line < lines; line++) {
            List<Panel> beside = panels.subList(line * perLine, Math.min(panels.size(), (line + 1) * perLine));
            int titleLines = beside.stream().mapToInt(p -> titleLines(p, inner).size()).max().orElseThrow();
            double gridTop = y0 + titleLines * Letters.LINE + 4;
            for (int i = 0; i < beside.size(); i++) {
                double x0 = left + i * (inner + GAP);
                panel(beside.get(i), tight, x0, gridTop, cell, titleLines(beside.get(i), inner), marks);
                bottom = columnLabels(x0, gridTop + rows.size() * cellHeight(), cell, marks);
            }
            rowLabels(left, gridTop, marks);
            y0 = bottom + 14;
        }
        double barTop = top + Letters.LINE + 4;
        double barBottom = Math.min(bottom - (Letters.LINE * 2 + 6), barTop + LONGEST_BAR);
        marks.addAll(bar(tight, ticks, left + perLine * (inner + GAP), barTop, barBottom));
        return new Scene(width, bottom + EDGE, marks);
    }

    private List<String> titleLines(Panel panel, double room) {
        return Letters.wrap(panel.title(), room, Letters.BOLD * Letters.SIZE);
    }

    private double cellWidth() {
        double numbers = panels.stream().flatMap(p -> p.values().stream()).flatMap(List::stream)
                .mapToDouble(v -> Letters.width(Numbers.cell(v))).max().orElseThrow() + 6;
        double labels = columns.stream().mapToDouble(v -> Letters.width(Numbers.plain(v))).max().orElseThrow() + 6;
        double words = (Letters.width(x.name()) + 4) / columns.size();
        // Titles may be broken between words only.
        double titles = Letters.BOLD * Chart.widestWord(panels.stream().map(Panel::title).toList()) / columns.size();
        return Math.max(Math.max(30, titles), Math.max(words, Math.max(numbers, labels)));
    }

    /** Tall enough for the vertical words beside the rows. */
    private double cellHeight() {
        double words = Math.max(Letters.width(y.name()), Letters.width(scale.axis().words()));
        return Math.max(LEAST_HEIGHT, (words + 8) / rows.size());
    }

    private void panel(Panel panel, Range range, double left, double top, double cell, List<String> words,
            List<Mark> marks) {
        for (int i = 0; i < words.size(); i++) {
            marks.add(new Mark.Text(left + cell * columns.size() / 2, top - 8 - (words.size() - 1 - i) * Letters.LINE,
                    words.get(i), Letters.SIZE, Ink.TEXT, Mark.Anchor.MIDDLE, true, false));
        }
        for (int r = 0; r < rows.size(); r++) {
            double y0 = top + (rows.size() - 1 - r) * cellHeight();
            for (int c = 0; c < columns.size(); c++) {
                double value = panel.values().get(r).get(c);
                boolean coloured = Double.isFinite(value);
                Ink ink = coloured ? ColourScale.at(range.part(value)) : Ink.GRID;
                marks.add(new Mark.Titled(panel.title() + ", " + x.label() + " " + Numbers.plain(columns.get(c)) + ", "
                        + y.label() + " " + Numbers.plain(rows.get(r)) + ": " + Numbers.pointed(value, scale.axis()),
                        List.of(new Mark.Box(left + c * cell, y0, cell, cellHeight(),
                                new Paint(ink, 1, Ink.PAPER, 1, Paint.Dash.SOLID)),
                        Mark.text(left + (c + 0.5) * cell, Letters.middle(y0 + cellHeight() / 2), Numbers.cell(value),
                                Mark.Anchor.MIDDLE, coloured ? ink.readable() : Ink.TEXT))));
            }
        }
    }

    private double columnLabels(double left, double bottom, double cell, List<Mark> marks) {
        for (int c = 0; c < columns.size(); c++) {
            marks.add(Mark.text(left + (c + 0.5) * cell, bottom + Letters.LINE - 2, Numbers.plain(columns.get(c)),
                    Mark.Anchor.MIDDLE, Ink.MUTED));
        }
        marks.add(Mark.text(left + columns.size() * cell / 2, bottom + 2 * Letters.LINE, x.name(), Mark.Anchor.MIDDLE,
                Ink.MUTED));
        return bottom + 2 * Letters.LINE + 6;
    }

    private void rowLabels(double left, double top, List<Mark> marks) {
        for (int r = 0; r < rows.size(); r++) {
            marks.add(Mark.text(left - 6, Letters.middle(top + (rows.size() - 0.5 - r) * cellHeight()),
                    Numbers.plain(rows.get(r)), Mark.Anchor.END, Ink.MUTED));
        }
        marks.add(Mark.upwards(EDGE + Letters.SIZE, top + rows.size() * cellHeight() / 2, y.name()));
    }

    private List<Mark> bar(Range range, List<Tick> ticks, double left, double top, double bottom) {
        int steps = 64;
        double step = (bottom - top) / steps;
        List<Mark> marks = new ArrayList<>();
        IntStream.range(0, steps).forEach(i -> marks.add(new Mark.Box(left, bottom - (i + 1) * step, BAR,
                // A little overlap, or the page would shine through between the steps.
                step + (i == 0 ? 0 : 0.6), Paint.fill(ColourScale.at((i + 0.5) / steps)))));
        double labels = 0;
        for (Tick tick : ticks) {
            double at = bottom - range.part(tick.value()) * (bottom - top);
            marks.add(Mark.line(left + BAR, at, left + BAR + 4, at, Paint.stroke(Ink.MUTED, 1)));
            marks.add(Mark.text(left + BAR + 8, Letters.middle(at), tick.label(), Mark.Anchor.START, Ink.MUTED));
            labels = Math.max(labels, Letters.width(tick.label()));
        }
        marks.add(Mark.upwards(left + BAR + 8 + labels + Letters.LINE - 2, (top + bottom) / 2, scale.axis().words()));
        return marks;
    }
}
