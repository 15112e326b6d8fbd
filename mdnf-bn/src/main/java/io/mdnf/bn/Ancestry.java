package io.mdnf.bn;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Parents before children: the topological order of a directed graph, or the cycle that forbids one. */
final class Ancestry {

    private Ancestry() {
    }

    /**
     * Kahn's algorithm; among nodes that are ready the first made ready goes first, so the order is stable.
     *
     * @param parents parents[i] are the indices of the parents of node i
     * @return the order, shorter than the number of nodes if there is a cycle
     */
    static int[] topologicalOrder(int[][] parents) {
        List<List<Integer>> children = new ArrayList<>();
        for (int i = 0; i < parents.length; i++) {
            children.add(new ArrayList<>());
        }
        int[] waiting = new int[parents.length];
        ArrayDeque<Integer> ready = new ArrayDeque<>();
        for (int i = 0; i < parents.length; i++) {
            for (int parent : parents[i]) {
                children.get(parent).add(i);
            }
            waiting[i] = parents[i].length;
            if (waiting[i] == 0) {
                ready.add(i);
            }
        }
        List<Integer> order = new ArrayList<>();
        while (!ready.isEmpty()) {
            int node = ready.remove();
            order.add(node);
            for (int child : children.get(node)) {
                if (--waiting[child] == 0) {
                    ready.add(child);
                }
            }
        }
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Some directed cycle, each node a parent of the next and the last a parent of the first. */
    static Optional<List<Integer>> cycle(int[][] parents) {
        int[] order = topologicalOrder(parents);
        if (order.length == parents.length) {
            return Optional.empty();
        }
        boolean[] ordered = new boolean[parents.length];
        for (int node : order) {
            ordered[node] = true;
        }
        int node = 0;
        while (ordered[node]) {
            node++;
        }
        // Every unordered node has an unordered parent, so walking up must come back.
        int[] seenAt = new int[parents.length];
        List<Integer> walk = new ArrayList<>();
        while (seenAt[node] == 0) {
            walk.add(node);
            seenAt[node] = walk.size();
            for (int parent : parents[node]) {
                if (!ordered[parent]) {
                    node = parent;
                    break;
                }
            }
        }
        List<Integer> cycle = new ArrayList<>(walk.subList(seenAt[node] - 1, walk.size()));
        Collections.reverse(cycle);
        return Optional.of(cycle);
    }
}
