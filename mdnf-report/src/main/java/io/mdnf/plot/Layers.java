package io.mdnf.plot;

import io.mdnf.plot.LayeredLayout.Arc;
import io.mdnf.plot.LayeredLayout.Size;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Boxes, and the places where arcs pass between them, in rows; every link is between neighbouring rows. Arcs from one
 * box pass at one place, so that a hub is no bundle of parallels. Places are numbered after the boxes.
 *
 * @param boxes their sizes
 * @param rows from top to bottom, each from left to right: changed by whoever orders them
 * @param row of each box and place
 * @param up what each is linked with in the row above
 * @param down and below
 * @param passes of each arc, the places where it passes
 */
record Layers(List<Size> boxes, List<List<Integer>> rows, List<Integer> row, List<List<Integer>> up,
        List<List<Integer>> down, List<List<Integer>> passes) {

    static Layers of(List<Size> boxes, List<Arc> arcs, int[] layerOf) {
        Layers layers = new Layers(boxes, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(),
                new ArrayList<>());
        for (int r = 0; r <= Arrays.stream(layerOf).max().orElseThrow(); r++) {
            layers.rows.add(new ArrayList<>());
        }
        for (int layer : layerOf) {
            layers.add(layer);
        }
        List<List<Integer>> shared = boxes.stream().map(box -> (List<Integer>) new ArrayList<Integer>()).toList();
        for (Arc arc : arcs) {
            List<Integer> places = shared.get(arc.from());
            int rows = layerOf[arc.to()] - layerOf[arc.from()] - 1;
            while (places.size() < rows) {
                int place = layers.add(layerOf[arc.from()] + 1 + places.size());
                layers.link(places.isEmpty() ? arc.from() : places.get(places.size() - 1), place);
                places.add(place);
            }
            layers.link(rows == 0 ? arc.from() : places.get(rows - 1), arc.to());
            layers.passes.add(List.copyOf(places.subList(0, rows)));
        }
        return layers;
    }

    private int add(int layer) {
        int number = row.size();
        rows.get(layer).add(number);
        row.add(layer);
        up.add(new ArrayList<>());
        down.add(new ArrayList<>());
        return number;
    }

    private void link(int above, int below) {
        down.get(above).add(below);
        up.get(below).add(above);
    }

    int size() {
        return row.size();
    }

    int rowOf(int i) {
        return row.get(i);
    }

    boolean isBox(int i) {
        return i < boxes.size();
    }

    double width(int i) {
        return isBox(i) ? boxes.get(i).width() : 0;
    }

    /** From centre to centre, if one stands beside the other. */
    double apart(int left, int right) {
        return (width(left) + width(right)) / 2
                + (isBox(left) && isBox(right) ? LayeredLayout.BESIDE : LayeredLayout.ARC_BESIDE);
    }
}
