package io.mdnf.bn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * In which order to eliminate the latent variables, and how large the tables will be: what exact inference would cost,
 * known before any table exists.
 *
 * <p>Greedy min-fill: next goes the variable whose neighbours need the fewest new links to become a clique, ties to the
 * smaller table. The clique of variable v is v and its neighbours at that moment; its table has one entry per
 * configuration of the clique.
 *
 * @param cliques clique i is the i-th variable eliminated followed by its neighbours, those eliminated sooner first
 * @param largestTable entries of the largest table; a double, since it may be astronomical
 * @param totalEntries entries of all tables together
 * @param bytes what inference takes at its worst moment: all tables, all messages between them, and one more on the way
 */
public record EliminationPlan(List<int[]> cliques, double largestTable, double totalEntries, double bytes) {

    /** Of an entry of the largest table while it is summed: where it falls, 4 bytes, and twice what is summed there. */
    private static final int ON_THE_WAY = 20;

    /** Plans the elimination of every latent variable. */
    public static EliminationPlan minFill(Evidence evidence) {
        return new MinFill(evidence).plan();
    }

    /** {@return the order of elimination: positions of the latent nodes} */
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

    /** The moral graph while it is taken apart. */
    private static final class MinFill {

        private static final long UNKNOWN = -1;

        private final BayesianNetwork network;
        private final List<Set<Integer>> neighbours = new ArrayList<>();
        private final Set<Integer> left = new TreeSet<>();
        private final long[] fill;

        MinFill(Evidence evidence) {
            network = evidence.network();
            fill = new long[network.size()];
            Arrays.fill(fill, UNKNOWN);
            for (int i = 0; i < network.size(); i++) {
                neighbours.add(new HashSet<>());
            }
            for (int i = 0; i < network.size(); i++) {
                connect(IntStream.of(evidence.latentFamily(i)).boxed().toList());
            }
            IntStream.of(evidence.latents()).forEach(left::add);
        }

        EliminationPlan plan() {
            List<int[]> cliques = new ArrayList<>();
            int[] eliminatedAt = new int[network.size()];
            double largest = 0;
            double total = 0;
            double messages = 0;
            while (!left.isEmpty()) {
                int variable = cheapest();
                double size = tableSize(variable);
                largest = Math.max(largest, size);
                total += size;
                messages += size / network.cardinality(variable);
                eliminatedAt[variable] = cliques.size();
                List<Integer> clique = new ArrayList<>(neighbours.get(variable));
                clique.add(0, variable);
                cliques.add(clique.stream().mapToInt(Integer::intValue).toArray());
                eliminate(variable);
            }
            return new EliminationPlan(cliques.stream().map(clique -> IntStream.of(clique).boxed()
                    .sorted(Comparator.comparingInt(v -> eliminatedAt[v])).mapToInt(Integer::intValue).toArray())
                    .toList(), largest, total, Double.BYTES * (total + messages) + ON_THE_WAY * largest);
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
            return neighbours.get(variable).stream().mapToDouble(network::cardinality)
                    .reduce(network.cardinality(variable), (a, b) -> a * b);
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
}
