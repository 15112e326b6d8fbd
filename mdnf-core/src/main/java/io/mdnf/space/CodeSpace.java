package io.mdnf.space;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The space of codes x = (x_1 .. x_D), where variable d takes one of K_d categories 0 .. K_d - 1.
 *
 * <p>A code is written either as indices, {@code int[D]}, or as a one-hot tensor [D, K] with K = max K_d, whose
 * positions k &gt;= K_d are always 0. Batches of one-hot codes are flat, row-major {@code double[n * D * K]}.
 *
 * <pre>{@code
 * CodeSpace space = CodeSpace.of(2, 3, 3);       // D = 3, K = 3, 18 codes
 * space.oneHot(new int[][] {{1, 0, 2}});         // 0 1 0 | 1 0 0 | 0 0 1
 * }</pre>
 */
public final class CodeSpace {

    /**
     * How many codes are few enough to list all of them wherever that answers a question exactly: their log joints take
     * about a tenth of a second, and less memory than a small network.
     */
    public static final int LISTABLE = 100_000;

    /** More variables than this are not named one by one: messages are lines. */
    private static final int MOST_NAMED = 40;

    private final int[] cardinalities;
    private final int width;

    private CodeSpace(int[] cardinalities) {
        Check.that(cardinalities.length != 0, "cardinalities: a code needs at least one variable, got none");
        for (int d = 0; d < cardinalities.length; d++) {
            Check.that(cardinalities[d] >= 1, "cardinalities[", d, "] = ", cardinalities[d],
                    ": a variable needs at least 1 category");
        }
        this.cardinalities = cardinalities.clone();
        this.width = IntStream.of(cardinalities).max().getAsInt();
    }

    /** Returns codes whose variable d has {@code cardinalities[d]} categories, each at least 1. */
    public static CodeSpace of(int... cardinalities) {
        return new CodeSpace(cardinalities);
    }

    /** Returns codes of D variables with K categories each. */
    public static CodeSpace uniform(int variables, int categories) {
        Check.that(variables >= 1, "variables = " + variables + ": a code needs at least 1 variable");
        int[] cardinalities = new int[variables];
        Arrays.fill(cardinalities, categories);
        return new CodeSpace(cardinalities);
    }

    /** Returns D, the number of variables. */
    public int variables() {
        return cardinalities.length;
    }

    /** Returns K = max K_d, the width of a one-hot row. */
    public int width() {
        return width;
    }

    /** Returns D * K, the length of one flat one-hot code. */
    public int oneHotLength() {
        return cardinalities.length * width;
    }

    /** Returns K_d, the number of categories of one variable, from 0. */
    public int cardinality(int variable) {
        return cardinalities[variable];
    }

    /** Returns a copy of K_1 .. K_D. */
    public int[] cardinalities() {
        return cardinalities.clone();
    }

    /** Returns whether all variables have the same number of categories. */
    public boolean isUniform() {
        return IntStream.of(cardinalities).allMatch(k -> k == width);
    }

    /** Returns whether every variable has two categories. */
    public boolean isBinary() {
        return isUniform() && width() == 2;
    }

    /** Returns the number of codes, prod K_d, as a double (exact below 2^53). */
    public double size() {
        double size = 1;
        for (int k : cardinalities) {
            size *= k;
        }
        return size;
    }

    /** Returns whether all codes can be listed. */
    public boolean isListable() {
        return size() <= LISTABLE;
    }

    /** Returns the number of codes, prod K_d; throws IllegalArgumentException if there are more than the limit. */
    public int sizeAtMost(int limit) {
        if (size() > limit) {
            throw new IllegalArgumentException(String.format(
                    "%s has %.4g codes, more than the %d that can be enumerated here", this, size(), limit));
        }
        return (int) size();
    }

    /** Returns the code, indices [D], with a rank 0 .. size - 1 in lexicographic order, the last variable fastest. */
    public int[] code(long rank) {
        if (rank < 0 || rank >= size()) {
            throw new IllegalArgumentException("rank = " + rank + " is outside 0 .. size - 1 of " + this);
        }
        int[] code = new int[cardinalities.length];
        for (int d = cardinalities.length - 1; d >= 0; d--) {
            code[d] = (int) (rank % cardinalities[d]);
            rank /= cardinalities[d];
        }
        return code;
    }

    /** Returns the rank of a code; only meaningful while the space has fewer than 2^63 codes. */
    public long rank(int[] code) {
        check(code);
        long rank = 0;
        for (int d = 0; d < code.length; d++) {
            rank = rank * cardinalities[d] + code[d];
        }
        return rank;
    }

    /** Returns all codes in lexicographic order, indices [size][D], of a space that {@link #isListable}. */
    public int[][] all() {
        return all(LISTABLE);
    }

    /** The same with another limit; throws as {@link #sizeAtMost} does. */
    public int[][] all(int limit) {
        int[][] all = new int[sizeAtMost(limit)][];
        Arrays.setAll(all, this::code);
        return all;
    }

    /** All configurations [n][m] of m variables, the last one fastest; a single empty one if there are none. */
    public int[][] configurations(int... variables) {
        return variables.length == 0 ? new int[1][0]
                : of(IntStream.of(variables).map(this::cardinality).toArray()).all(Integer.MAX_VALUE);
    }

