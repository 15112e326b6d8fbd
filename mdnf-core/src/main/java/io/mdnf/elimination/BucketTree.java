package io.mdnf.elimination;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The tables of variable elimination, kept so that they can be used again: bucket i holds, over clique i of the plan,
 * the product of the factors first touched there and of the messages from earlier buckets.
 *
 * <p>A message leaves bucket i over its separator (the clique without its own variable) for the bucket of the separator
 * variable eliminated next, or adds to the value if the separator is empty.
 *
 * <p>Internal: it serves the other rooms and changes with them.
 *
 * @param receiver the bucket that each message leaves for
 * @param value log of the sum, or of the maximum, over all codes
 */
public record BucketTree(EliminationPlan plan, LogTable[] buckets, LogTable[] messages, int[] receiver, double value) {

    private static final int ROOT = -1;
    private static final int MOST_IN_A_TABLE = Integer.MAX_VALUE - 8;

    /**
     * Eliminates by summing, {@link LogTable#sumOnto}, or by maximising, {@link LogTable#maximumOnto}.
     *
     * @param what is inferred, in words, for whoever must hear that it is too large
     * @throws TooLargeException if the plan needs more bytes than it may take
     */
    public static BucketTree eliminate(CodeSpace space, List<Factor> factors, EliminationPlan plan, long mostBytes,
            String what, BiFunction<LogTable, int[], LogTable> onto) {
        refuse(plan, mostBytes, what);
        int[] order = plan.order();
        int[] bucketOf = space.positions(order);
        LogTable[] buckets = new LogTable[order.length];
        Arrays.setAll(buckets, b -> LogTable.one(space, plan.cliques().get(b)));
        double value = 0;
        for (Factor factor : factors) {
            LogTable table = LogTable.of(space, factor);
            if (table.variables().length == 0) {
                value += table.values()[0];
            } else {
                buckets[Arrays.stream(table.variables()).map(v -> bucketOf[v]).min().orElseThrow()].multiply(table);
            }
        }
        LogTable[] messages = new LogTable[order.length];
        int[] receiver = new int[order.length];
        for (int b = 0; b < order.length; b++) {
            int[] separator = separator(plan, b);
            messages[b] = onto.apply(buckets[b], separator);
            receiver[b] = separator.length == 0 ? ROOT : bucketOf[separator[0]];
            if (receiver[b] == ROOT) {
                value += messages[b].values()[0];
            } else {
                buckets[receiver[b]].multiply(messages[b]);
            }
        }
        return new BucketTree(plan, buckets, messages, receiver, value);
    }

    private static void refuse(EliminationPlan plan, long mostBytes, String what) {
        if (plan.bytes() > mostBytes) {
            throw new TooLargeException(what + " (" + plan + ")", plan.bytes(),
                    "may take " + EliminationPlan.size(mostBytes));
        }
        if (plan.largestTable() > MOST_IN_A_TABLE) {
            throw new TooLargeException(what + " (" + plan + ")", plan.bytes(),
                    "in tables of more than 2^31 entries, which Java has not");
        }
    }

    private static int[] separator(EliminationPlan plan, int bucket) {
        int[] clique = plan.cliques().get(bucket);
        return Arrays.copyOfRange(clique, 1, clique.length);
    }

    /** Returns D, the number of buckets. */
    public int size() {
        return buckets.length;
    }

    /** Returns the variable of a bucket, in the order of elimination. */
    public int variable(int bucket) {
        return plan.cliques().get(bucket)[0];
    }

    /**
     * Returns what is lost by a bucket's category against the best given the separator: exactly 0 for the best when
     * maximising.
     */
    public double loss(int bucket, int[] code) {
        return messages[bucket].at(code) - buckets[bucket].at(code);
    }

    /**
     * Passes messages back, last bucket first, so that every bucket becomes proportional to the posterior of its
     * clique. Works in place: the tree is used up.
     */
    public LogTable[] calibrate() {
        for (int b = buckets.length - 1; b >= 0; b--) {
            if (receiver[b] != ROOT) {
                LogTable back = buckets[receiver[b]].sumOnto(separator(plan, b));
                back.divide(messages[b]);
                buckets[b].multiply(back);
            }
        }
        return buckets;
    }
}
