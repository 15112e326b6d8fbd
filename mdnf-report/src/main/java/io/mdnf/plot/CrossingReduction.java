package io.mdnf.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Orders rows so that few links cross: sweeps by the mean place of neighbours, then neighbours change places. */
final class CrossingReduction {

    /** Guards: neither loop goes on where nothing crosses or nothing changes, and the best order met is kept. */
    private static final int SWEEPS = 24;
    private static final int EXCHANGES = 10;

    private final Layers layers;
    private final int[] place;

    private CrossingReduction(Layers layers) {
        this.layers = layers;
        this.place = new int[layers.size()];
        layers.rows().forEach(this::number);
    }

    /** Leaves the rows in the best order that was met. */
    static void order(Layers layers) {
        CrossingReduction reduction = new CrossingReduction(layers);
        List<List<Integer>> best = reduction.copy();
        long fewest = Long.MAX_VALUE;
        for (int sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
            reduction.sweep(sweep % 2 == 0);
            reduction.exchange();
            long now = reduction.crossings();
            if (now < fewest) {
                fewest = now;
                best = reduction.copy();
            }
        }
        for (int r = 0; r < best.size(); r++) {
            Collections.copy(layers.rows().get(r), best.get(r));
        }
    }

    private List<List<Integer>> copy() {
        return layers.rows().stream().map(row -> (List<Integer>) new ArrayList<>(row)).toList();
    }

    private void number(List<Integer> row) {
        for (int p = 0; p < row.size(); p++) {
            place[row.get(p)] = p;
        }
    }

    private void sweep(boolean down) {
        List<List<Integer>> rows = layers.rows();
        for (int r = 1; r < rows.size(); r++) {
            List<Integer> row = rows.get(down ? r : rows.size() - 1 - r);
            double[] mean = new double[place.length];
            for (int i : row) {
                List<Integer> fixed = down ? layers.up().get(i) : layers.down().get(i);
                mean[i] = fixed.stream().mapToInt(j -> place[j]).average().orElse(place[i]);
            }
            row.sort(Comparator.comparingDouble(i -> mean[i]));
            for (int from = 0, end = 1; from < row.size(); from = end++) {
                while (end < row.size() && mean[row.get(end)] == mean[row.get(from)]) {
                    end++;
                }
                passInTheMiddle(row.subList(from, end));
            }
            number(row);
        }
    }

    /** Of those that all want one place, boxes stand on both sides of the arcs that go on to the next row. */
    private void passInTheMiddle(List<Integer> some) {
        List<Integer> boxes = some.stream().filter(layers::isBox).toList();
        List<Integer> order = new ArrayList<>(boxes.subList(0, boxes.size() / 2));
        some.stream().filter(i -> !layers.isBox(i)).forEach(order::add);
        order.addAll(boxes.subList(boxes.size() / 2, boxes.size()));
        Collections.copy(some, order);
    }

    private void exchange() {
        boolean better = true;
        for (int round = 0; better && round < EXCHANGES; round++) {
            better = false;
            for (List<Integer> row : layers.rows()) {
                for (int p = 1; p < row.size(); p++) {
                    int left = row.get(p - 1);
                    int right = row.get(p);
                    if (crossings(right, left) < crossings(left, right)) {
                        Collections.swap(row, p - 1, p);
                        place[left] = p;
                        place[right] = p - 1;
                        better = true;
                    }
                }
            }
        }
    }

    /** Among the links of two of a row that stand side by side. */
    private int crossings(int left, int right) {
        return crossings(layers.up().get(left), layers.up().get(right))
                + crossings(layers.down().get(left), layers.down().get(right));
    }

    private int crossings(List<Integer> ofLeft, List<Integer> ofRight) {
        int count = 0;
        for (int a : ofLeft) {
            for (int b : ofRight) {
                count += place[a] > place[b] ? 1 : 0;
            }
        }
        return count;
    }

    private long crossings() {
        long count = 0;
        for (List<Integer> row : layers.rows()) {
            int[] ends = row.stream().flatMapToInt(i -> layers.down().get(i).stream().mapToInt(j -> place[j]).sorted())
                    .toArray();
            count += inversions(ends);
        }
        return count;
    }

    /** Pairs that stand the wrong way round; counted in a tree of sums. */
    private static long inversions(int[] values) {
        int[] tree = new int[Arrays.stream(values).max().orElse(0) + 2];
        long count = 0;
        for (int seen = 0; seen < values.length; seen++) {
            count += seen;
            for (int i = values[seen] + 1; i > 0; i -= i & -i) {
                count -= tree[i];
            }
            for (int i = values[seen] + 1; i < tree.length; i += i & -i) {
                tree[i]++;
            }
        }
        return count;
    }
}
