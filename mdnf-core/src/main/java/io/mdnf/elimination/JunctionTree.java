package io.mdnf.elimination;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A product of factors laid out once, so that many cases, each an observation of some variables, are answered by
 * passing messages on the same tables: the largest cliques of an {@link EliminationPlan}, linked where they share
 * variables.
 *
 * <pre>{@code
 * JunctionTree tree = JunctionTree.of(target.space(), target.factors(), 1L << 30);
 * Calibration cases = tree.calibration(2);                 // one for each thread
 * double logEvidence = cases.observe(new int[] {1, JunctionTree.LATENT, JunctionTree.LATENT});
 * double[] p = cases.marginal(2);
 * }</pre>
 *
 * <p>Tables are numbers, not logarithms, scaled so that the largest is 1: a case of a few dozen variables takes
 * microseconds. Where numbers become too small for that, {@link Calibration} takes logarithms by itself.
 */
public final class JunctionTree {

    /** What stands for a variable that was not observed. */
    public static final int LATENT = -1;

    private static final int NONE = -1;
    /** Of an entry: its potential, what was collected and believed there, and three places of a slice. */
    private static final int BYTES_OF_AN_ENTRY = 3 * Double.BYTES + 3 * Integer.BYTES;

    private final CodeSpace space;
    private final List<Factor> factors;
    private final Clique[] cliques;
    private final int[] home;
    private final int[] rank;
    private final int[] atHome;
    private final double[][] potentials;
    private final double logConstant;
    private final double logScale;

    /**
     * A table's scope and neighbours; children come before their parents.
     *
     * @param variables ascending
     * @param parent none is -1
     * @param separator what it shares with its parent, ascending
     */
    record Clique(int[] variables, int[] cardinalities, int[] strides, int parent, int[] separator, int[] children) {

        /** Where a variable stands among ours; negative if it does not. */
        int position(int variable) {
            return Arrays.binarySearch(variables, variable);
        }

        int size() {
            return strides[0] * cardinalities[0];
        }
    }

    private JunctionTree(CodeSpace space, List<Factor> factors, Clique[] cliques, int[] home) {
        this.space = space;
        this.factors = List.copyOf(factors);
        this.cliques = cliques;
        this.home = home;
        this.rank = new int[home.length];
        this.atHome = new int[cliques.length];
        for (int f = 0; f < home.length; f++) {
            rank[f] = home[f] == NONE ? NONE : atHome[home[f]]++;
        }
        this.potentials = logPotentials();
        this.logConstant = IntStream.range(0, home.length).filter(f -> home[f] == NONE)
                .mapToDouble(f -> factors.get(f).logTable()[0]).sum();
        double scale = logConstant;
        for (double[] potential : potentials) {
            double most = Arrays.stream(potential).max().orElseThrow();
            for (int e = 0; e < potential.length; e++) {
                // what is possible stays above 0, so that whoever meets it knows that it was too small
                potential[e] = potential[e] == Double.NEGATIVE_INFINITY ? 0
                        : Math.max(Double.MIN_VALUE, Math.exp(potential[e] - most));
            }
            scale += most;
        }
        this.logScale = scale;
    }

    /**
     * Lays factors out in the order of {@link EliminationPlan#greedy}.
     *
     * @param mostBytes what the tables may take, for one thread
     * @throws TooLargeException if they need more
     */
    public static JunctionTree of(CodeSpace space, List<Factor> factors, long mostBytes) {
        // what has one state only is no part of any table, so that a clique of many variables is large
        List<int[]> scopes = factors.stream().map(factor -> IntStream.of(factor.variables())
                .filter(v -> space.cardinality(v) > 1).toArray()).toList();
        EliminationPlan plan = EliminationPlan.greedy(space, scopes);
        double bytes = BYTES_OF_AN_ENTRY * plan.totalEntries();
        if (bytes > mostBytes || plan.largestTable() > Integer.MAX_VALUE - 8) {
            throw new TooLargeException("a junction tree (" + plan + ")", bytes,
                    "may take " + EliminationPlan.size(mostBytes));
        }
        List<int[]> buckets = plan.cliques();
        int[] bucketOf = space.positions(plan.order());
        int[] kept = largest(buckets, bucketOf);
        int[][] linked = links(buckets, bucketOf, kept);
        int[] parents = new int[kept.length];
        int[] order = childrenFirst(space, buckets, kept, linked, parents);
        int[] number = new int[kept.length];
        for (int c = 0; c < order.length; c++) {
            number[order[c]] = c;
        }
        Clique[] cliques = new Clique[order.length];
        for (int c = 0; c < order.length; c++) {
            int bucket = order[c];
            cliques[c] = clique(space, buckets.get(bucket), parents[bucket] == NONE ? new int[0]
                    : buckets.get(parents[bucket]), parents[bucket] == NONE ? NONE : number[parents[bucket]],
                    IntStream.of(linked[bucket]).filter(b -> parents[b] == bucket).map(b -> number[b]).toArray());
        }
        int[] home = scopes.stream().mapToInt(scope -> IntStream.of(scope).map(v -> bucketOf[v]).min().stream()
                .map(b -> number[kept[b]]).findFirst().orElse(NONE)).toArray();
        return new JunctionTree(space, factors, cliques, home);
    }

