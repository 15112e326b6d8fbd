package io.mdnf.elimination;

import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Variables linked by factors, at most a few thousand, as rows of bits: greedy orders with some luck, and what any
 * order costs, each fast enough to be tried thousands of times.
 */
final class LinkedVariables {

    /** What a greedy order takes next: the least of this. */
    enum Criterion {
        /** Links that are missing among the neighbours. */
        FILL,
        /** The same, each weighed by the entries of a table over its ends. */
        WEIGHTED_FILL,
        /** Entries of the table. */
        SIZE,
        /** Entries of the table, next to what was eliminated before: one front that sweeps over the graph. */
        SWEEP
    }

    private final int size;
    private final int words;
    private final long[][] links;
    private final double[] logCardinality;
    private long work;

    LinkedVariables(long[][] links, double[] logCardinality) {
        this.size = links.length;
        this.words = (size + 63) / 64;
        this.links = links;
        this.logCardinality = logCardinality;
    }

    /** Words of bits looked at so far: time, but the same on every machine. */
    long work() {
        return work;
    }

    // ---- what an order costs

    /**
     * Returns log of the entries of all tables of an order; where these are so many that {@code most} is passed, no
     * more than that they are.
     */
    double cost(int[] order, double most) {
        int[] place = new int[size];
        for (int i = 0; i < size; i++) {
            place[order[i]] = i;
        }
        // the separator of a table as places, handed on to the first of them
        long[][] waiting = new long[size][];
        double sum = 0;
        double limit = Math.exp(most);
        for (int i = 0; i < size; i++) {
            long[] clique = waiting[i] == null ? new long[words] : waiting[i];
            waiting[i] = null;
            double log = logCardinality[order[i]];
            long[] row = links[order[i]];
            for (int w = 0; w < words; w++) {
                for (long bits = row[w]; bits != 0; bits &= bits - 1) {
                    int p = place[64 * w + Long.numberOfTrailingZeros(bits)];
                    if (p > i) {
                        clique[p >> 6] |= 1L << p;
                    }
                }
            }
            clique[i >> 6] &= ~(1L << i);
            int next = -1;
            for (int w = i >> 6; w < words; w++) {
                for (long bits = clique[w]; bits != 0; bits &= bits - 1) {
                    int p = 64 * w + Long.numberOfTrailingZeros(bits);
                    next = next < 0 ? p : next;
                    log += logCardinality[order[p]];
                }
            }
            work += 2L * words + 40; // exp, memory and the bits themselves
            sum += Math.exp(log);
            if (sum >= limit) {
                return Double.POSITIVE_INFINITY;
            }
            if (next >= 0) {
                waiting[next] = joined(waiting[next], clique);
            }
        }
        return Math.log(sum);
    }

    private static long[] joined(long[] waiting, long[] clique) {
        if (waiting == null) {
            return clique;
        }
        for (int w = 0; w < clique.length; w++) {
            waiting[w] |= clique[w];
        }
        return waiting;
    }

    // ---- greedy orders

    /**
     * Returns an order by a criterion, whose every value is multiplied by exp(noise * U), U uniform on 0 .. 1; none
     * where it comes to a table that is never held, for links would be counted without end.
     */
    Optional<int[]> greedy(Criterion criterion, double noise, UniformRandomProvider random) {
        return new Greedy(criterion, noise, random).order();
    }

    /** The graph while it is taken apart. */
    private final class Greedy {

        private final Criterion criterion;
        private final double noise;
        private final UniformRandomProvider random;
        private final long[][] now = new long[size][];
        private final double[] score = new double[size];
        private final boolean[] stale = new boolean[size];
        private final boolean[] gone = new boolean[size];
        private final boolean[] front = new boolean[size];

        Greedy(Criterion criterion, double noise, UniformRandomProvider random) {
            this.criterion = criterion;
            this.noise = noise;
            this.random = random;
            Arrays.setAll(now, v -> links[v].clone());
            Arrays.fill(stale, true);
        }

