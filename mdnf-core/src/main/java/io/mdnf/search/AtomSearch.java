package io.mdnf.search;

import io.mdnf.space.CodeSpace;
import io.mdnf.target.TargetModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * One search for the B most probable codes.
 *
 * <p>A pool keeps the best codes met. Each round
 * <ol>
 *   <li>runs new annealed chains, which find modes far from those known, and while no possible code is known, chains
 *       that start {@linkplain PossibleCodes along the target's factors};
 *   <li>expands the best codes whose neighbours are unknown, best first, past the elite until nothing new enters it;
 *   <li>changes two variables of elite codes at once, through their best and through impossible neighbours, which a
 *       single change cannot cross;
 *   <li>carries the difference between two elite codes over to a third, and mixes two: variables that only move
 * together
 *       in one place mostly do so elsewhere.
 * </ol>
 * It ends when the elite has not changed for some rounds, or with the budget.
 */
final class AtomSearch {

    private static final int QUIET_ROUNDS = 4;
    /** Zeros split the space into islands that chains find by luck: give luck more turns. */
    private static final int QUIET_ROUNDS_AMONG_ZEROS = 6;
    private static final int MOST_CHAINS = 8;
    private static final int SWEEPS = 24;
    /** What the chains of a round may cost: with many categories fewer chains run. */
    private static final int CHAIN_EVALUATIONS = 200_000;
    /** A handful of codes says too little about which variables move together. */
    private static final int LEAST_ELITE = 32;
    private static final int CLIMB_SWEEPS = 50;
    private static final int START_CLIMBS = 32;
    /** Neighbours through which pairs of changes go: the best ones, and impossible ones. */
    private static final int PAIR_WIDTH = 48;
    private static final int IMPOSSIBLE_WIDTH = 16;
    /** Scans of pairs without effect before the round gives them up. */
    private static final int PAIR_PATIENCE = 3;
    private static final int BATCH = 4096;

    private final TargetModel target;
    private final CodeSpace space;
    private final int components;
    private final long budget;
    private final UniformRandomProvider random;
    private final CodePool pool;
    private final int categories;
    private long evaluations;
    private boolean sawImpossible;

    AtomSearch(TargetModel target, int components, long budget, UniformRandomProvider random) {
        this.target = target;
        this.space = target.space();
        this.components = components;
        this.budget = budget;
        this.random = random;
        this.pool = new CodePool(Math.max(components, LEAST_ELITE), 4 * components + 400);
        this.categories = Arrays.stream(space.cardinalities()).sum();
    }

    long evaluations() {
        return evaluations;
    }

    /** Returns the best codes found, best first: at least B if there are so many. */
    List<CodePool.Entry> best() {
        return pool.elite();
    }

    /** Looks at every code. */
    boolean enumerate() {
        int size = (int) space.size();
        for (int from = 0; from < size; from += BATCH) {
            int[][] codes = new int[Math.min(BATCH, size - from)][];
            for (int i = 0; i < codes.length; i++) {
                codes[i] = space.code(from + i);
            }
            evaluate(codes);
        }
        return true;
    }

    /** Searches; returns whether the elite came to rest within the budget. */
    boolean run(int[][] start) {
        begin(start);
        int quiet = 0;
        while (quiet < patience() && affordable()) {
            long before = pool.arrivals();
            chains();
            expand();
            scanPairs();
            recombine();
            quiet = pool.arrivals() == before ? quiet + 1 : 0;
        }
        return quiet >= patience();
    }

    private int patience() {
        return sawImpossible ? QUIET_ROUNDS_AMONG_ZEROS : QUIET_ROUNDS;
    }

    private boolean affordable() {
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
        pool.elite().stream().limit(START_CLIMBS).forEach(entry -> climbers.add(entry.code.clone()));
        climbers.addAll(Arrays.asList(TemperedChains.randomCodes(space, MOST_CHAINS, random)));
        TemperedChains chains = chainsAt(climbers.toArray(int[][]::new));
        chains.climb(CLIMB_SWEEPS);
        evaluations += chains.evaluations();
    }

    private TemperedChains chainsAt(int[][] codes) {
        return new TemperedChains(target, codes, random, (code, d, k, value) -> {
            sawImpossible |= value == Double.NEGATIVE_INFINITY;
            if (value > pool.threshold()) {
                int[] changed = code.clone();
                changed[d] = k;
                pool.offer(changed, value);
            }
        });
    }

    /** Half of the chains start anywhere and hot, half are elite codes warmed up. */
    private void chains() {
        int sweeps = SWEEPS + space.variables() / 10;
        int count = Math.max(2, Math.min(MOST_CHAINS, CHAIN_EVALUATIONS / (2 * sweeps * categories)));
        TemperedChains hot = chainsAt(TemperedChains.randomCodes(space, count, random));
        hot.anneal(0.1, 4, sweeps);
        hot.climb(CLIMB_SWEEPS);
        List<CodePool.Entry> elite = pool.elite();
        int[][] known = new int[elite.isEmpty() ? 0 : count][];
        for (int c = 0; c < known.length; c++) {
            known[c] = any(elite).clone();
        }
        TemperedChains warm = chainsAt(elite.isEmpty() ? possible() : known);
        warm.anneal(0.5, 4, sweeps);
        warm.climb(CLIMB_SWEEPS);
        evaluations += hot.evaluations() + warm.evaluations();
    }

    /** Where to start when luck has found nothing possible. */
    private int[][] possible() {
        int[][] codes = target.factors().isEmpty() ? new int[0][]
                : PossibleCodes.of(target).draw(START_CLIMBS, random);
        evaluate(codes);
        return Arrays.stream(codes).map(int[]::clone).toArray(int[][]::new);
    }

    private void expand() {
        int patience = Math.max(LEAST_ELITE, components / 2);
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
        double threshold = pool.threshold();
        for (int d = 0; d < values.length; d++) {
            for (int k = 0; k < values[d].length; k++) {
                if (values[d][k] > threshold) {
                    int[] changed = code.clone();
                    changed[d] = k;
                    pool.offer(changed, values[d][k]);
                    threshold = pool.threshold();
                }
            }
        }
        return values;
    }

    private void scanPairs() {
        int idle = 0;
        while (idle < PAIR_PATIENCE && affordable()) {
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
        possible.sort(Comparator.naturalOrder());
        List<int[]> steps = new ArrayList<>();
        for (CodePool.Entry entry : possible.subList(0, Math.min(PAIR_WIDTH, possible.size()))) {
            if (!pool.isExpanded(entry)) {
                steps.add(entry.code);
            }
        }
        for (int i = 0; i < Math.min(IMPOSSIBLE_WIDTH, impossible.size()); i++) {
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
            for (int i = 0; i < 2 * components + 256 && elite.size() > 1; i++) {
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
        for (int d = 0; d < code.length; d++) {
            if (random.nextBoolean()) {
                code[d] = other[d];
            }
        }
        return code;
    }

    private static int distance(int[] a, int[] b) {
        int distance = 0;
        for (int d = 0; d < a.length; d++) {
            distance += a[d] == b[d] ? 0 : 1;
        }
        return distance;
    }
}