    /** Refuses a table of variables, before it is made, whose clique alone needs more than so many bytes. */
    public static void requireFits(CodeSpace space, int[] variables, long mostBytes) {
        double entries = size(space, variables);
        if (BYTES_OF_AN_ENTRY * entries > mostBytes || entries > Integer.MAX_VALUE - 8) {
            throw new TooLargeException("a table of " + variables.length + " variables", BYTES_OF_AN_ENTRY * entries,
                    "may take " + EliminationPlan.size(mostBytes));
        }
    }

    /** For each bucket the one whose clique holds its own and is held by no other. */
    private static int[] largest(List<int[]> buckets, int[] bucketOf) {
        int[] kept = IntStream.range(0, buckets.size()).toArray();
        for (int b = 0; b < kept.length; b++) {
            int receiver = receiver(buckets.get(b), bucketOf);
            // the receiver has all that is sent; if it has nothing else, its clique is within the sender's
            if (receiver != NONE && kept[receiver] == receiver
                    && buckets.get(receiver).length == buckets.get(b).length - 1) {
                kept[receiver] = kept[b];
            }
        }
        return kept;
    }

    private static int receiver(int[] bucket, int[] bucketOf) {
        return bucket.length == 1 ? NONE : bucketOf[bucket[1]];
    }

    /** The neighbours of each kept bucket. */
    private static int[][] links(List<int[]> buckets, int[] bucketOf, int[] kept) {
        List<List<Integer>> linked = IntStream.range(0, kept.length).mapToObj(b -> (List<Integer>)
                new ArrayList<Integer>()).toList();
        for (int b = 0; b < kept.length; b++) {
            int receiver = receiver(buckets.get(b), bucketOf);
            if (receiver != NONE && kept[receiver] != kept[b]) {
                linked.get(kept[b]).add(kept[receiver]);
                linked.get(kept[receiver]).add(kept[b]);
            }
        }
        return linked.stream().map(all -> all.stream().mapToInt(b -> b).toArray()).toArray(int[][]::new);
    }

    /** The kept buckets, each before its parent; roots are the largest, which then send nothing. */
    private static int[] childrenFirst(CodeSpace space, List<int[]> buckets, int[] kept, int[][] linked,
            int[] parents) {
        List<Integer> bySize = IntStream.range(0, kept.length).filter(b -> kept[b] == b).boxed()
                .sorted((a, b) -> Double.compare(size(space, buckets.get(b)), size(space, buckets.get(a)))).toList();
        Arrays.fill(parents, NONE);
        boolean[] seen = new boolean[kept.length];
        List<Integer> parentsFirst = new ArrayList<>();
        for (int root : bySize) {
            if (!seen[root]) {
                seen[root] = true;
                parentsFirst.add(root);
                for (int next = parentsFirst.size() - 1; next < parentsFirst.size(); next++) {
                    for (int child : linked[parentsFirst.get(next)]) {
                        if (!seen[child]) {
                            seen[child] = true;
                            parents[child] = parentsFirst.get(next);
                            parentsFirst.add(child);
                        }
                    }
                }
            }
        }
        int n = parentsFirst.size();
        return IntStream.range(0, n).map(i -> parentsFirst.get(n - 1 - i)).toArray();
    }

    private static double size(CodeSpace space, int[] variables) {
        return IntStream.of(variables).mapToDouble(space::cardinality).reduce(1, (a, b) -> a * b);
    }

    private static Clique clique(CodeSpace space, int[] scope, int[] parentScope, int parent, int[] children) {
        int[] variables = IntStream.of(scope).sorted().toArray();
        int[] cardinalities = IntStream.of(variables).map(space::cardinality).toArray();
        int[] separator = IntStream.of(variables).filter(v -> IntStream.of(parentScope).anyMatch(p -> p == v))
                .toArray();
        return new Clique(variables, cardinalities, strides(cardinalities), parent, separator, children);
    }

