package io.mdnf.plot;

import java.util.List;

/** A drawing: marks, the first painted first, on a page of a size in pixels. What SVG and PNG are both made from. */
record Scene(double width, double height, List<Mark> marks) {
    Scene {
        marks = List.copyOf(marks);
    }
}
