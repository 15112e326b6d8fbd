package io.mdnf.plot;

import io.mdnf.plot.LayeredLayout.Arc;
import io.mdnf.plot.LayeredLayout.Size;
import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Which layer each box is in, so that arcs lead down and the whole is not much wider than high. */
final class Layering {

    /** A screen's, and what straight arcs need beside. */
    private static final double WIDEST = 1.7;
    /** Capacities are tried from the widest on, each so much of the one before. */
    private static final double NARROWER = 0.85;
    /** A guard: they end by themselves when nothing moves. */
    private static final int PASSES = 20;

    private final List<Size> boxes;
    private final List<List<Integer>> before = new ArrayList<>();
    private final List<List<Integer>> after = new ArrayList<>();
    private final int[] height;

    private Layering(List<Size> boxes, List<Arc> arcs) {
        this.boxes = boxes;
        for (int i = 0; i < boxes.size(); i++) {
            before.add(new ArrayList<>());
            after.add(new ArrayList<>());
        }
        for (Arc arc : arcs) {
            after.get(arc.from()).add(arc.to());
            before.get(arc.to()).add(arc.from());
        }
        this.height = heights();
    }

    static int[] of(List<Size> boxes, List<Arc> arcs) {
        Layering layering = new Layering(boxes, arcs);
        double widest = boxes.stream().mapToDouble(Size::width).max().orElseThrow();
        double capacity = boxes.stream().mapToDouble(size -> size.width() + LayeredLayout.BESIDE).sum();
        int[] layers = layering.within(capacity);
        while (layering.ratio(layers) > WIDEST && capacity > widest) {
            capacity *= NARROWER;
            layers = layering.within(capacity);
        }
        return withoutEmpty(layers);
    }

    private static int[] withoutEmpty(int[] layers) {
        int[] used = Arrays.stream(layers).distinct().sorted().toArray();
        return Arrays.stream(layers).map(layer -> Arrays.binarySearch(used, layer)).toArray();
    }

    /** How many arcs the longest way down from each box has. */
    private int[] heights() {
        int[] open = after.stream().mapToInt(List::size).toArray();
        int[] found = new int[open.length];
        List<Integer> done = new ArrayList<>();
        IntStream.range(0, open.length).filter(i -> open[i] == 0).forEach(done::add);
        for (int next = 0; next < done.size(); next++) {
            int box = done.get(next);
            for (int parent : before.get(box)) {
                found[parent] = Math.max(found[parent], found[box] + 1);
                if (--open[parent] == 0) {
                    done.add(parent);
                }
            }
        }
        Check.that(done.size() == open.length, "the arcs have a cycle: there are no layers");
        return found;
    }

    /** Layers of at most a width, at least one box in each: those with the longest way down first. */
    private int[] within(double capacity) {
        int[] layer = new int[boxes.size()];
        Arrays.fill(layer, -1);
        int left = layer.length;
        for (int now = 0; left > 0; now++) {
            int row = now;
            List<Integer> ready = IntStream.range(0, layer.length).filter(i -> layer[i] < 0
                    && before.get(i).stream().allMatch(p -> layer[p] >= 0 && layer[p] < row)).boxed()
                    .sorted(Comparator.comparingInt(i -> -height[i])).toList();
            double width = 0;
            for (int box : ready) {
                double more = boxes.get(box).width() + LayeredLayout.BESIDE;
                if (width == 0 || width + more <= capacity) {
                    layer[box] = row;
                    width += more;
                    left--;
                }
            }
        }
        shorten(layer, capacity);
        return layer;
    }

