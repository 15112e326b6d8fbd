package io.mdnf.search;

import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.TargetModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * One search for the most probable codes with nothing but values of the log joint, so a black box will do. Under free
 * weights the best B atoms are the B most probable codes; under equal weights an allocation of B components over some
 * of them.
 *
 * <p>A pool keeps the best codes met. Each round
 * <ol>
 *   <li>runs new annealed chains, which find modes far from those known, and while no possible code is known, chains
 *       that start {@linkplain Support along the target's factors};
 *   <li>expands the best codes whose neighbours are unknown, best first, past the elite until nothing new enters it;
 *   <li>changes two variables of elite codes at once, through their best and through impossible neighbours, which a
 *       single change cannot cross;
 *   <li>carries the difference between two elite codes over to a third, and mixes two: variables that only move
 *       together in one place mostly do so elsewhere.
 * </ol>
 * It ends when the elite has not changed for some rounds, or with the budget.
 */
final class AtomSearch {

    private final TargetModel target;
    private final Support support;
    private final CodeSpace space;
    private final int count;
    private final Effort.Atoms effort;
    private final UniformRandomProvider random;
    private final CodePool pool;
    private final int categories;
    private final long budget;
    private final DoubleConsumer watch;
    private long evaluations;
    private int quiet;
    private boolean metImpossible;

    /** A search for {@code count} codes; a step under way is finished when the budget is spent. */
    AtomSearch(TargetModel target, Support support, int count, Effort.Atoms effort, Seed seed,
            DoubleConsumer watch) {
        this.target = target;
        this.support = support;
        this.space = target.space();
        this.count = count;
        this.effort = effort;
        this.watch = watch;
        this.random = seed.fold("atoms").generator();
        this.pool = new CodePool(Math.max(count, effort.elite()), 4 * count + 400);
        this.categories = Arrays.stream(space.cardinalities()).sum();
        long most = effort.budget() * (count + 256L) * categories;
        this.budget = support.isKnown() ? most : Math.min(most, effort.blackBox());
    }

    /**
     * Searches from given codes [n][D], any number, repeated or impossible ones allowed, and from random ones. Returns
     * at least as many as looked for if there are so many, never worse than the start; an IllegalStateException if
     * none is possible.
     */
    FoundCodes run(int[]... start) {
        begin(start);
        while (quiet < patience() && affordable()) {
            long before = pool.arrivals();
            chains();
            expand();
            scanPairs();
            recombine();
            quiet = pool.arrivals() == before ? quiet + 1 : 0;
        }
        List<CodePool.Entry> best = pool.elite();
        if (best.isEmpty()) {
            throw new IllegalStateException("no code of positive probability among " + evaluations + " evaluated"
                    + (support.isKnown() ? ""
                            : "; a search among so many zeros needs factors to follow: give them by a FactorTarget"));
        }
        int[][] codes = best.stream().map(entry -> entry.code).toArray(int[][]::new);
        // the pool's values were computed incrementally
        return new FoundCodes(space, codes, target.logJoint(codes), evaluations + codes.length, false,
                quiet >= patience());
    }

    private int patience() {
        return metImpossible ? effort.quietAmongZeros() : effort.quietRounds();
    }

    private boolean affordable() {
        watch.accept(Math.max(evaluations / (double) budget, quiet / (double) patience()));
        return evaluations < budget;
    }

    private void evaluate(int[][] codes) {
        if (codes.length == 0) {
            return;
        }
        double[] values = target.logJoint(codes);
        evaluations += codes.length;
        for (int i = 0; i < codes.length; i++) {
            pool.offer(codes[i], values[i]);
        }
    }

    /** The best of the start, climbed, beside as many random codes. */
    private void begin(int[][] start) {
        Set<CodePool.Entry> distinct = new HashSet<>();
        List<int[]> fresh = new ArrayList<>();
        for (int[] code : start) {
            if (distinct.add(new CodePool.Entry(code, 0))) {
                fresh.add(code.clone());
            }
        }
        evaluate(fresh.toArray(int[][]::new));
        List<int[]> climbers = new ArrayList<>();
        pool.elite().stream().limit(effort.climbers()).forEach(entry -> climbers.add(entry.code.clone()));
        climbers.addAll(Arrays.asList(Chains.randomCodes(space, effort.chains(), random)));
        run(chainsAt(climbers.toArray(int[][]::new)), 0, 0);
    }

    private Chains chainsAt(int[][] codes) {
        return new Chains(target, codes, random, (code, d, k, value) -> offer(code, d, k, value));
    }

    private void offer(int[] code, int d, int k, double value) {
        if (value > pool.threshold()) {
            int[] changed = code.clone();
            changed[d] = k;
            pool.offer(changed, value);
        }
    }

    /** Half of the chains start anywhere and hot, half are elite codes warmed up, or possible ones if none is known. */
    private void chains() {
        int sweeps = effort.sweeps() + space.variables() / 10;
        int chains = Math.max(2, Math.min(effort.chains(), effort.chainEvaluations() / (2 * sweeps * categories)));
        run(chainsAt(Chains.randomCodes(space, chains, random)), 0.1, sweeps);
        List<CodePool.Entry> elite = pool.elite();
        int[][] known = elite.isEmpty() ? possible() : new int[chains][];
        if (!elite.isEmpty()) {
            Arrays.setAll(known, c -> any(elite));
        }
        run(chainsAt(known), 0.5, sweeps);
    }

    /** Anneals from an inverse temperature to 4, where hardly anything moves any more, and climbs. */
    private void run(Chains chains, double from, int sweeps) {
        chains.anneal(from, 4, sweeps);
        chains.climb(effort.climbSweeps());
        evaluations += chains.evaluations();
        metImpossible |= chains.metImpossible();
    }

    /** Where to start when luck has found nothing possible. */
    private int[][] possible() {
        int[][] codes = support.isKnown() ? support.draw(effort.climbers(), Seed.of(random.nextLong())) : new int[0][];
        evaluate(codes);
        return codes;
    }

    private void expand() {
        int patience = Math.max(effort.elite(), count / 2);
        int idle = 0;
        while (idle < patience && affordable()) {
            CodePool.Entry entry = pool.nextUnexpanded();
            if (entry == null) {
                return;
            }
            long before = pool.arrivals();
            boolean elite = pool.isElite(entry);
            neighbours(entry.code);
            idle = elite || pool.arrivals() > before ? 0 : idle + 1;
        }
    }

    private double[][] neighbours(int[] code) {
        double[][] values = target.neighbours(code);
        evaluations += categories;
        for (int d = 0; d < values.length; d++) {
            for (int k = 0; k < values[d].length; k++) {
                offer(code, d, k, values[d][k]);
            }
        }
        return values;
    }

    private void scanPairs() {
        int idle = 0;
        while (idle < effort.pairPatience() && affordable()) {
            CodePool.Entry entry = pool.nextUnscanned();
            if (entry == null) {
                return;
            }
            long before = pool.arrivals();
            for (int[] between : stepsBetween(entry.code)) {
                neighbours(between);
            }
            idle = pool.arrivals() > before ? 0 : idle + 1;
        }
    }

    /** Neighbours worth going through on the way to a pair of changes, those already expanded left out. */
    private List<int[]> stepsBetween(int[] code) {
        double[][] values = neighbours(code);
        List<CodePool.Entry> possible = new ArrayList<>();
        List<int[]> impossible = new ArrayList<>();
        for (int d = 0; d < values.length; d++) {
            for (int k = 0; k < values[d].length; k++) {
                if (k != code[d]) {
                    int[] changed = code.clone();
                    changed[d] = k;
                    if (values[d][k] == Double.NEGATIVE_INFINITY) {
                        impossible.add(changed);
                    } else {
                        possible.add(new CodePool.Entry(changed, values[d][k]));
                    }
                }
            }
        }
        List<int[]> steps = new ArrayList<>();
        possible.stream().sorted().limit(effort.pairs()).filter(entry -> !pool.isExpanded(entry))
                .forEach(entry -> steps.add(entry.code));
        for (int i = 0; i < Math.min(effort.impossiblePairs(), impossible.size()); i++) {
            int j = i + random.nextInt(impossible.size() - i);
            steps.add(impossible.get(j));
            impossible.set(j, impossible.get(i));
        }
        return steps;
    }

    private void recombine() {
        int idle = 0;
        while (idle < 2 && affordable()) {
            long before = pool.arrivals();
            List<CodePool.Entry> elite = pool.elite();
            Set<CodePool.Entry> proposals = new HashSet<>();
            List<int[]> codes = new ArrayList<>();
            for (int i = 0; i < 2 * count + 256 && elite.size() > 1; i++) {
                int[] code = i % 4 == 0 ? mixed(elite) : carriedOver(elite);
                if (!pool.contains(code) && proposals.add(new CodePool.Entry(code, 0))) {
                    codes.add(code);
                }
            }
            evaluate(codes.toArray(int[][]::new));
            idle = pool.arrivals() == before ? idle + 1 : 0;
        }
    }

    private int[] any(List<CodePool.Entry> elite) {
        return elite.get(random.nextInt(elite.size())).code;
    }

    /** What leads from one elite code to a near one, applied to a third. */
    private int[] carriedOver(List<CodePool.Entry> elite) {
        int[] from = any(elite);
        int[] to = any(elite);
        int[] other = any(elite);
        if (distance(from, other) < distance(from, to)) {
            to = other;
        }
        int[] code = any(elite).clone();
        for (int d = 0; d < code.length; d++) {
            if (from[d] != to[d]) {
                code[d] = to[d];
            }
        }
        return code;
    }

    /** Each variable from one of two elite codes. */
    private int[] mixed(List<CodePool.Entry> elite) {
        int[] code = any(elite).clone();
        int[] other = any(elite);
        Arrays.setAll(code, d -> random.nextBoolean() ? other[d] : code[d]);
        return code;
    }

    private static int distance(int[] a, int[] b) {
        return (int) IntStream.range(0, a.length).filter(d -> a[d] != b[d]).count();
    }
}
