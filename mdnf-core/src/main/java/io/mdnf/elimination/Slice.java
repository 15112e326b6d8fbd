package io.mdnf.elimination;

import java.util.stream.IntStream;

/**
 * The entries of a clique's table that agree with what was observed, by which of its variables were: entry e of the
 * slice, the last free variable fastest, lies at {@code base + entries[e]} of the whole table, falls on entry
 * {@code up[e]} of the message to the parent and on {@code down[c][e]} of that from child c.
 *
 * <p>Only which variables were observed matters, not as what; so a slice serves many cases.
 *
 * @param separator entries of the message to the parent
 * @param factors where the entries lie in each factor at home in the clique; filled when first asked for
 */
record Slice(int[] entries, int separator, int[] up, int[][] down, int[][] factors) {

    /**
     * A slice of a clique.
     *
     * @param factors how many are at home there
     * @param observed bit v is set if the clique's variable v was observed
     */
    static Slice of(JunctionTree.Clique clique, JunctionTree.Clique[] all, int factors,
            long observed) {
        int[] cardinalities = clique.cardinalities();
        int[] up = compact(clique, clique.separator(), observed);
        int separator = 1;
        for (int v = 0; v < cardinalities.length; v++) {
            separator *= up[v] == 0 ? 1 : cardinalities[v];
        }
        int[][] down = IntStream.of(clique.children())
                .mapToObj(c -> places(cardinalities, observed, compact(clique, all[c].separator(), observed)))
                .toArray(int[][]::new);
        return new Slice(places(cardinalities, observed, clique.strides()), separator,
                places(cardinalities, observed, up), down, new int[factors][]);
    }

    /** How far apart the states of each variable of a clique are in a message that has the free ones of some. */
    private static int[] compact(JunctionTree.Clique clique, int[] kept, long observed) {
        int[] strides = new int[clique.variables().length];
        int stride = 1;
        for (int k = kept.length - 1; k >= 0; k--) {
            int v = clique.position(kept[k]);
            if ((observed >>> v & 1) == 0) {
                strides[v] = stride;
                stride *= clique.cardinalities()[v];
            }
        }
        return strides;
    }

    /** sum_v state_v * stride_v for all configurations of the free variables, the last one fastest. */
    static int[] places(int[] cardinalities, long observed, int[] strides) {
        int size = 1;
        for (int v = 0; v < cardinalities.length; v++) {
            size *= (observed >>> v & 1) == 0 ? cardinalities[v] : 1;
        }
        int[] places = new int[size];
        int filled = 1;
        for (int v = 0; v < cardinalities.length; v++) {
            if ((observed >>> v & 1) == 0) {
                int k = cardinalities[v];
                for (int i = filled - 1; i >= 0; i--) {
                    int place = places[i];
                    for (int state = k - 1; state >= 0; state--) {
                        places[i * k + state] = place + state * strides[v];
                    }
                }
                filled *= k;
            }
        }
        return places;
    }

    int size() {
        return entries.length;
    }

    /** Numbers it may come to hold. */
    long numbers() {
        return (2L + down.length + factors.length) * entries.length;
    }
}
