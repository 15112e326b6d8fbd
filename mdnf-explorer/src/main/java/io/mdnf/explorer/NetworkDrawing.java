package io.mdnf.explorer;

import io.mdnf.bn.NamedFactors;
import io.mdnf.plot.LayeredLayout;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where the boxes of a network stand, in pixels of a page, and how its arcs go.
 *
 * @param boxes x, y, width and height of each variable's
 * @param arcs the points of each, [x, y]
 */
record NetworkDrawing(double width, double height, List<double[]> boxes, List<List<double[]>> arcs) {

    private static final double WIDTH = 184;
    private static final double FOLDED_WIDTH = 148;
    private static final double FOLDED_HEIGHT = 48;
    private static final double HEAD = 30;
    private static final double BAR = 20;
    /** More states than this are scrolled. */
    private static final int MOST_BARS = 10;

    /** Every box with a bar for each state. */
    static NetworkDrawing open(NamedFactors model, List<LayeredLayout.Arc> arcs) {
        return of(model.states().stream().map(states -> new LayeredLayout.Size(WIDTH,
                HEAD + BAR * Math.min(MOST_BARS, states.size()))).toList(), arcs);
    }

    /** Every box with its most probable state only. */
    static NetworkDrawing folded(NamedFactors model, List<LayeredLayout.Arc> arcs) {
        return of(Collections.nCopies(model.variables().size(), new LayeredLayout.Size(FOLDED_WIDTH, FOLDED_HEIGHT)),
                arcs);
    }

    private static NetworkDrawing of(List<LayeredLayout.Size> sizes, List<LayeredLayout.Arc> arcs) {
        LayeredLayout layout = LayeredLayout.of(sizes, arcs);
        return new NetworkDrawing(layout.width(), layout.height(), IntStream.range(0, sizes.size()).mapToObj(i ->
                new double[] {round(layout.corners().get(i).x()), round(layout.corners().get(i).y()),
                    sizes.get(i).width(), sizes.get(i).height()}).toList(),
                IntStream.range(0, arcs.size()).mapToObj(a -> layout.curve(a, 0).stream()
                        .map(point -> new double[] {round(point.x()), round(point.y())}).toList()).toList());
    }

    /** A tenth of a pixel is as fine as a page is drawn. */
    private static double round(double value) {
        return Math.rint(10 * value) / 10;
    }
}
