package io.mdnf.elimination;

import io.mdnf.space.Check;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Messages of a {@link JunctionTree} for one case after the other, on one thread: upwards for the log evidence, down
 * again for what is asked for.
 *
 * <p>Entries that disagree with the observations are never visited, a message whose side of the tree saw the same as in
 * the case before is not computed again, and nothing is allocated once every pattern of observations was seen. If a
 * positive number falls below 1e-140, where a later product could lose it, the case is done again in logarithms.
 */
public final class Calibration {

    /** Two numbers at least as large have a product that is not lost. */
    private static final double TINY = 1e-140;
    /** Numbers that slices may hold together: 64 MB. */
    private static final long MOST_IN_SLICES = 1 << 24;

    private final JunctionTree tree;
    private final Table[] tables;
    private final int[] states;
    private final boolean[] changed;
    private final int[] home;
    private long numbers;
    private double logEvidence;
    private boolean distributed;
    private boolean logarithms;
    /** Nothing on the tables is of use for the next case. */
    private boolean stale = true;
    private double[][] logPotentials;

    /** A clique while cases are answered. */
    private static final class Table {
        private final JunctionTree.Clique clique;
        private final Map<Long, Slice> slices = new HashMap<>();
        private final double[] potential;
        /** The potential times the messages from all children, as far as it agrees with the case. */
        private final double[] work;
        /** The posterior of the clique; empty if nobody asks. */
        private final double[] belief;
        /** The sum of work for the parent, divided by its largest entry; a root's is the sum of all. */
        private final double[] message;
        /** The posterior of the separator. */
        private final double[] back;
        private final boolean asked;
        private final int factors;
        private double largest;
        private double logLargest;
        private int base;
        private Slice slice;
        private boolean dirty;
        private boolean tiny;

        Table(JunctionTree tree, int number, boolean asked) {
            clique = tree.cliques()[number];
            potential = tree.potential(number);
            work = new double[potential.length];
            belief = new double[asked ? potential.length : 0];
            int separator = IntStream.of(clique.separator()).map(tree.space()::cardinality).reduce(1, (a, b) -> a * b);
            message = new double[separator];
            back = new double[separator];
            this.asked = asked;
            factors = tree.factorsAtHome(number);
        }
    }

    /** For the marginals, and the factors, of some cliques. */
    Calibration(JunctionTree tree, boolean[] asked) {
        this.tree = tree;
        boolean[] known = asked.clone();
        tables = new Table[known.length];
        for (int c = 0; c < tables.length; c++) {
            tables[c] = new Table(tree, c, known[c]);
            int parent = tables[c].clique.parent();
            if (parent >= 0) {
                // what is asked of a clique, its parent must know
                known[parent] |= known[c];
            }
        }
        states = new int[tree.space().variables()];
        changed = new boolean[states.length];
        home = IntStream.range(0, states.length).map(tree::homeOf).toArray();
    }

    /**
     * Takes a case in and returns log p(observed); -infinity if it is impossible.
     *
     * @param observed a state for each variable, or {@link JunctionTree#LATENT}
     */
    public double observe(int[] observed) {
        Check.that(observed.length == states.length, "observed has ", observed.length, " variables, the tree has ",
                states.length);
        for (int v = 0; v < states.length; v++) {
            if (observed[v] < JunctionTree.LATENT || observed[v] >= tree.space().cardinality(v)) {
                throw new IllegalArgumentException("observed[" + v + "] = " + observed[v] + " is outside 0 .. "
                        + (tree.space().cardinality(v) - 1) + " and not LATENT");
            }
            changed[v] = stale || observed[v] != states[v];
            states[v] = observed[v];
        }
        distributed = false;
        logEvidence = tree.logScale();
        boolean tiny = false;
        for (Table table : tables) {
            mark(table);
            if (table.dirty) {
                choose(table);
                collect(table);
            }
            tiny |= table.tiny;
            logEvidence += table.logLargest;
        }
        stale = tiny;
        logarithms = tiny;
        if (tiny) {
            collectInLogarithms();
        }
        return logEvidence;
    }

    /** Whether anything on this side of the tree differs from the case before. */
    private void mark(Table table) {
        table.dirty = false;
        for (int v : table.clique.variables()) {
            table.dirty |= changed[v];
        }
        for (int child : table.clique.children()) {
            table.dirty |= tables[child].dirty;
        }
    }

