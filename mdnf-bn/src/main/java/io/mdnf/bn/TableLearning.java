package io.mdnf.bn;

import io.mdnf.elimination.Calibration;
import io.mdnf.elimination.JunctionTree;
import io.mdnf.elimination.Memory;
import io.mdnf.elimination.TooLargeException;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A network's tables from cases, of which cells, or whole variables, may be missing: expectation maximisation under a
 * Dirichlet prior on every row of every table. Expectations are exact where one junction tree holds them; elsewhere
 * each case gets a posterior of its own, and a lower bound takes the place of the log likelihood.
 *
 * <pre>{@code n(row, k) = sum_cases p(row, k | case),  theta(row, k) = (n(row, k) + prior) / (n(row) + K prior) }</pre>
 *
 * <p>No exact step lowers {@code sum_cases log p(case) + prior * sum log theta}; with a prior of 0, the log
 * likelihood itself. Without missing cells the first step is the last. Tables are all that a step remembers, so
 * whoever keeps them can go on at any time.
 */
public final class TableLearning {

    /** Parts whose counts are added in order, so that threads do not change the sums. */
    private static final int PARTS = 16;
    /** Nats per case: what a step gains below that nobody would see in the tables. */
    private static final double GAIN = 1e-7;
    private static final Seed FITS = Seed.of(1);

    private final List<int[]> cases = new ArrayList<>();
    private final List<Double> counts = new ArrayList<>();
    private final double total;
    private final double prior;
    private final long mostBytes;
    private Optional<JunctionTree> tree;
    private int[] order;

    /**
     * What one step saw and made.
     *
     * @param network with the new tables
     * @param number of steps made
     * @param logLikelihood of all cases under the tables before, in nats; a bound of it where expectations are fitted
     * @param objective the log likelihood with the prior's share
     * @param gain in the objective since the step before
     */
    public record Step(BayesianNetwork network, int number, double logLikelihood, double objective, double gain) {

        /** No step yet. */
        public static Step none(BayesianNetwork start) {
            return new Step(start, 0, Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        }
    }

    /**
     * Learns from cases, each a state for every node or {@link JunctionTree#LATENT}.
     *
     * @param prior what every entry is counted beforehand, at least 0
     */
    public TableLearning(List<int[]> all, double prior) {
        this(all, prior, Memory.available());
    }

    /** The same within a limit of memory for exact expectations, in bytes. */
    public TableLearning(List<int[]> all, double prior, long mostBytes) {
        this.mostBytes = mostBytes;
        Check.that(!all.isEmpty(), "there are no cases to learn from");
        Check.that(prior >= 0 && prior < Double.POSITIVE_INFINITY, "prior = ", prior, ": must be at least 0");
        this.prior = prior;
        this.total = all.size();
        Map<IntBuffer, Double> different = new TreeMap<>();
        all.forEach(each -> different.merge(CodeSpace.key(each), 1.0, Double::sum));
        different.forEach((each, count) -> {
            cases.add(each.array());
            counts.add(count);
        });
    }

