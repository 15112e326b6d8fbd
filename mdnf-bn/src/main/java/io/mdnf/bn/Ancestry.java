package io.mdnf.bn;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parents before children: the topological order of a directed graph, or the cycle that forbids one. */
final class Ancestry {

    private Ancestry() {
    }

    /**
     * Kahn's algorithm on parents[i], the parents of node i; among nodes that are ready the first made ready goes
     * first, so the order is stable. It is shorter than the number of nodes if there is a cycle.
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
        BitSet ordered = new BitSet();
        Arrays.stream(order).forEach(ordered::set);
        // Every unordered node has an unordered parent, so walking up must come back.
        Set<Integer> walk = new LinkedHashSet<>();
        int node = ordered.nextClearBit(0);
        while (walk.add(node)) {
            node = Arrays.stream(parents[node]).filter(parent -> !ordered.get(parent)).findFirst().orElseThrow();
        }
        int again = node;
        List<Integer> cycle = new ArrayList<>(walk.stream().dropWhile(seen -> seen != again).toList());
        Collections.reverse(cycle);
        return Optional.of(cycle);
    }
}
