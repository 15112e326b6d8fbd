package io.mdnf.elimination;

import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * How buckets are split so that no table has more entries than a limit, but for factors that are larger themselves:
 * {@link EliminationPlan} with mini-buckets in the place of cliques.
 *
 * <p>In the bucket of a variable meet factors and messages. The largest come first; each goes where it fits and adds
 * the fewest entries, or into a mini-bucket of its own.
 *
 * @param order all variables [D], the first eliminated first
 * @param minis those of the first variable first; at least one for each variable
 * @param largestTable entries of the largest table; a double, since it may be astronomical
 * @param totalEntries entries of all tables together
 * @param split the number of variables with more than one mini-bucket
 */
public record MiniBucketPlan(int[] order, List<Mini> minis, double largestTable, double totalEntries, int split) {

    /**
     * What is summed over one variable together.
     *
     * @param scope the variable, then those of the table that are eliminated later, the next one first
     * @param factors positions of the factors that are multiplied
     * @param children positions of the mini-buckets whose messages are
     */
    public record Mini(int[] scope, List<Integer> factors, List<Integer> children) {

        /** Returns the variable that is summed over. */
        public int variable() {
            return scope[0];
        }
    }

    /** A mini-bucket while it grows: the places of its variables in the order. */
    private static final class Growing {
        private final TreeSet<Integer> places = new TreeSet<>();
        private final List<Integer> factors = new ArrayList<>();
        private final List<Integer> children = new ArrayList<>();
    }

    /** A factor, or a message from a mini-bucket, on its way to a bucket. */
    private record Arriving(TreeSet<Integer> places, int index, boolean message) {}

    /**
     * Splits buckets.
     *
     * @param scopes the variables of each factor
     * @param order all variables [D], the first eliminated first
     * @param mostEntries that a table may have
     */
    public static MiniBucketPlan of(CodeSpace space, List<int[]> scopes, int[] order, double mostEntries) {
        int[] placeOf = space.positions(order);
        List<List<Arriving>> buckets = new ArrayList<>();
        IntStream.range(0, order.length).forEach(place -> buckets.add(new ArrayList<>()));
        for (int f = 0; f < scopes.size(); f++) {
            TreeSet<Integer> places = new TreeSet<>(
                    IntStream.of(scopes.get(f)).mapToObj(variable -> placeOf[variable]).toList());
            if (!places.isEmpty()) {
                buckets.get(places.first()).add(new Arriving(places, f, false));
            }
        }
        List<Mini> minis = new ArrayList<>();
        double largest = 0;
        double total = 0;
        int split = 0;
        for (int place = 0; place < order.length; place++) {
            List<Growing> grown = partition(space, order, place, buckets.get(place), mostEntries);
            split += grown.size() > 1 ? 1 : 0;
            for (Growing mini : grown) {
                double size = entries(space, order, mini.places);
                largest = Math.max(largest, size);
                total += size;
                TreeSet<Integer> left = new TreeSet<>(mini.places.tailSet(place, false));
                if (!left.isEmpty()) {
                    buckets.get(left.first()).add(new Arriving(left, minis.size(), true));
                }
                minis.add(new Mini(mini.places.stream().mapToInt(p -> order[p]).toArray(), mini.factors,
                        mini.children));
            }
            // what was passed on is not needed again
            buckets.set(place, List.of());
        }
        return new MiniBucketPlan(order.clone(), minis, largest, total, split);
    }

    private static List<Growing> partition(CodeSpace space, int[] order, int place, List<Arriving> arrived,
            double mostEntries) {
        arrived.sort(Comparator.comparingDouble((Arriving a) -> -entries(space, order, a.places))
                .thenComparing(Arriving::message).thenComparing(Arriving::index));
        List<Growing> grown = new ArrayList<>();
        for (Arriving item : arrived) {
            Growing best = null;
            double least = Double.POSITIVE_INFINITY;
            for (Growing mini : grown) {
                double before = entries(space, order, mini.places);
                TreeSet<Integer> union = new TreeSet<>(mini.places);
                union.addAll(item.places);
                double after = entries(space, order, union);
                if ((after <= mostEntries || after == before) && after - before < least) {
                    least = after - before;
                    best = mini;
                }
            }
            if (best == null) {
                best = new Growing();
                grown.add(best);
            }
            best.places.addAll(item.places);
            (item.message ? best.children : best.factors).add(item.index);
        }
        if (grown.isEmpty()) {
            Growing alone = new Growing();
            alone.places.add(place);
            return Collections.singletonList(alone);
        }
        return grown;
    }

    private static double entries(CodeSpace space, int[] order, TreeSet<Integer> places) {
        double entries = 1;
        for (int place : places) {
            entries *= space.cardinality(order[place]);
        }
        return entries;
    }

    /** {@return whether nothing was split, so that messages are exact} */
    public boolean isExact() {
        return split == 0;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT,
                "%d of %d variables split, largest table %.4g entries, all tables %.4g entries",
                split, order.length, largestTable, totalEntries);
    }
}
