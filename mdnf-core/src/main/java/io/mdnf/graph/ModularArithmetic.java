package io.mdnf.graph;

import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;

/**
 * Arithmetic modulo K_d on one-hot codes [.., D, K], each variable with its own modulus.
 *
 * <p>Every operation is linear in each argument and made of constant 0/1 matrices,
 * out_k = sum over (j, a) with op(j, a) = k of x_j y_a, so one-hot codes stay exactly one-hot through any number of
 * layers, soft vectors are mapped linearly and all-zero vectors stay zero. (A Fourier transform would be shorter and is
 * not exact after one layer.)
 *
 * <pre>{@code
 * ModularArithmetic arithmetic = new ModularArithmetic(space);
 * Tensor x = arithmetic.add(u, shift);            // (u + shift) mod K_d
 * Tensor u2 = arithmetic.subtract(x, shift);      // u again, exactly
 * }</pre>
 */
public final class ModularArithmetic {

    /** A binary operation on categories. */
    @FunctionalInterface
    private interface Rule {
        /** The result modulo k, or -1 where it is undefined. */
        int apply(int left, int right, int k);
    }

    private final CodeSpace space;

    /** Arithmetic on the variables of a space, which gives the moduli. */
    public ModularArithmetic(CodeSpace space) {
        this.space = space;
    }

    /** Returns (left + right) mod K_d, all [.., D, K]. */
    public Tensor add(Tensor left, Tensor right) {
        return apply((j, a, k) -> (j + a) % k, left, right);
    }

    /** Returns (left - right) mod K_d, all [.., D, K]. */
    public Tensor subtract(Tensor left, Tensor right) {
        return apply((j, a, k) -> (j - a + k) % k, left, right);
    }

    /**
     * Returns (left * unit) mod K_d, all [.., D, K]. Where {@code unit} is not coprime to K_d the product is 0, the
     * all-zero vector: it would not be invertible.
     */
    public Tensor multiply(Tensor left, Tensor unit) {
        return apply((j, a, k) -> isUnit(a, k) ? j * a % k : -1, left, unit);
    }

    /** Returns unit^-1 mod K_d of units [.., D, K]: a fixed permutation of the categories, hence differentiable. */
    public Tensor inverse(Tensor unit) {
        int width = space.width();
        Groups groups = new Groups(space, unit);
        double[] matrix = new double[groups.count * width * width];
        for (int g = 0; g < groups.count; g++) {
            int k = space.cardinality(g);
            for (int a = 0; a < k; a++) {
                if (isUnit(a, k)) {
                    matrix[(g * width + a) * width + inverse(a, k)] = 1;
                }
            }
        }
        return groups.restore(groups.matmul(groups.arrange(unit), matrix, width, width));
    }

    /** Returns whether a can scale modulo k, gcd(a, k) = 1. For k = 1 the only category, 0, can. */
    public static boolean isUnit(int a, int k) {
        return gcd(a, k) == 1;
    }

    /** Returns b with a b = 1 mod k, found by trial, or -1 if there is none. */
    public static int inverse(int a, int k) {
        for (int b = 0; b < k; b++) {
            if ((long) a * b % k == 1 % k) {
                return b;
            }
        }
        return -1;
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /**
     * Returns tables that score sums: if u_d has distribution p_bd, then u_d + j mod K_d = i has the probability at
     * (d, i, b K + j). Of p [B, D, K], they are [D, K, B * K], p[b, d, (i - j) mod K_d], 0 where i or j is no
     * category.
     */
    public Tensor shiftedTables(Tensor p) {
        int width = space.width();
        int variables = space.variables();
        long components = p.extent(0);
        double[] spread = new double[variables * width * width * width];
        for (int d = 0; d < variables; d++) {
            int k = space.cardinality(d);
            for (int i = 0; i < k; i++) {
                for (int j = 0; j < k; j++) {
                    spread[((d * width + Math.floorMod(i - j, k)) * width + i) * width + j] = 1;
                }
            }
        }
        return p.permute(1, 0, 2).matmul(p.graph().constant(spread, variables, width, width * width))
                .reshape(variables, components, width, width).permute(0, 2, 1, 3)
                .reshape(variables, width, components * width);
    }

    private Tensor apply(Rule rule, Tensor left, Tensor right) {
        Shapes.checkEqual("modular arithmetic", left.shape(), right.shape());
        int width = space.width();
        int pairs = width * width;
        Groups groups = new Groups(space, left);
        // pair (j, a) stands at position j * K + a; the first two matrices spread, the third collects
        double[] spreadLeft = new double[width * pairs];
        double[] spreadRight = new double[width * pairs];
        for (int j = 0; j < width; j++) {
            for (int a = 0; a < width; a++) {
                spreadLeft[j * pairs + j * width + a] = 1;
                spreadRight[a * pairs + j * width + a] = 1;
            }
        }
        double[] collect = new double[groups.count * pairs * width];
        for (int g = 0; g < groups.count; g++) {
            int k = space.cardinality(g);
            for (int j = 0; j < k; j++) {
                for (int a = 0; a < k; a++) {
                    int result = rule.apply(j, a, k);
                    if (result >= 0) {
                        collect[(g * pairs + j * width + a) * width + result] = 1;
                    }
                }
            }
        }
        Tensor l = groups.flatMatmul(groups.arrange(left), spreadLeft, width, pairs);
        Tensor r = groups.flatMatmul(groups.arrange(right), spreadRight, width, pairs);
        return groups.restore(groups.matmul(l.times(r), collect, pairs, width));
    }

    /**
     * Rows [.., D, K] arranged so that rows which share a modulus share a matrix: one group when all variables are
     * alike, else one group per variable.
     */
    private static final class Groups {
        private final int count;
        private final long rows;
        private final int variables;
        private final long[] shape;

        Groups(CodeSpace space, Tensor x) {
            shape = x.shape();
            variables = space.variables();
            Check.that(shape.length >= 2 && x.extent(-1) == space.width() && x.extent(-2) == variables,
                    "tensor " + x + " does not end in [D, K] of " + space);
            count = space.isUniform() ? 1 : variables;
            rows = x.size() / space.width() / count;
        }

        Tensor arrange(Tensor x) {
            long width = x.extent(-1);
            return count == 1
                    ? x.reshape(rows, width)
                    : x.reshape(rows, variables, width).permute(1, 0, 2);
        }

        Tensor restore(Tensor x) {
            long width = x.extent(-1);
            long[] result = Shapes.with(shape, shape.length - 1, width);
            return count == 1 ? x.reshape(result) : x.permute(1, 0, 2).reshape(result);
        }

        /** The same matrix for all groups. */
        Tensor flatMatmul(Tensor x, double[] matrix, int in, int out) {
            Tensor product = x.reshape(rows * count, in).matmul(x.graph().constant(matrix, in, out));
            return count == 1 ? product : product.reshape(count, rows, out);
        }

        /** One matrix per group. */
        Tensor matmul(Tensor x, double[] matrices, int in, int out) {
            return count == 1
                    ? x.matmul(x.graph().constant(matrices, in, out))
                    : x.matmul(x.graph().constant(matrices, count, in, out));
        }
    }
}