    private static int[] strides(int[] cardinalities) {
        int[] strides = new int[cardinalities.length];
        int stride = 1;
        for (int v = strides.length - 1; v >= 0; v--) {
            strides[v] = stride;
            stride *= cardinalities[v];
        }
        return strides;
    }

    /** Returns a tree for other factors over the same variables each: only tables change. */
    public JunctionTree with(List<Factor> others) {
        boolean same = others.size() == factors.size() && IntStream.range(0, others.size())
                .allMatch(f -> Arrays.equals(others.get(f).variables(), factors.get(f).variables()));
        if (!same) {
            throw new IllegalArgumentException("factors " + others + " are not over the variables of " + factors);
        }
        return new JunctionTree(space, others, cliques, home);
    }

    /** Returns what answers cases, for one thread, where the marginals of some variables will be asked for. */
    public Calibration calibration(int... targets) {
        boolean[] asked = new boolean[cliques.length];
        IntStream.of(targets).forEach(v -> asked[homeOf(v)] = true);
        return new Calibration(this, asked);
    }

    /** Returns what answers cases, for one thread, where any marginal and any factor may be asked for. */
    public Calibration calibrationOfAll() {
        boolean[] asked = new boolean[cliques.length];
        Arrays.fill(asked, true);
        return new Calibration(this, asked);
    }

    /**
     * {@return an order of cases, a state or {@link #LATENT} for each variable, in which neighbours share messages}
     * What lies far from the roots is compared first, so that it changes least.
     */
    public Comparator<int[]> order() {
        int[] variables = IntStream.range(0, space.variables()).boxed()
                .sorted(Comparator.comparingInt(this::homeOf)).mapToInt(v -> v).toArray();
        return (a, b) -> {
            for (int v : variables) {
                if (a[v] != b[v]) {
                    return Integer.compare(a[v], b[v]);
                }
            }
            return 0;
        };
    }

    /** {@return the space of all variables} */
    public CodeSpace space() {
        return space;
    }

    /** The clique next to the root that has a variable. */
    int homeOf(int variable) {
        for (int c = cliques.length - 1; c >= 0; c--) {
            if (cliques[c].position(variable) >= 0) {
                return c;
            }
        }
        throw new IllegalArgumentException("variable " + variable + " is outside 0 .. " + (space.variables() - 1));
    }

    Clique[] cliques() {
        return cliques;
    }

    /** The clique whose potential a factor is part of; -1 if the factor is a constant. */
    int homeOfFactor(int factor) {
        return home[factor];
    }

    /** How far apart in a factor's table the states of each variable of its clique are; 0 for what it has not. */
    int[] stridesOfFactor(int factor) {
        int[] variables = factors.get(factor).variables();
        int[] strides = strides(IntStream.of(variables).map(space::cardinality).toArray());
        int[] within = new int[cliques[home[factor]].variables().length];
        for (int v = 0; v < variables.length; v++) {
            int at = cliques[home[factor]].position(variables[v]);
            if (at >= 0) {
                within[at] = strides[v];
            }
        }
        return within;
    }

    /** Which of the factors at home in its clique a factor is, from 0. */
    int rankOfFactor(int factor) {
        return rank[factor];
    }

    /** How many factors are at home in a clique. */
    int factorsAtHome(int clique) {
        return atHome[clique];
    }

    double[] potential(int clique) {
        return potentials[clique];
    }

    /** The product of the factors without variables, in logarithms. */
    double logConstant() {
        return logConstant;
    }

    /** The logarithm of what all potentials were divided by, with the constant. */
    double logScale() {
        return logScale;
    }

    /** The product of the factors at home in each clique, in logarithms. */
    double[][] logPotentials() {
        double[][] tables = new double[cliques.length][];
        Arrays.setAll(tables, c -> new double[cliques[c].size()]);
        for (int f = 0; f < home.length; f++) {
            if (home[f] != NONE) {
                double[] values = factors.get(f).logTable();
                double[] table = tables[home[f]];
                int[] places = Slice.places(cliques[home[f]].cardinalities(), 0, stridesOfFactor(f));
                for (int e = 0; e < table.length; e++) {
                    table[e] += values[places[e]];
                }
            }
        }
        return tables;
    }

    /** {@return how many entries all tables have} */
    public long entries() {
        return Arrays.stream(cliques).mapToLong(Clique::size).sum();
    }

    /** For example {@code JunctionTree(8 cliques, 64 entries)}. */
    @Override
    public String toString() {
        return "JunctionTree(" + cliques.length + " cliques, " + entries() + " entries)";
    }
}
