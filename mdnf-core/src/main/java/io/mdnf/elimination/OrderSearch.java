package io.mdnf.elimination;

import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Looks for an order of elimination whose tables have few entries in all.
 *
 * <p>Variables whose neighbours are all linked go first, which costs nothing. Of the others greedy orders by several
 * criteria are tried, again and again with some luck, and the best one is improved by moving single variables in it
 * (annealed). A sweep is among the criteria because a front is what grids want: 20 x 20 has width 20, min-fill finds
 * 29. Rounds of both double in length; the search ends when two of them in a row found little, or when it has taken
 * about as long as the elimination it found, so that a small problem waits for nothing. Work is counted, not timed: the
 * same seed gives the same order everywhere.
 */
final class OrderSearch {

    /** Words of bits looked at, at most: some seconds. */
    static final long MOST_WORK = 1_000_000_000L;

    /** Words that take about as long as an entry of a table in both directions. */
    private static final double WORDS_PER_ENTRY = 4;

    /** Words of the first round: a twentieth of a second. */
    private static final long FIRST_ROUND = 10_000_000;

    /** What a round must gain, in nats of entries, not to be counted as quiet. */
    private static final double LITTLE = 0.05;

    /** Log entries of tables that take ten seconds and more: then quiet rounds are worth waiting for. */
    private static final double LARGE = Math.log(1 << 29);

    /** More linked variables than this are left to min-fill: rows of bits would be long. */
    private static final int MOST_LINKED = 8000;

    /** The share of a round that goes into greedy orders; the rest improves the best of them. */
    private static final double GREEDY = 0.4;

    /** Nats of luck in a greedy choice, in turn: none, for ties only, and more where greed is led astray. */
    private static final double[] NOISE = {0, 0.02, 0.1, 0.4};

    /** Where annealing starts: costs that are so much larger, in nats, are often accepted. */
    private static final double WARM = 0.5;

    private final LinkedVariables linked;
    private final long mostWork;
    private final UniformRandomProvider random;
    private int[] best;
    private double bestCost;
    private int tried;

    private OrderSearch(LinkedVariables linked, int[] start, long mostWork, Seed seed) {
        this.linked = linked;
        this.mostWork = mostWork;
        this.random = seed.generator();
        this.best = start;
        this.bestCost = linked.cost(start, Double.POSITIVE_INFINITY);
    }

    /** An order for variables in some scopes, by about so much work. */
    static int[] order(CodeSpace space, List<int[]> scopes, long mostWork, Seed seed) {
        MinFill graph = new MinFill(space, scopes);
        int[] free = graph.withoutLinks();
        MinFill.Rest rest = graph.rest();
        int[] start = graph.order();
        if (start.length < 3 || start.length > MOST_LINKED) {
            return IntStream.concat(IntStream.of(free), IntStream.of(start)).toArray();
        }
        int[] at = new int[space.variables()];
        IntStream.range(0, rest.variables().length).forEach(i -> at[rest.variables()[i]] = i);
        double[] logs = IntStream.of(rest.variables()).mapToDouble(v -> Math.log(space.cardinality(v))).toArray();
        OrderSearch search = new OrderSearch(new LinkedVariables(rest.links(), logs),
                IntStream.of(start).map(v -> at[v]).toArray(), mostWork, seed);
        search.run();
        return IntStream.concat(IntStream.of(free), IntStream.of(search.best).map(i -> rest.variables()[i])).toArray();
    }

    private void run() {
        if (bestCost == Double.POSITIVE_INFINITY) {
            // what costs more than doubles can tell is never held, in whichever order
            return;
        }
        int quiet = 0;
        boolean large = true;
        for (long length = FIRST_ROUND; (large || quiet < 2) && left() > 0; length *= 2) {
            double before = bestCost;
            long begin = linked.work();
            long end = begin + (long) Math.min(left(), length);
            tryGreedy(begin + (long) (GREEDY * (end - begin)));
            improve(end);
            quiet = bestCost < before - LITTLE ? 0 : quiet + 1;
            large = bestCost > LARGE;
        }
    }

    /** Less work where the tables found take less. */
    private double left() {
        return Math.min(mostWork, WORDS_PER_ENTRY * Math.exp(bestCost)) - linked.work();
    }

    private void tryGreedy(long end) {
        LinkedVariables.Criterion[] criteria = LinkedVariables.Criterion.values();
        for (; linked.work() < end; tried++) {
            linked.greedy(criteria[tried % criteria.length], NOISE[tried / criteria.length % NOISE.length], random)
                    .ifPresent(order -> take(order, linked.cost(order, bestCost)));
        }
    }

    private void take(int[] order, double cost) {
        if (cost < bestCost) {
            best = order.clone();
            bestCost = cost;
        }
    }

    /** Moves single variables to other places; a worse order is kept with a chance that falls to 0. */
    private void improve(long end) {
        int[] now = best.clone();
        double cost = bestCost;
        long begin = linked.work();
        while (linked.work() < end) {
            double left = (end - linked.work()) / (double) (end - begin);
            double temperature = WARM * left * left;
            int from = random.nextInt(now.length);
            int far = 1 + random.nextInt(random.nextInt(4) == 0 ? now.length : Math.min(now.length, 30));
            int to = Math.max(0, Math.min(now.length - 1, random.nextBoolean() ? from + far : from - far));
            move(now, from, to);
            double allowed = cost - temperature * Math.log(1 - random.nextDouble());
            double moved = linked.cost(now, allowed);
            if (moved <= allowed) {
                cost = moved;
                take(now, cost);
            } else {
                move(now, to, from);
            }
        }
    }

    private static void move(int[] order, int from, int to) {
        int moved = order[from];
        if (from < to) {
            System.arraycopy(order, from + 1, order, from, to - from);
        } else {
            System.arraycopy(order, to, order, to + 1, from - to);
        }
        order[to] = moved;
    }
}
