package io.mdnf.plot;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What plots with a vertical axis share: title, legend, frame, grid and labels, each with room of its own. */
final class Chart {
    /** Width of a plot unless its labels need more. */
    static final double WIDTH = 680;
    /** A report shows so much without scrolling, in a window of 1200 pixels. */
    static final double WIDEST = 1060;
    /** What of that there is for groups, beside the usual vertical axis. */
    static final double GROUPS = WIDEST - 100;
    private static final double HEIGHT = 300;
    private static final double EDGE = 12;
    private static final double TICK = 5;

    final double left;
    final double top;
    final double right;
    final double bottom;
    private final double width;
    private final Axis axis;
    private final Range range;
    private final List<Mark> marks = new ArrayList<>();
    private double end;

    /**
     * Draws title, legend, vertical axis and grid.
     *
     * @param inner the least width of the data's area
     * @param overhang room that labels under the data need beyond its right edge
     */
    Chart(String title, List<Legend.Entry> entries, List<Reference> references, Axis axis, Range range, double inner,
            double overhang) {
        Legend legend = Legend.of(entries, references);
        this.axis = axis;
        this.range = range;
        List<Tick> ticks = Tick.of(range, 6);
        this.left = left(ticks);
        double beyond = Math.max(EDGE, overhang + 4);
        this.width = Math.max(Math.max(WIDTH, left + inner + beyond), legend.widest() + 2 * EDGE);
        this.right = width - beyond;
        double room = width - 2 * EDGE;
        double y = title(title, marks, EDGE, EDGE, room);
        marks.addAll(legend.draw(EDGE, y, room));
        this.top = y + legend.height(room) + 10;
        // A long label of the vertical axis needs height.
        this.bottom = top + Math.max(HEIGHT, Letters.width(axis.words()) + 8);
        this.end = bottom;
        for (Tick tick : ticks) {
            double at = y(tick.value());
            marks.add(Mark.line(left, at, right, at, Paint.stroke(Ink.GRID, 1)));
            marks.add(Mark.text(left - TICK - 4, Letters.middle(at), tick.label(), Mark.Anchor.END, Ink.MUTED));
        }
        marks.add(Mark.upwards(EDGE + Letters.SIZE, (top + bottom) / 2, axis.words()));
    }

    /** Where the data's area begins beside labels. */
    private static double left(List<Tick> ticks) {
        double labels = ticks.stream().mapToDouble(tick -> Letters.width(tick.label())).max().orElse(0);
        return EDGE + Letters.LINE + 4 + labels + TICK + 4;
    }

    /** Draws a title and returns where the next thing may begin. */
    static double title(String title, List<Mark> marks, double left, double top, double room) {
        double y = top;
        for (String line : Letters.wrap(title, room, Letters.BOLD * Letters.TITLE)) {
            marks.add(new Mark.Text(left, y + Letters.TITLE, line, Letters.TITLE, Ink.TEXT, Mark.Anchor.START, true,
                    false));
            y += Letters.TITLE + 6;
        }
        return y + 6;
    }

    double y(double value) {
        return bottom - range.part(value) * (bottom - top);
    }

    /** Where a pair of numbers stands over a numeric axis below the data. */
    Mark.Point point(Range across, double x, double y) {
        // Far outside is as good as a little outside, and infinity is no coordinate.
        return new Mark.Point(left + across.part(x) * (right - left), Math.max(-1e4, Math.min(1e4, y(y))));
    }

    boolean holds(Mark.Point point) {
        return point.x() >= left && point.x() <= right && point.y() >= top && point.y() <= bottom;
    }

    /** Labels a numeric axis below the data, with grid lines. */
    void numbers(Range across) {
        List<Tick> ticks = Tick.of(across, 7);
        double room = right - left;
        // Fewer, when they would touch.
        for (int wanted = 6; wanted >= 2 && touching(ticks, across, room); wanted--) {
            ticks = Tick.of(across, wanted);
        }
        double free = Double.NEGATIVE_INFINITY;
        for (Tick tick : ticks) {
            double at = left + across.part(tick.value()) * room;
            marks.add(Mark.line(at, top, at, bottom, Paint.stroke(Ink.GRID, 1)));
            double half = Letters.width(tick.label()) / 2;
            if (at - half > free) {
                marks.add(Mark.text(at, bottom + TICK + Letters.SIZE, tick.label(), Mark.Anchor.MIDDLE, Ink.MUTED));
                free = at + half + 6;
            }
        }
        end = bottom + TICK + Letters.LINE;
    }

