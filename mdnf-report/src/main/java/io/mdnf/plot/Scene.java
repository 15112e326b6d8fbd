package io.mdnf.plot;

import java.util.List;

/**
 * A drawing: marks, painted in order, on a page of the given size in pixels. What SVG and PNG are both made from.
 *
 * @param width of the page
 * @param height of the page
 * @param marks the first is painted first
 */
public record Scene(double width, double height, List<Mark> marks) {
    /** Copies the marks. */
    public Scene {
        marks = List.copyOf(marks);
    }
}
