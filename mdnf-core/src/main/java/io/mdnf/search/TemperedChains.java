package io.mdnf.search;

import io.mdnf.space.CodeSpace;
import io.mdnf.target.TargetModel;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Gibbs chains on the tempered target p(D, x)^beta, all in lock-step so that one call to the target serves them all.
 *
 * <p>With beta rising to infinity a sweep turns into coordinate ascent. A chain on impossible codes wanders at random
 * until it finds a possible one.
 */
final class TemperedChains {

    /** Sees every code that a chain looks at. */
    interface Witness {
        /**
         * Takes one evaluation.
         *
         * @param code indices [D], reused by the caller: copy to keep
         * @param variable which variable of the code differs
         * @param category its category instead of the code's
         * @param value the log joint of the changed code
         */
        void saw(int[] code, int variable, int category, double value);
    }

    private final TargetModel target;
    private final CodeSpace space;
    private final int[][] codes;
    private final double[] values;
    private final UniformRandomProvider random;
    private final Witness witness;
    private long evaluations;

    /** Chains that start at given codes, [n][D]; the array is kept and changed. */
    TemperedChains(TargetModel target, int[][] codes, UniformRandomProvider random, Witness witness) {
        this.target = target;
        this.space = target.space();
        this.codes = codes;
        this.random = random;
        this.witness = witness;
        this.values = codes.length == 0 ? new double[0] : target.logJoint(codes);
        this.evaluations = codes.length;
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

    /** Returns the codes where the chains stand, [n][D]. */
    int[][] codes() {
        return codes;
    }

    /** Returns their log joints, [n]. */
    double[] values() {
        return values;
    }

    long evaluations() {
        return evaluations;
    }

    /** Draws every variable of every chain once from its conditional at inverse temperature beta. */
    boolean sweep(double beta) {
        boolean moved = false;
        for (int d = 0; d < space.variables(); d++) {
            int categories = space.cardinality(d);
            if (categories == 1) {
                continue;
            }
            double[] conditional = target.logJoint(variants(d, categories));
            evaluations += conditional.length;
            for (int c = 0; c < codes.length; c++) {
                int from = c * categories;
                for (int k = 0; k < categories; k++) {
                    witness.saw(codes[c], d, k, conditional[from + k]);
                }
                int k = draw(conditional, from, categories, codes[c][d], beta);
                moved |= k != codes[c][d];
                codes[c][d] = k;
                values[c] = conditional[from + k];
            }
        }
        return moved;
    }

    /** Sweeps at inverse temperatures that grow geometrically from the first to the last. */
    void anneal(double first, double last, int sweeps) {
        for (int s = 0; s < sweeps && codes.length > 0; s++) {
            sweep(first * Math.pow(last / first, sweeps == 1 ? 1 : s / (sweeps - 1.0)));
        }
    }

    /** Coordinate ascent until nothing moves, or for the given number of sweeps. */
    void climb(int sweeps) {
        for (int s = 0; s < sweeps && codes.length > 0 && sweep(Double.POSITIVE_INFINITY); s++) {
            continue;
        }
    }

    private int[][] variants(int d, int categories) {
        int[][] variants = new int[codes.length * categories][];
        for (int i = 0; i < variants.length; i++) {
            variants[i] = codes[i / categories].clone();
            variants[i][d] = i % categories;
        }
        return variants;
    }

    private int draw(double[] logs, int from, int categories, int current, double beta) {
        int best = current;
        for (int k = 0; k < categories; k++) {
            best = logs[from + k] > logs[from + best] ? k : best;
        }
        double max = logs[from + best];
        if (max == Double.NEGATIVE_INFINITY) {
            return random.nextInt(categories);
        }
        if (beta == Double.POSITIVE_INFINITY) {
            return best;
        }
        double[] mass = new double[categories];
        double sum = 0;
        for (int k = 0; k < categories; k++) {
            mass[k] = Math.exp(beta * (logs[from + k] - max));
            sum += mass[k];
        }
        double left = random.nextDouble() * sum;
        for (int k = 0; k < categories; k++) {
            left -= mass[k];
            if (left < 0 && mass[k] > 0) {
                return k;
            }
        }
        return best;
    }
}
