package io.mdnf.elimination;

import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The graph of variables linked by factors, while it is taken apart by greedy min-fill: next goes the variable whose
 * neighbours need the fewest new links to become a clique, ties to the smaller table.
 */
final class MinFill {

    private static final long UNKNOWN = -1;

    /** Tables of more variables are never held, so that it hardly matters in which order the rest goes. */
    static final int MOST_NEIGHBOURS = 128;

    private final CodeSpace space;
    private final List<Set<Integer>> neighbours = new ArrayList<>();
    private final Set<Integer> left = new TreeSet<>();
    private final long[] fill;

    MinFill(CodeSpace space, List<int[]> scopes) {
        this.space = space;
        fill = new long[space.variables()];
        Arrays.fill(fill, UNKNOWN);
        for (int d = 0; d < fill.length; d++) {
            neighbours.add(new HashSet<>());
            left.add(d);
        }
        scopes.forEach(scope -> connect(IntStream.of(scope).boxed().toList()));
    }

    /** All variables that are left, in the order in which they are taken; where that is hopeless those of few links. */
    int[] order() {
        int[] order = new int[left.size()];
        for (int i = 0; i < order.length; i++) {
            order[i] = cheapest();
            if (neighbours.get(order[i]).size() > MOST_NEIGHBOURS) {
                int[] rest = left.stream().sorted(Comparator.comparingInt(variable -> neighbours.get(variable).size()))
                        .mapToInt(Integer::intValue).toArray();
                System.arraycopy(rest, 0, order, i, rest.length);
                break;
            }
            eliminate(order[i]);
        }
        return order;
    }

    /** Takes variables as long as they need no link, which costs nothing that another order could save. */
    int[] withoutLinks() {
        List<Integer> taken = new ArrayList<>();
        while (!left.isEmpty() && fill[cheapest()] == 0) {
            taken.add(cheapest());
            eliminate(taken.get(taken.size() - 1));
        }
        return taken.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The variables that are left, and as rows of bits which of them are linked, by their places among them. */
    record Rest(int[] variables, long[][] links) {
    }

    Rest rest() {
        int[] variables = left.stream().mapToInt(Integer::intValue).toArray();
        long[][] links = new long[variables.length][(variables.length + 63) / 64];
        int[] at = new int[space.variables()];
        IntStream.range(0, variables.length).forEach(i -> at[variables[i]] = i);
        for (int i = 0; i < variables.length; i++) {
            for (int neighbour : neighbours.get(variables[i])) {
                links[i][at[neighbour] >> 6] |= 1L << at[neighbour];
            }
        }
        return new Rest(variables, links);
    }

    private int cheapest() {
        // A variable known to need no link is safe to take at once, which spares recounting the large ones.
        Optional<Integer> simplicial = left.stream().filter(variable -> fill[variable] == 0).findFirst();
        if (simplicial.isPresent()) {
            return simplicial.get();
        }
        left.stream().filter(variable -> fill[variable] == UNKNOWN)
                .forEach(variable -> fill[variable] = countFill(variable));
        return left.stream().min(Comparator.<Integer>comparingLong(variable -> fill[variable])
                .thenComparingDouble(this::tableSize)).orElseThrow();
    }

    private long countFill(int variable) {
        int[] around = neighbours.get(variable).stream().mapToInt(Integer::intValue).toArray();
        long missing = 0;
        for (int a = 0; a < around.length; a++) {
            Set<Integer> linked = neighbours.get(around[a]);
            for (int b = a + 1; b < around.length; b++) {
                missing += linked.contains(around[b]) ? 0 : 1;
            }
        }
        return missing;
    }

    private double tableSize(int variable) {
        return neighbours.get(variable).stream().mapToDouble(space::cardinality)
                .reduce(space.cardinality(variable), (a, b) -> a * b);
    }

    private void eliminate(int variable) {
        List<Integer> around = new ArrayList<>(neighbours.get(variable));
        if (fill[variable] != 0) {
            connect(around);
        }
        for (int a : around) {
            neighbours.get(a).remove(variable);
            fill[a] = fill[a] == 0 ? 0 : UNKNOWN;
        }
        left.remove(variable);
    }

    private void connect(List<Integer> clique) {
        for (int i = 0; i < clique.size(); i++) {
            for (int j = i + 1; j < clique.size(); j++) {
                link(clique.get(i), clique.get(j));
            }
        }
    }

    /** A new link changes what its two ends miss, and completes a pair for each common neighbour. */
    private void link(int a, int b) {
        if (neighbours.get(a).add(b)) {
            neighbours.get(b).add(a);
            fill[a] = UNKNOWN;
            fill[b] = UNKNOWN;
            for (int common : neighbours.get(a)) {
                if (fill[common] > 0 && neighbours.get(b).contains(common)) {
                    fill[common]--;
                }
            }
        }
    }
}
