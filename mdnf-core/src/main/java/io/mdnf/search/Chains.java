package io.mdnf.search;

import io.mdnf.random.Draws;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Markov chains on codes, all in lock-step so that one call to the target serves them all. Their move is a Gibbs sweep
 * of p(D, x)^beta. With beta = 1 the codes follow the posterior in the long run; with beta rising to infinity a sweep
 * turns into coordinate ascent.
 *
 * <p>A chain on an impossible code has nothing to keep: it takes whatever a variable's factors allow, and wanders at
 * random where they allow nothing.
 *
 * <pre>{@code
 * Chains chains = new Chains(target, codes, random);
 * chains.sweep(1);
 * }</pre>
 */
final class Chains {

    /** Sees every possible code that a chain looks at. */
    interface Witness {
        /** Takes the log joint of a code [D], reused by the caller, with one variable's category changed. */
        void saw(int[] code, int variable, int category, double value);
    }

    private final TargetModel target;
    private final CodeSpace space;
    private final int[][] codes;
    private final double[] values;
    private final UniformRandomProvider random;
    private final Witness witness;
    /** Whether an evaluation costs the whole log joint, so that none is made twice. */
    private final boolean blackBox;
    private final double[] scratch;
    private long evaluations;
    private boolean metImpossible;

    /** Chains at given codes [n][D], which are copied. */
    public Chains(TargetModel target, int[][] codes, UniformRandomProvider random) {
        this(target, codes, random, (code, d, k, value) -> { });
    }

    /** The same at codes whose log joints [n] are known. */
    Chains(TargetModel target, int[][] codes, double[] values, UniformRandomProvider random) {
        this(target, codes, values, random, (code, d, k, value) -> { });
    }

    Chains(TargetModel target, int[][] codes, UniformRandomProvider random, Witness witness) {
        this(target, codes, codes.length == 0 ? new double[0] : target.logJoint(codes), random, witness);
        this.evaluations = codes.length;
    }

    private Chains(TargetModel target, int[][] codes, double[] values, UniformRandomProvider random, Witness witness) {
        this.target = target;
        this.space = target.space();
        this.codes = new int[codes.length][];
        this.values = values.clone();
        this.random = random;
        this.witness = witness;
        this.blackBox = target.factors().isEmpty();
        this.scratch = new double[space.width()];
        for (int c = 0; c < codes.length; c++) {
            this.codes[c] = codes[c].clone();
            metImpossible |= !isPossible(c);
        }
    }

    static int[][] randomCodes(CodeSpace space, int count, UniformRandomProvider random) {
        int[][] codes = new int[count][space.variables()];
        for (int[] code : codes) {
            for (int d = 0; d < code.length; d++) {
                code[d] = random.nextInt(space.cardinality(d));
            }
        }
        return codes;
    }

    /** Returns the codes where the chains stand, [n][D]; the next move changes them. */
    public int[][] codes() {
        return codes;
    }

    /** Returns their log joints, [n]. */
    double[] values() {
        return values;
    }

    long evaluations() {
        return evaluations;
    }

    /** Returns whether a code of probability 0 was looked at. */
    boolean metImpossible() {
        return metImpossible;
    }

    private boolean isPossible(int c) {
        return values[c] > Double.NEGATIVE_INFINITY;
    }

    /**
     * Draws each variable of each chain once from p^beta given the rest (+infinity: the best); returns whether one
     * moved.
     */
    public boolean sweep(double beta) {
        return sweep(beta, IntStream.range(0, space.variables()).toArray());
    }

    /** The same for some variables only. */
    boolean sweep(double beta, int[] variables) {
        boolean moved = false;
        for (int d : variables) {
            if (space.cardinality(d) == 1 || codes.length == 0) {
                continue;
            }
            double[][] rows = blackBox ? others(d) : target.conditionals(codes, d);
            evaluations += (long) codes.length * (space.cardinality(d) - (blackBox ? 1 : 0));
            for (int c = 0; c < codes.length; c++) {
                int before = codes[c][d];
                double offset = values[c] - rows[c][before];
                if (isPossible(c)) {
                    tell(codes[c], d, rows[c], offset);
                }
                int k = draw(rows[c], before, beta);
                values[c] = isPossible(c) ? offset + rows[c][k] : Double.NEGATIVE_INFINITY;
                codes[c][d] = k;
                moved |= k != before;
            }
            if (metImpossible) {
                lookAgain(d);
            }
        }
        return moved;
    }

    /** The log joints of all chains with variable d set to each category, of which one is known. */
    private double[][] others(int d) {
        int categories = space.cardinality(d);
        int[][] changed = new int[codes.length * (categories - 1)][];
        for (int i = 0; i < changed.length; i++) {
            int[] code = codes[i / (categories - 1)].clone();
            int k = i % (categories - 1);
            code[d] = k < code[d] ? k : k + 1;
            changed[i] = code;
        }
        double[] found = target.logJoint(changed);
        double[][] rows = new double[codes.length][categories];
        for (int c = 0; c < codes.length; c++) {
            rows[c][codes[c][d]] = values[c];
        }
        for (int i = 0; i < found.length; i++) {
            rows[i / (categories - 1)][changed[i][d]] = found[i];
        }
        return rows;
    }

    private void tell(int[] code, int d, double[] row, double offset) {
        for (int k = 0; k < row.length; k++) {
            if (row[k] > Double.NEGATIVE_INFINITY) {
                witness.saw(code, d, k, offset + row[k]);
            } else {
                metImpossible = true;
            }
        }
    }

    /** Chains that stood on impossible codes may have left them: their conditionals cannot tell. */
    private void lookAgain(int d) {
        int[] lost = IntStream.range(0, codes.length).filter(c -> !isPossible(c)).toArray();
        if (lost.length == 0) {
            return;
        }
        double[] now = target.logJoint(IntStream.of(lost).mapToObj(c -> codes[c]).toArray(int[][]::new));
        evaluations += lost.length;
        for (int i = 0; i < lost.length; i++) {
            values[lost[i]] = now[i];
            if (isPossible(lost[i])) {
                witness.saw(codes[lost[i]], d, codes[lost[i]][d], now[i]);
            }
        }
    }

    /** Sweeps at inverse temperatures that grow geometrically from the first to the last. */
    void anneal(double first, double last, int sweeps) {
        for (int s = 0; s < sweeps; s++) {
            sweep(first * Math.pow(last / first, sweeps == 1 ? 1 : s / (sweeps - 1.0)));
        }
    }

    /** Coordinate ascent until nothing moves, or for the given number of sweeps. */
    void climb(int sweeps) {
        int s = 0;
        while (s < sweeps && sweep(Double.POSITIVE_INFINITY)) {
            s++;
        }
    }

    private int draw(double[] logs, int current, double beta) {
        int best = current;
        for (int k = 0; k < logs.length; k++) {
            best = logs[k] > logs[best] ? k : best;
        }
        if (logs[best] == Double.NEGATIVE_INFINITY) {
            return random.nextInt(logs.length);
        }
        if (beta == Double.POSITIVE_INFINITY) {
            return best;
        }
        for (int k = 0; k < logs.length; k++) {
            scratch[k] = beta * logs[k];
        }
        LogSpace.normalise(scratch, 0, logs.length);
        return Draws.category(random, scratch, 0, logs.length);
    }
}