    /**
     * Returns a start for a structure: counts of the cases in which a whole family was observed. A family with a
     * variable that no case observed gets random tables, since equal ones would never part.
     */
    public BayesianNetwork start(BayesianNetwork structure, Seed seed) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < structure.size(); i++) {
            int node = i;
            double[] table = new double[structure.node(i).table().length];
            Arrays.fill(table, Math.max(prior, 1.0 / 2));
            int[] family = IntStream.concat(IntStream.of(structure.parents(i)), IntStream.of(i)).toArray();
            boolean hidden = IntStream.of(family).anyMatch(v -> cases.stream()
                    .allMatch(each -> each[v] == JunctionTree.LATENT));
            if (hidden) {
                var random = seed.fold(node).generator();
                Arrays.setAll(table, e -> 1 + random.nextDouble());
            }
            for (int c = 0; c < cases.size(); c++) {
                int[] each = cases.get(c);
                if (IntStream.of(family).allMatch(v -> each[v] != JunctionTree.LATENT)) {
                    table[structure.row(i, each) * structure.cardinality(i) + each[i]] += counts.get(c);
                }
            }
            nodes.add(withTable(structure.node(i), table));
        }
        return BayesianNetwork.of(structure.name(), nodes);
    }

    /**
     * Returns the network after steps until one gains next to nothing.
     *
     * @param from the latest step made, or {@link Step#none}
     * @param mostSteps in all, those made before included
     * @param watch hears each
     */
    public BayesianNetwork learn(Step from, int mostSteps, Consumer<Step> watch) {
        Step now = from;
        while (now.number() < mostSteps && !isAtRest(now)) {
            now = step(now);
            watch.accept(now);
        }
        return now.network();
    }

    /** {@return whether a step gained next to nothing, so that no more follow} */
    public boolean isAtRest(Step step) {
        return step.gain() < GAIN * total;
    }

    /**
     * Makes one step more.
     *
     * @throws IllegalArgumentException if a case has probability 0
     */
    public Step step(Step before) {
        BayesianNetwork network = before.network();
        double[][] expected = zeros(network);
        double logLikelihood = isExact(network) ? exact(network, expected) : fitted(network, expected);
        double objective = logLikelihood;
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < expected.length; i++) {
            double[] table = network.node(i).table();
            for (int e = 0; e < table.length; e++) {
                objective += prior == 0 ? 0 : prior * Math.log(table[e]);
                expected[i][e] += prior;
            }
            nodes.add(withTable(network.node(i), expected[i]));
        }
        return new Step(BayesianNetwork.of(network.name(), nodes), before.number() + 1, logLikelihood, objective,
                objective - before.objective());
    }

    /** Returns the log likelihood of cases, or the bound of it, as the steps see it; -infinity if one is impossible. */
    public double logLikelihood(BayesianNetwork network, List<int[]> others) {
        if (isExact(network)) {
            Calibration calibration = treeOf(network).calibration();
            return others.stream().mapToDouble(calibration::observe).sum();
        }
        double[][] counts = zeros(network);
        FittedCounts fits = fits(network);
        return others.stream().mapToDouble(each -> fits.add(each, 1, counts)).sum();
    }

    /** Returns whether one junction tree holds the expectations of a structure. */
    public boolean isExact(BayesianNetwork structure) {
        if (tree == null) {
            NamedFactors model = NamedFactors.of(structure);
            try {
                tree = Optional.of(JunctionTree.of(model.space(), model.factors(), mostBytes));
            } catch (TooLargeException e) {
                tree = Optional.empty();
            }
        }
        return tree.isPresent();
    }

    private JunctionTree treeOf(BayesianNetwork network) {
        tree = tree.map(before -> before.with(NamedFactors.of(network).factors()));
        return tree.orElseThrow();
    }

    private static double[][] zeros(BayesianNetwork network) {
        return network.nodes().stream().map(node -> new double[node.table().length]).toArray(double[][]::new);
    }

    private double exact(BayesianNetwork network, double[][] expected) {
        double logLikelihood = 0;
        JunctionTree now = treeOf(network);
        List<Part> parts = IntStream.range(0, PARTS).parallel().mapToObj(p -> new Part(now, network).add(p)).toList();
        for (Part part : parts) {
            logLikelihood += part.logLikelihood;
            for (int i = 0; i < expected.length; i++) {
                for (int e = 0; e < expected[i].length; e++) {
                    expected[i][e] += part.expected[i][e];
                }
            }
        }
        return logLikelihood;
    }

    private double fitted(BayesianNetwork network, double[][] expected) {
        FittedCounts fits = fits(network);
        double bound = 0;
        for (int c = 0; c < cases.size(); c++) {
            bound += counts.get(c) * fits.add(cases.get(c), counts.get(c), expected);
        }
        return bound;
    }

    private FittedCounts fits(BayesianNetwork network) {
        order = order == null ? FittedCounts.order(network) : order;
        return new FittedCounts(network, mostBytes, order, FITS);
    }

    /** A table from counts: a row that was never seen, without a prior, stays equal. */
    private static Node withTable(Node node, double[] counts) {
        int states = node.cardinality();
        double[] table = new double[counts.length];
        for (int row = 0; row < counts.length; row += states) {
            double sum = Node.sum(counts, row, states);
            for (int k = row; k < row + states; k++) {
                table[k] = sum == 0 ? 1.0 / states : counts[k] / sum;
            }
        }
        return new Node(node.name(), node.states(), node.parents(), table);
    }

    /** Expected counts of every sixteenth of the cases. */
    private final class Part {
        private final double[][] expected;
        private final Calibration calibration;
        private final BayesianNetwork network;
        private double logLikelihood;

        Part(JunctionTree tree, BayesianNetwork network) {
            this.network = network;
            calibration = tree.calibrationOfAll();
            expected = zeros(network);
        }

        Part add(int part) {
            int end = (int) ((part + 1L) * cases.size() / PARTS);
            for (int c = (int) ((long) part * cases.size() / PARTS); c < end; c++) {
                double logP = calibration.observe(cases.get(c));
                Check.that(logP != Double.NEGATIVE_INFINITY, "case ", Arrays.toString(cases.get(c)),
                        " has probability 0; a prior above 0 makes every case possible");
                logLikelihood += counts.get(c) * logP;
                for (int i = 0; i < network.size(); i++) {
                    calibration.addPosterior(i, counts.get(c), expected[i]);
                }
            }
            return this;
        }
    }
}
