package io.mdnf.plot;

import java.util.List;

/** One thing on a {@link Scene}; positions and sizes in pixels, y downwards. */
public sealed interface Mark {

    /**
     * A point.
     *
     * @param x from the left
     * @param y from the top
     */
    record Point(double x, double y) { }

    /**
     * A rectangle.
     *
     * @param x left edge
     * @param y upper edge
     * @param width of it
     * @param height of it
     * @param paint how it is drawn
     */
    record Box(double x, double y, double width, double height, Paint paint) implements Mark { }

    /**
     * Points joined by straight lines.
     *
     * @param points in order
     * @param closed whether the last is joined to the first
     * @param paint how it is drawn
     */
    record Path(List<Point> points, boolean closed, Paint paint) implements Mark { }

    /**
     * A circle.
     *
     * @param x centre
     * @param y centre
     * @param radius of it
     * @param paint how it is drawn
     */
    record Circle(double x, double y, double radius, Paint paint) implements Mark { }

    /**
     * A line of text.
     *
     * @param x where it is anchored
     * @param y its base line
     * @param text the words
     * @param size of the font
     * @param ink its colour
     * @param anchor which part of it stands at x
     * @param bold whether heavy
     * @param upwards whether it is turned to run upwards
     */
    record Text(double x, double y, String text, double size, Ink ink, Anchor anchor, boolean bold, boolean upwards)
            implements Mark { }

    /**
     * An image, enlarged without smoothing.
     *
     * @param x left edge
     * @param y upper edge
     * @param width on the scene
     * @param height on the scene
     * @param image what to show
     */
    record Picture(double x, double y, double width, double height, PngImage image) implements Mark { }

    /**
     * Marks of which only the part within a rectangle is seen.
     *
     * @param x left edge
     * @param y upper edge
     * @param width of it
     * @param height of it
     * @param marks in the coordinates of the scene
     */
    record Window(double x, double y, double width, double height, List<Mark> marks) implements Mark { }

    /**
     * Marks that belong together, with what they stand for: a viewer shows it where the pointer rests on them.
     *
     * @param title such as "VIF, B=10: 0.734 nats"
     * @param marks the first is painted first
     */
    record Titled(String title, List<Mark> marks) implements Mark { }

    /** Which part of a text stands at its x. */
    enum Anchor {
        /** Its beginning. */
        START,
        /** Its middle. */
        MIDDLE,
        /** Its end. */
        END
    }

    /**
     * A straight line.
     *
     * @param x1 where it begins
     * @param y1 where it begins
     * @param x2 where it ends
     * @param y2 where it ends
     * @param paint how it is drawn
     * @return the mark
     */
    static Mark line(double x1, double y1, double x2, double y2, Paint paint) {
        return new Path(List.of(new Point(x1, y1), new Point(x2, y2)), false, paint);
    }

    /**
     * A label of the usual size.
     *
     * @param x where it is anchored
     * @param y its base line
     * @param text the words
     * @param anchor which part of it stands at x
     * @param ink its colour
     * @return the mark
     */
    static Mark text(double x, double y, String text, Anchor anchor, Ink ink) {
        return new Text(x, y, text, Letters.SIZE, ink, anchor, false, false);
    }
}
