package io.mdnf.experiments;

import io.mdnf.evaluation.KlLimits;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.DoubleSupplier;

/**
 * A random field of twelve ternary variables, p(x) = exp(sum of w_ab(x_a, x_b)) / Z with weights from N(0, 1) for
 * some pairs. The numbers are those of NumPy's {@code RandomState(seed).normal}, so that other programs can draw the
 * same fields.
 */
enum TernaryField {
    /** All pairs: few codes have most of the mass, in places far from each other. */
    FULL((a, b) -> true),
    /** Neighbours on a grid of 3 x 4, first along its rows. */
    GRID((a, b) -> b == a + 4 || b == a + 1 && b % 4 != 0);

    /** Few enough codes for exact limits. */
    static final CodeSpace SPACE = CodeSpace.uniform(12, 3);

    private final BiPredicate<Integer, Integer> coupled;

    TernaryField(BiPredicate<Integer, Integer> coupled) {
        this.coupled = coupled;
    }

    FactorTarget draw(int seed) {
        DoubleSupplier normal = normals(seed);
        List<Factor> factors = new ArrayList<>();
        for (int[] pair : pairs()) {
            double[] weights = new double[9];
            for (int i = 0; i < weights.length; i++) {
                weights[i] = normal.getAsDouble();
            }
            factors.add(new Factor(pair, weights));
        }
        return new FactorTarget(SPACE, factors);
    }

    /** In the order in which their weights are drawn: by first variable, of a grid the rows before the columns. */
    private List<int[]> pairs() {
        List<int[]> pairs = new ArrayList<>();
        List<int[]> columns = new ArrayList<>();
        for (int a = 0; a < SPACE.variables(); a++) {
            for (int b = a + 1; b < SPACE.variables(); b++) {
                if (coupled.test(a, b)) {
                    (this == GRID && b == a + 4 ? columns : pairs).add(new int[] {a, b});
                }
            }
        }
        pairs.addAll(columns);
        return pairs;
    }

    static KlLimits limits(FactorTarget field) {
        return KlLimits.of(SPACE, field.logJoint(SPACE.all(KlLimits.MOST_CODES)));
    }

    /** By the Mersenne Twister: two of its words make a uniform number, two of these, within a disc, two normals. */
    static DoubleSupplier normals(int seed) {
        int[] state = new int[624];
        state[0] = seed;
        for (int i = 1; i < state.length; i++) {
            state[i] = 1812433253 * (state[i - 1] ^ state[i - 1] >>> 30) + i;
        }
        int[] at = {state.length};
        double[] kept = {Double.NaN};
        return () -> {
            if (!Double.isNaN(kept[0])) {
                double second = kept[0];
                kept[0] = Double.NaN;
                return second;
            }
            double x;
            double y;
            double square;
            do {
                x = 2 * uniform(state, at) - 1;
                y = 2 * uniform(state, at) - 1;
                square = x * x + y * y;
            } while (square >= 1 || square == 0);
            double scale = Math.sqrt(-2 * Math.log(square) / square);
            kept[0] = scale * x;
            return scale * y;
        };
    }

    private static double uniform(int[] state, int[] at) {
        return ((word(state, at) >>> 5) * 67108864.0 + (word(state, at) >>> 6)) / 9007199254740992.0;
    }

    private static int word(int[] state, int[] at) {
        if (at[0] == state.length) {
            for (int i = 0; i < state.length; i++) {
                int both = state[i] & 0x80000000 | state[(i + 1) % state.length] & 0x7fffffff;
                state[i] = state[(i + 397) % state.length] ^ both >>> 1 ^ (both & 1) * 0x9908b0df;
            }
            at[0] = 0;
        }
        int word = state[at[0]++];
        word ^= word >>> 11;
        word ^= word << 7 & 0x9d2c5680;
        word ^= word << 15 & 0xefc60000;
        return word ^ word >>> 18;
    }
}
