package io.mdnf.elimination;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Variable elimination with its messages kept, so that they can be used again. Bucket i stands for the product, over
 * clique i of the plan, of the factors first touched there and of the messages from earlier buckets. The product is
 * never held: only its message is, which leaves over the separator (the clique without its own variable) for the bucket
 * of the separator variable eliminated next, or adds to the value if the separator is empty.
 *
 * <p>Logarithms rather than scaled numbers: messages that disagree strongly would underflow in a product even after
 * scaling, and the same walk serves sums and maxima.
 */
public final class BucketTree {

    private static final int ROOT = -1;
    /** What arrays of Java can have. */
    private static final int MOST_IN_A_TABLE = Integer.MAX_VALUE - 8;

    private final CodeSpace space;
    private final EliminationPlan plan;
    private final List<List<LogTable>> factors = new ArrayList<>();
    private final List<List<Integer>> senders = new ArrayList<>();
    private final int[] receiver;
    private final LogTable[] messages;
    private double value;

    private BucketTree(CodeSpace space, List<Factor> all, EliminationPlan plan) {
        this.space = space;
        this.plan = plan;
        int[] bucketOf = space.positions(plan.order());
        receiver = new int[bucketOf.length];
        messages = new LogTable[bucketOf.length];
        for (int b = 0; b < receiver.length; b++) {
            int[] clique = plan.cliques().get(b);
            receiver[b] = clique.length == 1 ? ROOT : bucketOf[clique[1]];
            factors.add(new ArrayList<>());
            senders.add(new ArrayList<>());
        }
        for (int b = 0; b < receiver.length; b++) {
            if (receiver[b] != ROOT) {
                senders.get(receiver[b]).add(b);
            }
        }
        for (Factor factor : all) {
            LogTable table = LogTable.of(space, factor);
            if (table.variables().length == 0) {
                value += table.values()[0];
            } else {
                factors.get(IntStream.of(table.variables()).map(v -> bucketOf[v]).min().orElseThrow()).add(table);
            }
        }
    }

    /**
     * Eliminates all variables by summing, or by maximising.
     *
     * @param what is inferred, in words, for whoever must hear that it is too large
     * @throws TooLargeException if the plan needs more bytes than it may take
     */
    public static BucketTree eliminate(CodeSpace space, List<Factor> factors, EliminationPlan plan, long mostBytes,
            String what, boolean maximum) {
        refuse(space, plan, mostBytes, what);
        BucketTree tree = new BucketTree(space, factors, plan);
        for (int b = 0; b < tree.size(); b++) {
            double[] message = tree.sum(b, List.of()).message(maximum);
            int[] clique = tree.clique(b);
            tree.messages[b] = new LogTable(Arrays.copyOf(clique, clique.length - 1),
                    Arrays.copyOf(tree.cardinalities(clique), clique.length - 1), message);
            tree.value += tree.receiver[b] == ROOT ? message[0] : 0;
        }
        return tree;
    }

    private static void refuse(CodeSpace space, EliminationPlan plan, long mostBytes, String what) {
        if (plan.bytes() > mostBytes) {
            throw new TooLargeException(what + " (" + plan + ")", plan.bytes(),
                    "may take " + EliminationPlan.size(mostBytes));
        }
        if (plan.largestTable() / space.width() > MOST_IN_A_TABLE) {
            throw new TooLargeException(what + " (" + plan + ")", plan.bytes(),
                    "in tables of more than 2^31 entries, which Java has not");
        }
    }

    /** The variables of a bucket, its own last: so tables have theirs in the same order. */
    private int[] clique(int bucket) {
        int[] clique = plan.cliques().get(bucket);
        return IntStream.range(0, clique.length).map(i -> clique[clique.length - 1 - i]).toArray();
    }

    private int[] cardinalities(int[] clique) {
        return IntStream.of(clique).map(space::cardinality).toArray();
    }

    /** Returns the tables whose sum are a bucket's logits, of its variable given those eliminated later; shared. */
    public List<LogTable> tables(int bucket) {
        List<LogTable> tables = new ArrayList<>(factors.get(bucket));
        senders.get(bucket).forEach(sender -> tables.add(messages[sender]));
        return tables;
    }

    private TableSum sum(int bucket, List<LogTable> more) {
        int[] clique = clique(bucket);
        List<LogTable> tables = tables(bucket);
        tables.addAll(more);
        return new TableSum(clique, cardinalities(clique), tables);
    }

    /** Returns the space of codes. */
    public CodeSpace space() {
        return space;
    }

    /** Returns log of the sum, or of the maximum, over all codes. */
    public double value() {
        return value;
    }

    /** Returns D, the number of buckets. */
    public int size() {
        return receiver.length;
    }

    /** Returns the variable of a bucket, in the order of elimination. */
    public int variable(int bucket) {
        return plan.cliques().get(bucket)[0];
    }

    /**
     * Returns what is lost by a bucket's category against the best given the separator: 0, but for rounding, for the
     * best when maximising.
     */
    public double loss(int bucket, int[] code) {
        return messages[bucket].at(code) - tables(bucket).stream().mapToDouble(table -> table.at(code)).sum();
    }

    /**
     * Returns p(x_d = k) of the normalised product, [D][K_d], after summing to a finite value. Messages go back, last
     * bucket first, and each is forgotten when it was answered.
     *
     * <p>What goes back are probabilities: one below the smallest number is 0, and no marginal could show it.
     */
    public double[][] marginals() {
        double[][] marginals = new double[size()][];
        LogTable[] answers = new LogTable[size()];
        for (int b = size() - 1; b >= 0; b--) {
            boolean root = receiver[b] == ROOT;
            double log = root ? messages[b].values()[0] : 0;
            List<int[]> scopes = new ArrayList<>(List.of(new int[] {variable(b)}));
            senders.get(b).forEach(sender -> scopes.add(messages[sender].variables()));
            double[][] sums = sum(b, root ? List.of() : List.of(answers[b])).marginals(log, scopes);
            double all = Arrays.stream(sums[0]).sum();
            marginals[variable(b)] = Arrays.stream(sums[0]).map(sum -> sum / all).toArray();
            for (int s = 1; s < sums.length; s++) {
                LogTable sent = messages[senders.get(b).get(s - 1)];
                double[] back = sums[s];
                Arrays.setAll(back, i -> back[i] == 0 ? Double.NEGATIVE_INFINITY
                        : Math.log(back[i] / all) - sent.values()[i]);
                answers[senders.get(b).get(s - 1)] = new LogTable(sent.variables(), sent.cardinalities(), back);
            }
            answers[b] = null;
        }
        return marginals;
    }
}
