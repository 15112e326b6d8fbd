package io.mdnf.plot;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Where the boxes of a directed graph without cycles stand, every arc pointing down, and which way each arc goes. After
 * Sugiyama: boxes are put into layers, few of which are much wider than the drawing is high; long arcs get a place in
 * every layer that they pass; each layer is ordered so that few arcs cross; then boxes move to where arcs are straight.
 *
 * <pre>{@code
 * LayeredLayout.Size box = new LayeredLayout.Size(120, 40);
 * LayeredLayout layout = LayeredLayout.of(List.of(box, box), List.of(new LayeredLayout.Arc(0, 1)));
 * LayeredLayout.Point corner = layout.corners().get(1);
 * }</pre>
 *
 * @param width of the whole
 * @param height of the whole
 * @param corners the upper left one of each box
 * @param routes of each arc, from the lower edge of its first box to the upper edge of its second: at least two points,
 *     ever lower
 */
public record LayeredLayout(double width, double height, List<Point> corners, List<List<Point>> routes) {

    /** Between two boxes of a layer. */
    static final double BESIDE = 24;
    /** Between two arcs that pass a layer, or an arc and a box. */
    static final double ARC_BESIDE = 12;
    /** Between two layers. */
    static final double BETWEEN = 52;
    /** Straight pieces of a bend. */
    private static final int STEPS = 10;

    /** What a box needs. */
    public record Size(double width, double height) { }

    /** From one box to another, by position. */
    public record Arc(int from, int to) { }

    /** In a drawing whose y grows downwards. */
    public record Point(double x, double y) { }

    /** Lays out boxes; IllegalArgumentException if the arcs have a cycle or lead nowhere. */
    public static LayeredLayout of(List<Size> boxes, List<Arc> arcs) {
        arcs.forEach(arc -> Check.that(arc.from() >= 0 && arc.from() < boxes.size() && arc.to() >= 0
                && arc.to() < boxes.size(), arc, " leads outside the ", boxes.size(), " boxes"));
        if (boxes.isEmpty()) {
            return new LayeredLayout(0, 0, List.of(), List.of());
        }
        int[] layerOf = Layering.of(boxes, arcs);
        Layers layers = Layers.of(boxes, arcs, layerOf);
        CrossingReduction.order(layers);
        double[] centres = Straightening.centres(layers);
        return placed(boxes, arcs, layers, centres);
    }

    private static LayeredLayout placed(List<Size> boxes, List<Arc> arcs, Layers layers, double[] centres) {
        double[] tops = new double[layers.rows().size() + 1];
        double[] bottoms = new double[layers.rows().size()];
        for (int r = 0; r < bottoms.length; r++) {
            bottoms[r] = tops[r] + layers.rows().get(r).stream().filter(i -> i < boxes.size())
                    .mapToDouble(i -> boxes.get(i).height()).max().orElse(0);
            tops[r + 1] = bottoms[r] + BETWEEN;
        }
        double left = Double.POSITIVE_INFINITY;
        double right = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < centres.length; i++) {
            left = Math.min(left, centres[i] - layers.width(i) / 2);
            right = Math.max(right, centres[i] + layers.width(i) / 2);
        }
        List<Point> corners = new ArrayList<>();
        for (int i = 0; i < boxes.size(); i++) {
            corners.add(new Point(centres[i] - left - boxes.get(i).width() / 2, tops[layers.rowOf(i)]));
        }
        List<List<Point>> routes = new ArrayList<>();
        for (int a = 0; a < arcs.size(); a++) {
            int from = arcs.get(a).from();
            int to = arcs.get(a).to();
            List<Point> route = new ArrayList<>();
            double lower = corners.get(from).y() + boxes.get(from).height();
            route.add(new Point(centres[from] - left, lower));
            if (lower < bottoms[layers.rowOf(from)]) {
                // past higher boxes beside it
                route.add(new Point(centres[from] - left, bottoms[layers.rowOf(from)]));
            }
            for (int passed : layers.passes().get(a)) {
                int row = layers.rowOf(passed);
                route.add(new Point(centres[passed] - left, tops[row]));
                route.add(new Point(centres[passed] - left, bottoms[row]));
            }
            route.add(new Point(centres[to] - left, corners.get(to).y()));
            routes.add(Collections.unmodifiableList(route));
        }
        return new LayeredLayout(right - left, bottoms[bottoms.length - 1], List.copyOf(corners), List.copyOf(routes));
    }

    /**
     * {@return an arc as points of a smooth line, that leaves and arrives vertically}
     *
     * @param head how far above its end the line ends, for an arrow's head
     */
    public List<Point> curve(int arc, double head) {
        List<Point> bends = new ArrayList<>(routes.get(arc));
        Point end = bends.get(bends.size() - 1);
        bends.set(bends.size() - 1, new Point(end.x, end.y - head));
        double[] slopes = lean(bends);
        List<Point> curve = new ArrayList<>(List.of(bends.get(0)));
        for (int i = 1; i < bends.size(); i++) {
            Point p = bends.get(i - 1);
            Point q = bends.get(i);
            double middle = (p.y + q.y) / 2;
            double first = p.x + slopes[i - 1] * (middle - p.y);
            double second = q.x - slopes[i] * (q.y - middle);
            for (int step = 1; p.x != q.x && step < STEPS; step++) {
                double t = step / (double) STEPS;
                double s = 1 - t;
                curve.add(new Point(p.x * s * s * s + 3 * s * t * (first * s + second * t) + q.x * t * t * t,
                        p.y * s * s * s + 3 * middle * s * t + q.y * t * t * t));
            }
            curve.add(q);
        }
        return curve;
    }

    /** Lets a line that goes on to the same side lean a little where it passes a layer, and no stairs are seen. */
    private static double[] lean(List<Point> bends) {
        double[] slopes = new double[bends.size()];
        for (int i = 1; i + 2 < slopes.length; i++) {
            Point top = bends.get(i);
            Point bottom = bends.get(i + 1);
            double before = top.x - bends.get(i - 1).x;
            double after = bends.get(i + 2).x - bottom.x;
            if (top.x == bottom.x && bottom.y > top.y && before * after > 0) {
                double by = Math.signum(before) * Math.min(ARC_BESIDE / 3,
                        Math.min(Math.abs(before), Math.abs(after)) / 4);
                bends.set(i, new Point(top.x - by, top.y));
                bends.set(i + 1, new Point(bottom.x + by, bottom.y));
                slopes[i] = 2 * by / (bottom.y - top.y);
                slopes[i + 1] = slopes[i];
            }
        }
        return slopes;
    }
}
