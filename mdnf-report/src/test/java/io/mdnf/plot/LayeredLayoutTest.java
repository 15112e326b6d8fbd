package io.mdnf.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.plot.LayeredLayout.Arc;
import io.mdnf.plot.LayeredLayout.Point;
import io.mdnf.plot.LayeredLayout.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayeredLayoutTest {

    /** Boxes of mixed sizes, each with up to three arcs from earlier ones. */
    private record Drawing(List<Size> boxes, List<Arc> arcs) {

        static Drawing random(int seed, int count) {
            Random random = new Random(seed);
            List<Size> boxes = new ArrayList<>();
            List<Arc> arcs = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                boxes.add(new Size(60 + random.nextInt(100), 20 + random.nextInt(120)));
                for (int parent = 0; i > 0 && parent < random.nextInt(4); parent++) {
                    arcs.add(new Arc(random.nextInt(i), i));
                }
            }
            return new Drawing(boxes, arcs);
        }

        LayeredLayout layout() {
            return LayeredLayout.of(boxes, arcs);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 20, 60, 220})
    void boxesDoNotOverlapAndStayWithinTheWhole(int count) {
        Drawing drawing = Drawing.random(count, count);
        LayeredLayout layout = drawing.layout();
        for (int i = 0; i < count; i++) {
            Point a = layout.corners().get(i);
            Size size = drawing.boxes().get(i);
            assertThat(a.x()).isBetween(-1e-6, layout.width() - size.width() + 1e-6);
            assertThat(a.y()).isBetween(0.0, layout.height() - size.height() + 1e-6);
            for (int j = 0; j < i; j++) {
                Point b = layout.corners().get(j);
                Size other = drawing.boxes().get(j);
                assertThat(a.x() + size.width() < b.x() || b.x() + other.width() < a.x()
                        || a.y() + size.height() < b.y() || b.y() + other.height() < a.y())
                        .as("boxes %d and %d", i, j).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 20, 60, 220})
    void arcsLeadDownFromBoxToBoxAndThroughNone(int count) {
        Drawing drawing = Drawing.random(count, count);
        LayeredLayout layout = drawing.layout();
        for (int a = 0; a < drawing.arcs().size(); a++) {
            List<Point> route = layout.routes().get(a);
            Arc arc = drawing.arcs().get(a);
            assertThat(route.get(0)).isEqualTo(middle(drawing, layout, arc.from(), true));
            assertThat(route.get(route.size() - 1)).isEqualTo(middle(drawing, layout, arc.to(), false));
            for (int p = 1; p < route.size(); p++) {
                assertThat(route.get(p).y()).isGreaterThanOrEqualTo(route.get(p - 1).y());
            }
            for (Point point : route.subList(1, route.size() - 1)) {
                assertThat(IntStream.range(0, count).filter(i -> inside(point, layout.corners().get(i),
                        drawing.boxes().get(i)))).isEmpty();
            }
        }
    }

    private static Point middle(Drawing drawing, LayeredLayout layout, int box, boolean lower) {
        Point corner = layout.corners().get(box);
        Size size = drawing.boxes().get(box);
        // the centre as it was computed, to the last bit, is not known here
        double x = corner.x() + size.width() / 2;
        double y = corner.y() + (lower ? size.height() : 0);
        return layout.routes().stream().flatMap(List::stream)
                .filter(p -> Math.abs(p.x() - x) < 1e-9 && p.y() == y).findFirst().orElse(new Point(x, y));
    }

    private static boolean inside(Point point, Point corner, Size size) {
        return point.x() > corner.x() && point.x() < corner.x() + size.width() && point.y() > corner.y()
                && point.y() < corner.y() + size.height();
    }

    @Test
    void aTreeHasNoCrossings() {
        List<Size> boxes = IntStream.range(0, 31).mapToObj(i -> new Size(20, 40)).toList();
        // mixed up, so that the order of numbers is of no help
        List<Arc> arcs = IntStream.range(1, 31).mapToObj(i -> new Arc((i - 1) / 2 * 7 % 31, i * 7 % 31)).toList();
        LayeredLayout layout = LayeredLayout.of(boxes, arcs);
        for (int a = 0; a < arcs.size(); a++) {
            for (int b = 0; b < a; b++) {
                Point a0 = layout.routes().get(a).get(0);
                Point b0 = layout.routes().get(b).get(0);
                Point a1 = layout.routes().get(a).get(1);
                Point b1 = layout.routes().get(b).get(1);
                assertThat(a0.y() == b0.y() && (a0.x() - b0.x()) * (a1.x() - b1.x()) < 0).isFalse();
            }
        }
    }

    @Test
    void fortyLeavesOfOneBoxMakeSeveralRows() {
        List<Size> boxes = IntStream.range(0, 41).mapToObj(i -> new Size(120, 60)).toList();
        LayeredLayout layout = LayeredLayout.of(boxes, IntStream.range(1, 41).mapToObj(i -> new Arc(0, i)).toList());
        // in one row 5760 wide and 172 high; 1.7 is aimed at, arcs that pass need some room
        assertThat(layout.width() / layout.height()).isBetween(0.8, 2.5);
    }

    @Test
    void aLongArcIsStraightWhereNothingStandsInItsWay() {
        List<Size> boxes = IntStream.range(0, 4).mapToObj(i -> new Size(50, 20)).toList();
        LayeredLayout layout = LayeredLayout.of(boxes, List.of(new Arc(0, 1), new Arc(1, 2), new Arc(2, 3),
                new Arc(0, 3)));
        List<Point> passing = layout.routes().get(3);
        assertThat(passing).hasSize(6);
        assertThat(passing.get(1).x()).isCloseTo(passing.get(4).x(), Offset.offset(1.0));
    }

    @Test
    void boxesThatHangOnOneLongArcAreMovedToItsEndTogether() {
        List<Size> boxes = IntStream.range(0, 11).mapToObj(i -> new Size(50, 20)).toList();
        List<Arc> arcs = new ArrayList<>(IntStream.range(0, 7).mapToObj(i -> new Arc(i, i + 1)).toList());
        arcs.addAll(List.of(new Arc(8, 9), new Arc(8, 10), new Arc(9, 7)));
        LayeredLayout layout = LayeredLayout.of(boxes, arcs);
        assertThat(layout.routes().get(9)).as("it passes no layer").hasSize(2);
        assertThat(layout.corners().get(8).y()).isEqualTo(layout.corners().get(5).y());
    }

    @Test
    void aLineThatGoesOnToOneSideHasNoStairs() {
        LayeredLayout layout = new LayeredLayout(200, 400, List.of(), List.of(List.of(new Point(0, 0),
                new Point(16, 50), new Point(16, 90), new Point(32, 140), new Point(32, 180), new Point(48, 230))));
        List<Point> curve = layout.curve(0, 0);
        for (int p = 1; p < curve.size(); p++) {
            assertThat(curve.get(p).x()).as("point %d", p).isGreaterThan(curve.get(p - 1).x());
        }
        assertThat(curve).contains(new Point(12, 50), new Point(20, 90));
    }

    @Test
    void equalGraphsGetEqualLayouts() {
        assertThat(Drawing.random(3, 50).layout()).isEqualTo(Drawing.random(3, 50).layout());
    }

    @Test
    void aCycleAndAnArcThatLeadsNowhereAreRefused() {
        List<Size> two = List.of(new Size(1, 1), new Size(1, 1));
        assertThatThrownBy(() -> LayeredLayout.of(two, List.of(new Arc(0, 1), new Arc(1, 0))))
                .isInstanceOf(IllegalArgumentException.class).hasMessage("the arcs have a cycle: there are no layers");
        assertThatThrownBy(() -> LayeredLayout.of(two, List.of(new Arc(0, 2))))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("leads outside the 2 boxes");
        assertThat(LayeredLayout.of(List.of(), List.of()).routes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 20, 60})
    void smoothArcsLeadDownWithinWhatStraightOnesSpanAndThroughNoBox(int count) {
        Drawing drawing = Drawing.random(count, count);
        LayeredLayout layout = drawing.layout();
        for (int a = 0; a < drawing.arcs().size(); a++) {
            List<Point> route = layout.routes().get(a);
            List<Point> curve = layout.curve(a, 7);
            Point end = route.get(route.size() - 1);
            assertThat(curve.get(0)).isEqualTo(route.get(0));
            assertThat(curve.get(curve.size() - 1)).isEqualTo(new Point(end.x(), end.y() - 7));
            for (int p = 1; p < curve.size(); p++) {
                Point point = curve.get(p);
                assertThat(point.y()).isGreaterThanOrEqualTo(curve.get(p - 1).y());
                assertThat(IntStream.range(0, count).filter(i -> inside(point, layout.corners().get(i),
                        drawing.boxes().get(i)))).isEmpty();
            }
        }
    }

    @Test
    void dotNamesBoxesByQuotedLabels() {
        NetworkPlot plot = new NetworkPlot("a \"b\"", "", List.of(new NetworkPlot.Variable("x\\y", "no", "x", true),
                new NetworkPlot.Variable("z", "", "z", false)), List.of(new Arc(0, 1)));
        assertThat(plot.dot()).isEqualTo("""
                digraph "a \\"b\\"" {
                  node [shape=box];
                  v0 [label="x\\\\y\\nno", style=filled];
                  v1 [label="z"];
                  v0 -> v1;
                }
                """);
    }
}