    /** The position of every variable in an order, which must be a permutation of 0 .. D - 1. */
    public int[] positions(int... order) {
        int[] positions = new int[variables()];
        Arrays.fill(positions, -1);
        for (int i = 0; i < order.length; i++) {
            if (order.length != positions.length || order[i] < 0 || order[i] >= order.length
                    || positions[order[i]] >= 0) {
                break;
            }
            positions[order[i]] = i;
        }
        Check.that(IntStream.of(positions).noneMatch(i -> i < 0), "order = ", Arrays.toString(order),
                " is not a permutation of 0 .. ", variables() - 1);
        return positions;
    }

    /** {@code size} of the codes from {@code start} on; the first of these again where there are no more. */
    public static int[][] batch(int[][] codes, int start, int size) {
        int[][] batch = Arrays.copyOfRange(codes, start, start + size);
        Arrays.fill(batch, Math.min(size, codes.length - start), size, batch[0]);
        return batch;
    }

    /** A code, or other indices, as a key of maps and sets: equal where they are; the array is shared. */
    public static IntBuffer key(int[] code) {
        return IntBuffer.wrap(code);
    }

    /** Codes [n][D] as numbers in one row, for files. */
    public static double[] flat(int[][] codes) {
        int length = codes.length == 0 ? 0 : codes[0].length;
        double[] flat = new double[codes.length * length];
        for (int i = 0; i < codes.length; i++) {
            for (int d = 0; d < length; d++) {
                flat[i * length + d] = codes[i][d];
            }
        }
        return flat;
    }

    /** The codes [n][D] that {@link #flat} made numbers of. */
    public int[][] unflat(double[] flat) {
        int[][] codes = new int[flat.length / variables()][variables()];
        for (int i = 0; i < codes.length; i++) {
            for (int d = 0; d < codes[i].length; d++) {
                codes[i][d] = (int) flat[i * codes[i].length + d];
            }
        }
        return codes;
    }

    /** Returns the figures [D][K_d] of a table that is laid out as a one-hot code is, flat [D, K], from a place on. */
    public double[][] rows(double[] flat, int from) {
        return IntStream.range(0, variables()).mapToObj(d -> Arrays.copyOfRange(flat, from + d * width,
                from + d * width + cardinalities[d])).toArray(double[][]::new);
    }

    /** Returns the figures [D][K_d] of all categories that stand one after the other, [sum K_d]. */
    public double[][] parted(double[] figures) {
        double[][] parts = new double[variables()][];
        int from = 0;
        for (int d = 0; d < parts.length; d++) {
            parts[d] = Arrays.copyOfRange(figures, from, from + cardinalities[d]);
            from += cardinalities[d];
        }
        return parts;
    }

    /** Returns codes, indices [n][D], as one-hot rows, flat [n, D, K]. */
    public double[] oneHot(int[][] codes) {
        double[] oneHot = new double[Math.multiplyExact(codes.length, oneHotLength())];
        for (int i = 0; i < codes.length; i++) {
            check(codes[i]);
            for (int d = 0; d < cardinalities.length; d++) {
                oneHot[(i * cardinalities.length + d) * width + codes[i][d]] = 1;
            }
        }
        return oneHot;
    }

    /** Returns the position of the largest entry of each one-hot row, flat [n, D, K], as indices [n][D]. */
    public int[][] indices(double[] oneHot) {
        Check.that(oneHot.length % oneHotLength() == 0, "oneHot has ", oneHot.length,
                " entries, not a multiple of D * K = ", oneHotLength());
        int n = oneHot.length / oneHotLength();
        int[][] codes = new int[n][cardinalities.length];
        for (int i = 0; i < n; i++) {
            for (int d = 0; d < cardinalities.length; d++) {
                int row = (i * cardinalities.length + d) * width;
                int best = 0;
                for (int k = 1; k < cardinalities[d]; k++) {
                    if (oneHot[row + k] > oneHot[row + best]) {
                        best = k;
                    }
                }
                codes[i][d] = best;
            }
        }
        return codes;
    }

    /** Returns the 0/1 mask of valid positions, flat [D, K]: 1 where k &lt; K_d. */
    public double[] validity() {
        double[] valid = new double[oneHotLength()];
        for (int d = 0; d < cardinalities.length; d++) {
            Arrays.fill(valid, d * width, d * width + cardinalities[d], 1);
        }
        return valid;
    }

    /** Checks that a code, indices [D], belongs to this space. */
    public void check(int[] code) {
        if (code.length != cardinalities.length) {
            throw new IllegalArgumentException(
                    "code has " + code.length + " variables, the space has " + cardinalities.length);
        }
        for (int d = 0; d < code.length; d++) {
            if (code[d] < 0 || code[d] >= cardinalities[d]) {
                throw new IllegalArgumentException(
                        "code[" + d + "] = " + code[d] + " is outside 0 .. " + (cardinalities[d] - 1));
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CodeSpace space && Arrays.equals(cardinalities, space.cardinalities);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(cardinalities);
    }

    @Override
    public String toString() {
        if (isUniform()) {
            return "CodeSpace(D=" + variables() + ", K=" + width + ")";
        }
        return variables() > MOST_NAMED ? "CodeSpace(D=" + variables() + ", K<=" + width + ")"
                : "CodeSpace(K=" + Arrays.toString(cardinalities) + ")";
    }
}