    private static boolean touching(List<Tick> ticks, Range across, double room) {
        for (int i = 1; i < ticks.size(); i++) {
            double apart = (across.part(ticks.get(i).value()) - across.part(ticks.get(i - 1).value())) * room;
            if (apart < Letters.width(ticks.get(i).label()) / 2 + Letters.width(ticks.get(i - 1).label()) / 2 + 10) {
                return true;
            }
        }
        return false;
    }

    /**
     * A chart over groups of equal width, each with lanes for its series.
     *
     * @param lane the least width of a lane
     * @param apart the least room between groups
     */
    static Chart grouped(String title, List<Legend.Entry> entries, List<Reference> references, Axis axis, Range range,
            List<String> groups, double lane, double apart) {
        // Words are broken rather than that a plot must be scrolled.
        double room = WIDEST - left(Tick.of(range, 6)) - EDGE;
        double slot = Math.max(lane + apart, Math.min(widestWord(groups), room / groups.size()));
        Chart chart = new Chart(title, entries, references, axis, range, slot * groups.size(), 0);
        chart.groups(groups);
        return chart;
    }

    /** Checks that every series and every reference has a place in every group. */
    static <S> void checkGroups(String title, List<String> groups, String what, List<S> series,
            Function<S, String> name, Function<S, List<?>> values, List<Reference> references) {
        Check.that(!groups.isEmpty() && !series.isEmpty(), "plot '", title, "' has ", groups.size(), " groups and ",
                series.size(), " series of ", what, "; at least one of each is needed");
        for (S each : series) {
            int size = values.apply(each).size();
            Check.that(size == groups.size(), what, " '", name.apply(each), "' have ", size, " groups, the plot has ",
                    groups.size());
        }
        references.forEach(reference -> reference.checkGroups(groups.size()));
    }

    /** Labels groups of equal width, in several lines where a name is long. */
    private void groups(List<String> names) {
        double slot = slot(names.size());
        int most = 1;
        for (int i = 0; i < names.size(); i++) {
            List<String> lines = Letters.wrap(names.get(i), slot - 8, Letters.SIZE);
            most = Math.max(most, lines.size());
            for (int line = 0; line < lines.size(); line++) {
                marks.add(Mark.text(left + (i + 0.5) * slot, bottom + TICK + Letters.SIZE + line * Letters.LINE,
                        lines.get(line), Mark.Anchor.MIDDLE, Ink.MUTED));
            }
        }
        end = bottom + TICK + most * Letters.LINE;
    }

    double slot(int groups) {
        return (right - left) / groups;
    }

    /** The width that a group needs for its longest word. */
    static double widestWord(List<String> names) {
        return names.stream().flatMap(name -> List.of(name.strip().split("\\s+")).stream())
                .mapToDouble(Letters::width).max().orElse(0) + 8;
    }

    /** Draws references across the data or over each group. */
    List<Mark> references(List<Reference> references) {
        List<Mark> lines = new ArrayList<>();
        for (int r = 0; r < references.size(); r++) {
            List<Double> values = references.get(r).values();
            double slot = (right - left) / values.size();
            double inset = values.size() == 1 ? 0 : 0.04 * slot;
            for (int i = 0; i < values.size(); i++) {
                if (Double.isFinite(values.get(i))) {
                    double at = y(values.get(i));
                    lines.add(new Mark.Titled(references.get(r).name() + ": " + Numbers.pointed(values.get(i), axis),
                            List.of(Mark.line(left + i * slot + inset, at, left + (i + 1) * slot - inset, at,
                                    referencePaint(r)))));
                }
            }
        }
        return lines;
    }

    static Paint referencePaint(int index) {
        Paint.Dash[] dashes = {Paint.Dash.DASHED, Paint.Dash.DOTTED, Paint.Dash.DASH_DOT};
        return Paint.stroke(Ink.TEXT, 1.6, dashes[index % dashes.length]);
    }

    /** Adds the data, cut at the frame, the frame itself, the markers upon it and the label below. */
    Scene finish(String label, List<Mark> data, List<Mark> markers) {
        marks.add(new Mark.Window(left - 1, top - 1, right - left + 2, bottom - top + 2, data));
        marks.add(Mark.line(left, top, left, bottom, Paint.stroke(Ink.MUTED, 1)));
        marks.add(Mark.line(left, bottom, right, bottom, Paint.stroke(Ink.MUTED, 1)));
        marks.addAll(markers);
        double height = end + EDGE;
        if (!label.isEmpty()) {
            marks.add(Mark.text((left + right) / 2, end + Letters.LINE - 2, label, Mark.Anchor.MIDDLE, Ink.MUTED));
            height += Letters.LINE;
        }
        return new Scene(width, height, marks);
    }
}
