package io.mdnf.plot;

import java.util.ArrayList;
import java.util.List;

/** Names and samples of what a plot shows, in rows above the data so that it never covers any. */
record Legend(List<Entry> entries) {
    private static final double SWATCH = 26;
    private static final double GAP = 20;

    /** One name with the marks that show it, drawn around the middle of a swatch at (0, 0). */
    record Entry(String name, Sample sample) {
        double width() {
            return SWATCH + 6 + Letters.width(name) + GAP;
        }
    }

    interface Sample {
        List<Mark> at(double left, double middle, double width);
    }

    static Legend of(List<Entry> entries, List<Reference> references) {
        List<Entry> all = new ArrayList<>(entries);
        for (int r = 0; r < references.size(); r++) {
            Paint paint = Chart.referencePaint(r);
            all.add(new Entry(references.get(r).name(),
                    (left, middle, width) -> List.of(Mark.line(left, middle, left + width, middle, paint))));
        }
        return new Legend(all);
    }

    static Entry block(String name, Paint paint) {
        return new Entry(name,
                (left, middle, width) -> List.of(new Mark.Box(left + 5, middle - 6, width - 10, 12, paint)));
    }

    double widest() {
        return entries.stream().mapToDouble(Entry::width).max().orElse(0);
    }

    List<List<Entry>> rows(double room) {
        List<List<Entry>> rows = new ArrayList<>();
        double used = room;
        for (Entry entry : entries) {
            if (rows.isEmpty() || used + entry.width() - GAP > room) {
                rows.add(new ArrayList<>());
                used = 0;
            }
            rows.get(rows.size() - 1).add(entry);
            used += entry.width();
        }
        return rows;
    }

    /** Draws the rows from the given top downwards. */
    List<Mark> draw(double left, double top, double room) {
        List<Mark> marks = new ArrayList<>();
        double middle = top + Letters.LINE / 2;
        for (List<Entry> row : rows(room)) {
            double x = left;
            for (Entry entry : row) {
                marks.addAll(entry.sample().at(x, middle, SWATCH));
                marks.add(Mark.text(x + SWATCH + 6, Letters.middle(middle), entry.name(), Mark.Anchor.START,
                        Ink.TEXT));
                x += entry.width();
            }
            middle += Letters.LINE + 2;
        }
        return marks;
    }

    double height(double room) {
        return rows(room).size() * (Letters.LINE + 2);
    }
}
