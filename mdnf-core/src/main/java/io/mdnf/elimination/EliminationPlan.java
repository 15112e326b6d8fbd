package io.mdnf.elimination;

import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * In which order to eliminate all variables, and how large the tables will be: what exact inference would cost, known
 * before any table exists.
 *
 * <p>The clique of variable v is v and its neighbours, those it shares a factor or an earlier table with, at the moment
 * it is eliminated; its table has one entry per configuration of the clique.
 *
 * @param cliques clique i is the i-th variable eliminated followed by its neighbours, those eliminated sooner first
 * @param largestTable entries of the largest table; a double, since it may be astronomical
 * @param totalEntries entries of all tables together
 * @param bytes what inference takes at its worst moment: all factors, all messages between tables, those on their way
 *     back, and one more for the largest on its way; the tables themselves are never held
 */
public record EliminationPlan(List<int[]> cliques, double largestTable, double totalEntries, double bytes) {

    /**
     * What an order costs.
     *
     * @param scopes the variables of each factor
     * @param order all variables [D], the first eliminated first
     */
    public static EliminationPlan of(CodeSpace space, List<int[]> scopes, int... order) {
        int[] eliminatedAt = space.positions(order);
        List<TreeSet<Integer>> buckets = new ArrayList<>();
        for (int variable : order) {
            buckets.add(new TreeSet<>(List.of(eliminatedAt[variable])));
        }
        for (int[] scope : scopes) {
            List<Integer> places = IntStream.of(scope).mapToObj(variable -> eliminatedAt[variable]).toList();
            if (!places.isEmpty()) {
                buckets.get(Collections.min(places)).addAll(places);
            }
        }
        List<int[]> cliques = new ArrayList<>();
        double largest = 0;
        double total = 0;
        double kept = scopes.stream().mapToDouble(scope -> entries(space, scope)).sum();
        double[] received = new double[order.length];
        for (int i = 0; i < order.length; i++) {
            int[] clique = buckets.get(i).stream().mapToInt(place -> order[place]).toArray();
            double size = entries(space, clique);
            largest = Math.max(largest, size);
            total += size;
            kept += size / space.cardinality(order[i]);
            cliques.add(clique);
            if (clique.length > 1) {
                received[eliminatedAt[clique[1]]] += size / space.cardinality(order[i]);
                buckets.get(eliminatedAt[clique[1]]).addAll(buckets.get(i).tailSet(i, false));
            }
            // what was passed on is not needed again
            buckets.set(i, null);
        }
        return new EliminationPlan(cliques, largest, total,
                Double.BYTES * (kept + onTheWayBack(space, cliques, received)));
    }

    /** Answers wait until their sender is passed; those in the making are there more than once. */
    private static double onTheWayBack(CodeSpace space, List<int[]> cliques, double[] received) {
        double most = 0;
        double waiting = 0;
        for (int i = cliques.size() - 1; i >= 0; i--) {
            most = Math.max(most, waiting + TableSum.PARTS * received[i]);
            int[] clique = cliques.get(i);
            waiting += received[i] - (clique.length > 1 ? entries(space, clique) / space.cardinality(clique[0]) : 0);
        }
        return most;
    }

    private static double entries(CodeSpace space, int[] variables) {
        return IntStream.of(variables).mapToDouble(space::cardinality).reduce(1, (a, b) -> a * b);
    }

    /**
     * What factors cost in the best of many greedy orders with some luck, improved; it takes about as long as the
     * elimination that it finds, a few seconds at most, and is always the same.
     */
    public static EliminationPlan searched(CodeSpace space, List<Factor> factors) {
        List<int[]> scopes = factors.stream().map(Factor::variables).toList();
        return of(space, scopes, OrderSearch.order(space, scopes, OrderSearch.MOST_WORK, Seed.of(1)));
    }

    /** What factors over some scopes cost in the order of greedy min-fill, which is there at once. */
    public static EliminationPlan greedy(CodeSpace space, List<int[]> scopes) {
        return of(space, scopes, new MinFill(space, scopes).order());
    }

    /** {@return the order of elimination, [D]} */
    public int[] order() {
        return cliques.stream().mapToInt(clique -> clique[0]).toArray();
    }

    /** {@return the number of neighbours of the variable with the most of them when it is eliminated} */
    public int width() {
        return cliques.stream().mapToInt(clique -> clique.length - 1).max().orElse(0);
    }

    /** {@return bytes as people read them, in MB or GB} */
    public static String size(double bytes) {
        return bytes < 1e9 ? String.format(Locale.ROOT, "%.4g MB", bytes / 1e6)
                : String.format(Locale.ROOT, bytes < 1e13 ? "%.1f GB" : "%.3g GB", bytes / 1e9);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "width %d, largest table %.4g entries, all tables %.4g entries", width(),
                largestTable, totalEntries);
    }
}