    /** Moves boxes up or down, one at a time, where that makes arcs shorter and there is room. */
    private void shorten(int[] layer, double capacity) {
        int last = Arrays.stream(layer).max().orElseThrow();
        double[] width = new double[last + 1];
        for (int i = 0; i < layer.length; i++) {
            width[layer[i]] += boxes.get(i).width() + LayeredLayout.BESIDE;
        }
        boolean moved = true;
        for (int pass = 0; moved && pass < PASSES; pass++) {
            moved = false;
            for (int i = 0; i < layer.length; i++) {
                int pull = after.get(i).size() - before.get(i).size();
                if (pull == 0) {
                    continue;
                }
                int first = before.get(i).stream().mapToInt(p -> layer[p] + 1).max().orElse(0);
                int end = after.get(i).stream().mapToInt(c -> layer[c] - 1).min().orElse(last);
                double own = boxes.get(i).width() + LayeredLayout.BESIDE;
                int to = pull > 0 ? end : first;
                while (to != layer[i] && width[to] + own > capacity) {
                    to += to > layer[i] ? -1 : 1;
                }
                if (pull > 0 ? to > layer[i] : to < layer[i]) {
                    width[layer[i]] -= own;
                    width[to] += own;
                    layer[i] = to;
                    moved = true;
                }
            }
            if (!moved) {
                moved = movePieces(layer, width, capacity);
            }
        }
    }

    /** Moves boxes that hang together by shortest arcs, where more arcs lead out of them than into them or fewer. */
    private boolean movePieces(int[] layer, double[] width, double capacity) {
        boolean moved = false;
        boolean[] seen = new boolean[layer.length];
        for (int i = 0; i < layer.length; i++) {
            if (seen[i]) {
                continue;
            }
            List<Integer> piece = piece(i, layer, seen);
            int[] down = slack(piece, after, layer);
            int[] up = slack(piece, before, layer);
            int sign = Integer.signum(down[1] - up[1]);
            int by = sign > 0 ? down[0] : sign < 0 ? up[0] : 0;
            while (by > 0 && !shifted(piece, sign * by, layer, width, capacity)) {
                by--;
            }
            moved |= by > 0;
        }
        return moved;
    }

    private List<Integer> piece(int first, int[] layer, boolean[] seen) {
        List<Integer> piece = new ArrayList<>(List.of(first));
        seen[first] = true;
        for (int next = 0; next < piece.size(); next++) {
            int box = piece.get(next);
            for (List<Integer> linked : List.of(before.get(box), after.get(box))) {
                for (int other : linked) {
                    if (!seen[other] && Math.abs(layer[other] - layer[box]) == 1) {
                        seen[other] = true;
                        piece.add(other);
                    }
                }
            }
        }
        return piece;
    }

    /** By how much each arc from a piece to others may be shorter, and how many there are. */
    private static int[] slack(List<Integer> piece, List<List<Integer>> links, int[] layer) {
        Set<Integer> own = new HashSet<>(piece);
        int[] lengths = piece.stream().flatMapToInt(box -> links.get(box).stream()
                .filter(other -> !own.contains(other)).mapToInt(other -> Math.abs(layer[other] - layer[box])))
                .toArray();
        return new int[] {Arrays.stream(lengths).min().orElse(1) - 1, lengths.length};
    }

    /** Moves a piece by so many layers, if there is room for it. */
    private boolean shifted(List<Integer> piece, int by, int[] layer, double[] width, double capacity) {
        double[] then = width.clone();
        for (int box : piece) {
            int to = layer[box] + by;
            if (to < 0 || to >= width.length) {
                return false;
            }
            then[layer[box]] -= boxes.get(box).width() + LayeredLayout.BESIDE;
            then[to] += boxes.get(box).width() + LayeredLayout.BESIDE;
        }
        if (Arrays.stream(then).anyMatch(each -> each > Math.max(capacity, Arrays.stream(width).max().orElse(0)))) {
            return false;
        }
        System.arraycopy(then, 0, width, 0, then.length);
        piece.forEach(box -> layer[box] += by);
        return true;
    }

    /** Width over height, about: arcs that pass need little room. */
    private double ratio(int[] layer) {
        int count = Arrays.stream(layer).max().orElseThrow() + 1;
        double[] width = new double[count];
        double[] high = new double[count];
        for (int i = 0; i < layer.length; i++) {
            width[layer[i]] += boxes.get(i).width() + LayeredLayout.BESIDE;
            high[layer[i]] = Math.max(high[layer[i]], boxes.get(i).height());
            int end = after.get(i).stream().mapToInt(child -> layer[child]).max().orElse(0);
            for (int row = layer[i] + 1; row < end; row++) {
                width[row] += LayeredLayout.ARC_BESIDE;
            }
        }
        return Arrays.stream(width).max().orElseThrow()
                / (Arrays.stream(high).sum() + LayeredLayout.BETWEEN * (count - 1));
    }
}
