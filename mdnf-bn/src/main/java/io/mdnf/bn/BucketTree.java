package io.mdnf.bn;

import java.util.Arrays;
import java.util.function.BiFunction;

/**
 * The tables of variable elimination, kept so that they can be used again: bucket i holds, over clique i of the plan,
 * the product of the conditionals first touched there and of the messages from earlier buckets.
 *
 * <p>A message leaves bucket i over its separator (the clique without its own variable) for the bucket of the separator
 * variable eliminated next, or adds to the value if the separator is empty.
 *
 * @param receiver the bucket that each message leaves for
 * @param value log of the sum, or of the maximum, over all latent codes
 */
record BucketTree(EliminationPlan plan, LogFactor[] buckets, LogFactor[] messages, int[] receiver, double value) {

    private static final int ROOT = -1;
    private static final int MOST_IN_A_TABLE = Integer.MAX_VALUE - 8;

    /** Eliminates by summing, {@link LogFactor#sumOnto}, or by maximising, {@link LogFactor#maximumOnto}. */
    static BucketTree eliminate(Evidence evidence, long mostBytes,
            BiFunction<LogFactor, int[], LogFactor> onto) {
        BayesianNetwork network = evidence.network();
        EliminationPlan plan = EliminationPlan.minFill(evidence);
        String what = "exact inference on " + Names.quote(network.name()) + " (" + network.size() + " nodes, " + plan
                + ")";
        if (plan.bytes() > mostBytes) {
            throw new TooLargeException(what, plan.bytes(), "may take " + EliminationPlan.size(mostBytes));
        }
        if (plan.largestTable() > MOST_IN_A_TABLE) {
            throw new TooLargeException(what, plan.bytes(), "in tables of more than 2^31 entries, which Java has not");
        }
        int[] order = plan.order();
        int[] bucketOf = new int[network.size()];
        LogFactor[] buckets = new LogFactor[order.length];
        for (int b = 0; b < order.length; b++) {
            bucketOf[order[b]] = b;
            int[] clique = plan.cliques().get(b);
            buckets[b] = LogFactor.one(clique, Arrays.stream(clique).map(network::cardinality).toArray());
        }
        double value = 0;
        for (int i = 0; i < network.size(); i++) {
            LogFactor factor = LogFactor.conditional(evidence, i);
            if (factor.variables().length == 0) {
                value += factor.values()[0];
            } else {
                buckets[Arrays.stream(factor.variables()).map(v -> bucketOf[v]).min().orElseThrow()].multiply(factor);
            }
        }
        LogFactor[] messages = new LogFactor[order.length];
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

    private static int[] separator(EliminationPlan plan, int bucket) {
        int[] clique = plan.cliques().get(bucket);
        return Arrays.copyOfRange(clique, 1, clique.length);
    }

    int size() {
        return buckets.length;
    }

    /** The variable of a bucket, in the order of elimination. */
    int variable(int bucket) {
        return plan.cliques().get(bucket)[0];
    }

    /**
     * What is lost by a bucket's state against the best given the separator: exactly 0 for the best when maximising.
     */
    double loss(int bucket, int[] states) {
        return messages[bucket].at(states) - buckets[bucket].at(states);
    }

    /**
     * Passes messages back, last bucket first, so that every bucket becomes proportional to the posterior of its
     * clique. Works in place: the tree is used up.
     */
    LogFactor[] calibrate() {
        for (int b = buckets.length - 1; b >= 0; b--) {
            if (receiver[b] != ROOT) {
                LogFactor back = buckets[receiver[b]].sumOnto(separator(plan, b));
                back.divide(messages[b]);
                buckets[b].multiply(back);
            }
        }
        return buckets;
    }
}
