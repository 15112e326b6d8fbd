package io.mdnf.plot;

import java.util.List;

/** One thing on a {@link Scene}; positions and sizes in pixels, x from the left, y downwards from the top. */
sealed interface Mark {

    record Point(double x, double y) { }

    /** A rectangle, by its upper left corner. */
    record Box(double x, double y, double width, double height, Paint paint) implements Mark { }

    /** Points joined by straight lines; where it is closed, the last is joined to the first. */
    record Path(List<Point> points, boolean closed, Paint paint) implements Mark { }

    record Circle(double x, double y, double radius, Paint paint) implements Mark { }

    /** A line of text: the anchor stands at x, the base line at y; it may be turned to run upwards. */
    record Text(double x, double y, String text, double size, Ink ink, Anchor anchor, boolean bold, boolean upwards)
            implements Mark { }

    /** An image, enlarged without smoothing. */
    record Picture(double x, double y, double width, double height, PngImage image) implements Mark { }

    /** Marks, in the coordinates of the scene, of which only the part within a rectangle is seen. */
    record Window(double x, double y, double width, double height, List<Mark> marks) implements Mark { }

    /**
     * Marks that belong together, with what they stand for, such as "VIF, B=10: 0.734 nats": a viewer shows it where
     * the pointer rests on them.
     */
    record Titled(String title, List<Mark> marks) implements Mark { }

    /** Which part of a text stands at its x. */
    enum Anchor {
        START, MIDDLE, END
    }

    static Mark line(double x1, double y1, double x2, double y2, Paint paint) {
        return new Path(List.of(new Point(x1, y1), new Point(x2, y2)), false, paint);
    }

    /** A label of the usual size. */
    static Mark text(double x, double y, String text, Anchor anchor, Ink ink) {
        return new Text(x, y, text, Letters.SIZE, ink, anchor, false, false);
    }

    /** A label of the usual size that runs upwards, its middle at (x, y). */
    static Mark upwards(double x, double y, String text) {
        return new Text(x, y, text, Letters.SIZE, Ink.MUTED, Anchor.MIDDLE, false, true);
    }

    /** The small shape on a series' points; a second sign beside colour. */
    static Mark marker(int look, double x, double y) {
        Paint paint = new Paint(Ink.series(look), 1, Ink.PAPER, 1, Paint.Dash.SOLID);
        double r = 3.6;
        return switch (look % 4) {
            case 0 -> new Circle(x, y, r, paint);
            case 1 -> new Box(x - r, y - r, 2 * r, 2 * r, paint);
            case 2 -> new Path(List.of(new Point(x, y - 1.3 * r), new Point(x + 1.2 * r, y + 0.9 * r),
                    new Point(x - 1.2 * r, y + 0.9 * r)), true, paint);
            default -> new Path(List.of(new Point(x, y - 1.3 * r), new Point(x + 1.3 * r, y),
                    new Point(x, y + 1.3 * r), new Point(x - 1.3 * r, y)), true, paint);
        };
    }
}
