package io.mdnf.plot;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Points in the plane, in clouds told apart by colour and marker, such as the clusters of a mixture. Of more than some
 * thousand points only a part is drawn, evenly picked.
 *
 * @param clouds drawn in order
 */
public record ScatterPlot(String title, String description, Axis x, Axis y, List<Cloud> clouds) implements Plot {
    /** More points than this make a file too large and cannot be told apart. */
    private static final int POINTS = 3000;

    /**
     * Points of one kind.
     *
     * @param name for the legend
     * @param points [n, 2]; one that is not finite is not drawn
     * @param outline [m, 2] a closed curve that says where they are expected; empty for none
     */
    public record Cloud(String name, List<List<Double>> points, List<List<Double>> outline) {
        /** Checks that every point has two coordinates. */
        public Cloud {
            points = Values.copy(points);
            outline = Values.copy(outline);
            for (List<Double> point : Stream.concat(points.stream(), outline.stream()).toList()) {
                Check.that(point.size() == 2, "cloud '", name, "' has a point of ", point.size(), " coordinates");
            }
        }

        /** From points [n, 2] and an outline [m, 2], empty for none. */
        public static Cloud of(String name, double[][] points, double[][] outline) {
            return new Cloud(name, Values.lists(points), Values.lists(outline));
        }
    }

    /** Checks that there is something to draw. */
    public ScatterPlot {
        clouds = List.copyOf(clouds);
        Check.that(!clouds.isEmpty(), "plot '", title, "' has no points");
    }

    @Override
    public Scene scene() {
        int[] looks = Palette.of(clouds.stream().map(Cloud::name).toList());
        List<Legend.Entry> entries = new ArrayList<>();
        for (int i = 0; i < looks.length; i++) {
            int look = looks[i];
            entries.add(new Legend.Entry(clouds.get(i).name(),
                    (left, middle, width) -> List.of(Mark.marker(look, left + width / 2, middle))));
        }
        Range across = range(x, 0);
        double overhang = Tick.of(across, 7).stream().mapToDouble(t -> Letters.width(t.label()) / 2).max().orElse(0);
        Chart chart = new Chart(title, entries, List.of(), y, range(y, 1), 0, overhang);
        chart.numbers(across);
        int every = 1 + clouds.stream().mapToInt(cloud -> cloud.points().size()).sum() / POINTS;
        List<Mark> outlines = new ArrayList<>();
        List<Mark> markers = new ArrayList<>();
        for (int i = 0; i < looks.length; i++) {
            Cloud cloud = clouds.get(i);
            Ink ink = Ink.series(looks[i]);
            outlines.add(new Mark.Path(cloud.outline().stream().map(p -> chart.point(across, p.get(0), p.get(1)))
                    .toList(), true, new Paint(ink, 0.08, ink, 1.6, Paint.Dash.SOLID)));
            for (int n = 0; n < cloud.points().size(); n += every) {
                double first = cloud.points().get(n).get(0);
                double second = cloud.points().get(n).get(1);
                Mark.Point point = chart.point(across, first, second);
                if (Double.isFinite(first) && Double.isFinite(second) && chart.holds(point)) {
                    markers.add(new Mark.Titled(cloud.name() + ": " + x.label() + " " + Numbers.pointed(first, x) + ", "
                            + y.label() + " " + Numbers.pointed(second, y),
                            List.of(Mark.marker(looks[i], point.x(), point.y()))));
                }
            }
        }
        return chart.finish(x.words(), outlines, markers);
    }

    private Range range(Axis axis, int coordinate) {
        return Range.of(axis, clouds.stream().flatMap(c -> Stream.concat(c.points().stream(), c.outline().stream()))
                .mapToDouble(point -> point.get(coordinate)));
    }
}