    /** The entries that agree with the case. */
    private void choose(Table table) {
        int[] variables = table.clique.variables();
        long observed = 0;
        table.base = 0;
        for (int v = 0; v < variables.length; v++) {
            int state = states[variables[v]];
            if (state != JunctionTree.LATENT) {
                observed |= 1L << v;
                table.base += state * table.clique.strides()[v];
            }
        }
        table.slice = table.slices.get(observed);
        if (table.slice == null) {
            table.slice = Slice.of(table.clique, tree.cliques(), table.factors, observed);
            numbers += table.slice.numbers();
            if (numbers > MOST_IN_SLICES) {
                numbers = table.slice.numbers();
                for (Table each : tables) {
                    each.slices.clear();
                }
            }
            table.slices.put(observed, table.slice);
        }
    }

    private void collect(Table table) {
        Slice slice = table.slice;
        double[] work = table.work;
        int[] entries = slice.entries();
        int size = entries.length;
        boolean tiny = false;
        for (int e = 0; e < size; e++) {
            work[e] = table.potential[table.base + entries[e]];
            tiny |= work[e] < TINY && work[e] > 0;
        }
        for (int c = 0; c < table.clique.children().length; c++) {
            double[] message = tables[table.clique.children()[c]].message;
            int[] at = slice.down()[c];
            for (int e = 0; e < size; e++) {
                work[e] *= message[at[e]];
                tiny |= work[e] < TINY && work[e] > 0;
            }
        }
        double[] message = table.message;
        int separator = slice.separator();
        int[] up = slice.up();
        Arrays.fill(message, 0, separator, 0);
        for (int e = 0; e < size; e++) {
            message[up[e]] += work[e];
        }
        double largest = 0;
        for (int s = 0; s < separator; s++) {
            largest = Math.max(largest, message[s]);
        }
        if (largest > 0) {
            for (int s = 0; s < separator; s++) {
                message[s] /= largest;
                tiny |= message[s] < TINY && message[s] > 0;
            }
        }
        table.tiny = tiny || largest > 0 && largest < TINY;
        table.largest = largest;
        table.logLargest = Math.log(largest);
    }

    /** Sends the posterior of separators down, last clique first. */
    private void distribute() {
        Check.that(logEvidence != Double.NEGATIVE_INFINITY, "the case has probability 0: there is no posterior");
        if (distributed) {
            return;
        }
        distributed = true;
        for (int t = tables.length - 1; t >= 0; t--) {
            Table table = tables[t];
            if (table.asked) {
                if (table.clique.parent() < 0) {
                    table.back[0] = 1;
                }
                if (logarithms) {
                    believeInLogarithms(table);
                } else {
                    believe(table);
                }
                sendBack(table);
            }
        }
    }

    private static void believe(Table table) {
        double[] back = table.back;
        Slice slice = table.slice;
        for (int s = 0; s < slice.separator(); s++) {
            // zero in the message means zero in the separator's posterior
            back[s] = table.message[s] == 0 ? 0 : back[s] / (table.message[s] * table.largest);
        }
        double[] belief = table.belief;
        int[] up = slice.up();
        for (int e = 0; e < up.length; e++) {
            belief[e] = table.work[e] * back[up[e]];
        }
    }

    private void sendBack(Table table) {
        for (int c = 0; c < table.clique.children().length; c++) {
            Table child = tables[table.clique.children()[c]];
            if (child.asked) {
                double[] back = child.back;
                int[] at = table.slice.down()[c];
                Arrays.fill(back, 0, child.slice.separator(), 0);
                for (int e = 0; e < at.length; e++) {
                    back[at[e]] += table.belief[e];
                }
            }
        }
    }

    /** Returns p(variable = k | observed) for every state k of a variable that was asked for, [K]. */
    public double[] marginal(int variable) {
        double[] marginal = new double[tree.space().cardinality(variable)];
        marginal(variable, marginal, 0);
        return marginal;
    }