        Optional<int[]> order() {
            int[] order = new int[size];
            int first = random.nextInt(size);
            for (int i = 0; i < size; i++) {
                order[i] = i == 0 && criterion == Criterion.SWEEP ? first : next();
                if (Arrays.stream(now[order[i]]).map(Long::bitCount).sum() > MinFill.MOST_NEIGHBOURS) {
                    return Optional.empty();
                }
                eliminate(order[i]);
            }
            return Optional.of(order);
        }

        private int next() {
            int best = -1;
            boolean bestInFront = false;
            for (int v = 0; v < size; v++) {
                if (gone[v]) {
                    continue;
                }
                boolean inFront = criterion == Criterion.SWEEP && front[v];
                if (best >= 0 && bestInFront && !inFront) {
                    continue;
                }
                if (stale[v]) {
                    score[v] = score(v) + noise * random.nextDouble();
                    stale[v] = false;
                }
                if (best < 0 || inFront && !bestInFront || score[v] < score[best]) {
                    best = v;
                    bestInFront = inFront;
                }
            }
            work += size / 4;
            return best;
        }

        /** The logarithm of the criterion: noise multiplies it. */
        private double score(int v) {
            if (criterion == Criterion.SIZE || criterion == Criterion.SWEEP) {
                return logSize(v);
            }
            double missing = 0;
            long[] around = now[v];
            for (int w = 0; w < words; w++) {
                for (long bits = around[w]; bits != 0; bits &= bits - 1) {
                    missing += missing(around, 64 * w + Long.numberOfTrailingZeros(bits));
                }
            }
            // ties go to the smaller table
            return Math.log(missing + 0.1) + 1e-3 * logSize(v);
        }

        /** Links from one neighbour to the others that are missing. */
        private double missing(long[] around, int neighbour) {
            double missing = 0;
            long[] linked = now[neighbour];
            work += words;
            for (int w = 0; w < words; w++) {
                long bits = around[w] & ~linked[w];
                if (criterion == Criterion.FILL) {
                    missing += Long.bitCount(bits);
                } else {
                    for (; bits != 0; bits &= bits - 1) {
                        missing += Math.exp(logCardinality[64 * w + Long.numberOfTrailingZeros(bits)]
                                + logCardinality[neighbour]);
                    }
                }
            }
            // each misses itself
            return missing - (criterion == Criterion.FILL ? 1 : Math.exp(2 * logCardinality[neighbour]));
        }

        private double logSize(int v) {
            double log = logCardinality[v];
            for (int w = 0; w < words; w++) {
                for (long bits = now[v][w]; bits != 0; bits &= bits - 1) {
                    log += logCardinality[64 * w + Long.numberOfTrailingZeros(bits)];
                }
            }
            work += words;
            return log;
        }

        private void eliminate(int v) {
            gone[v] = true;
            long[] around = now[v];
            for (int w = 0; w < words; w++) {
                for (long bits = around[w]; bits != 0; bits &= bits - 1) {
                    int u = 64 * w + Long.numberOfTrailingZeros(bits);
                    long[] linked = now[u];
                    long changed = 0;
                    for (int x = 0; x < words; x++) {
                        long more = around[x] & ~linked[x];
                        changed |= more;
                        linked[x] |= more;
                    }
                    linked[u >> 6] &= ~(1L << u);
                    linked[v >> 6] &= ~(1L << v);
                    stale[u] = true;
                    front[u] = true;
                    work += words;
                    boolean byFill = criterion == Criterion.FILL || criterion == Criterion.WEIGHTED_FILL;
                    if (byFill && changed != 0) {
                        touch(linked);
                    }
                }
            }
        }

        /** A new link may complete a pair of neighbours of whoever is linked to its ends. */
        private void touch(long[] linked) {
            for (int w = 0; w < words; w++) {
                for (long bits = linked[w]; bits != 0; bits &= bits - 1) {
                    stale[64 * w + Long.numberOfTrailingZeros(bits)] = true;
                }
            }
        }
    }
}