    /** Writes p(variable = k | observed) into an array from a place on. */
    public void marginal(int variable, double[] into, int at) {
        int states = tree.space().cardinality(variable);
        Arrays.fill(into, at, at + states, 0);
        if (this.states[variable] != JunctionTree.LATENT) {
            into[at + this.states[variable]] = 1;
            return;
        }
        Table table = asked(home[variable]);
        distribute();
        int[] variables = table.clique.variables();
        int inner = 1;
        for (int v = variables.length - 1; variables[v] != variable; v--) {
            inner *= this.states[variables[v]] == JunctionTree.LATENT ? table.clique.cardinalities()[v] : 1;
        }
        double[] belief = table.belief;
        int size = table.slice.size();
        double total = 0;
        for (int e = 0; e < size;) {
            for (int k = 0; k < states; k++) {
                double sum = 0;
                for (int i = 0; i < inner; i++) {
                    sum += belief[e++];
                }
                into[at + k] += sum;
                total += sum;
            }
        }
        for (int k = 0; k < states; k++) {
            into[at + k] /= total;
        }
    }

    /**
     * Adds the posterior of a factor's variables, times a weight, to a table laid out as the factor's: expected counts,
     * or the joint posterior of some variables where the factor is a constant that keeps them together.
     *
     * @param factor by its position among the factors
     */
    public void addPosterior(int factor, double weight, double[] to) {
        distribute();
        if (tree.homeOfFactor(factor) < 0) {
            // its variables have one configuration
            to[0] += weight;
            return;
        }
        Table table = asked(tree.homeOfFactor(factor));
        int[] strides = tree.stridesOfFactor(factor);
        int rank = tree.rankOfFactor(factor);
        int[] places = table.slice.factors()[rank];
        if (places == null) {
            int[] variables = table.clique.variables();
            long observed = 0;
            for (int v = 0; v < variables.length; v++) {
                observed |= states[variables[v]] == JunctionTree.LATENT ? 0 : 1L << v;
            }
            places = Slice.places(table.clique.cardinalities(), observed, strides);
            table.slice.factors()[rank] = places;
        }
        int base = 0;
        for (int v = 0; v < strides.length; v++) {
            base += strides[v] * Math.max(0, states[table.clique.variables()[v]]);
        }
        for (int e = 0; e < places.length; e++) {
            to[base + places[e]] += weight * table.belief[e];
        }
    }

    private Table asked(int clique) {
        Check.that(tables[clique].asked, "this calibration was made for other variables; name all in calibration()");
        return tables[clique];
    }

    /** The messages upwards again, in logarithms. */
    private void collectInLogarithms() {
        if (logPotentials == null) {
            logPotentials = tree.logPotentials();
        }
        logEvidence = tree.logConstant();
        for (int t = 0; t < tables.length; t++) {
            Table table = tables[t];
            double[] work = table.work;
            int[] entries = table.slice.entries();
            for (int e = 0; e < entries.length; e++) {
                work[e] = logPotentials[t][table.base + entries[e]];
                for (int c = 0; c < table.clique.children().length; c++) {
                    work[e] += tables[table.clique.children()[c]].message[table.slice.down()[c][e]];
                }
            }
            sumInLogarithms(table);
            logEvidence += table.clique.parent() < 0 ? table.message[0] : 0;
        }
    }

    /** message[s] = log sum_e exp(work[e]) over the entries that fall on s; back holds the largest meanwhile. */
    private static void sumInLogarithms(Table table) {
        double[] most = table.back;
        double[] message = table.message;
        int separator = table.slice.separator();
        int[] up = table.slice.up();
        Arrays.fill(most, 0, separator, Double.NEGATIVE_INFINITY);
        Arrays.fill(message, 0, separator, 0);
        for (int e = 0; e < up.length; e++) {
            most[up[e]] = Math.max(most[up[e]], table.work[e]);
        }
        for (int e = 0; e < up.length; e++) {
            if (table.work[e] != Double.NEGATIVE_INFINITY) {
                message[up[e]] += Math.exp(table.work[e] - most[up[e]]);
            }
        }
        for (int s = 0; s < separator; s++) {
            // nothing but zeros leaves -infinity
            message[s] = Math.log(message[s]) + Math.max(most[s], -Double.MAX_VALUE);
        }
    }

    private static void believeInLogarithms(Table table) {
        double[] back = table.back;
        for (int s = 0; s < table.slice.separator(); s++) {
            back[s] = back[s] == 0 ? Double.NEGATIVE_INFINITY : Math.log(back[s]) - table.message[s];
        }
        int[] up = table.slice.up();
        for (int e = 0; e < up.length; e++) {
            table.belief[e] = Math.exp(table.work[e] + back[up[e]]);
        }
    }
}
