package io.mdnf.mixture;

import io.mdnf.graph.Initialiser;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The paper's error bound, made constructive: B equally weighted atoms whose frequencies c_i / B differ from given
 * probabilities p_i by less than 1 / B each.
 *
 * <p>Every p_i B is rounded down, and the atoms left over go to the largest remainders.
 *
 * <pre>{@code
 * int[] counts = LargestRemainder.counts(new double[] {0.5, 0.3, 0.2}, 8);       // 4, 2, 2
 * Initialiser logits = LargestRemainder.logits(codes, atoms, 1);                  // a flow that starts there
 * }</pre>
 */
public final class LargestRemainder {

    private LargestRemainder() {}

    /**
     * How many of B atoms each outcome gets.
     *
     * @param probabilities p, summing to 1
     * @param atoms B
     * @return counts c with sum B and |c_i / B - p_i| &lt; 1 / B
     */
    public static int[] counts(double[] probabilities, int atoms) {
        if (atoms < 1) {
            throw new IllegalArgumentException("atoms = " + atoms + ": at least 1 is needed");
        }
        double sum = Arrays.stream(probabilities).sum();
        if (!(Math.abs(sum - 1) < 1e-9) || Arrays.stream(probabilities).anyMatch(p -> !(p >= 0))) {
            throw new IllegalArgumentException(
                    "probabilities = " + Arrays.toString(probabilities) + " must be at least 0 and sum to 1, not " + sum);
        }
        int[] counts = new int[probabilities.length];
        double[] remainder = new double[probabilities.length];
        int left = atoms;
        for (int i = 0; i < counts.length; i++) {
            double share = probabilities[i] / sum * atoms;
            // a share that rounding put just below a whole number is that number
            counts[i] = (int) Math.floor(share + 1e-9);
            remainder[i] = share - counts[i];
            left -= counts[i];
        }
        int[] order = IntStream.range(0, counts.length).boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> remainder[i]).reversed())
                .mapToInt(Integer::intValue).toArray();
        for (int i = 0; i < left; i++) {
            counts[order[i]]++;
        }
        return counts;
    }

    /**
     * The atoms behind counts: outcome i repeated counts[i] times.
     *
     * @param outcomes codes [n][D]
     * @param counts [n]
     * @return [sum of counts][D]
     */
    public static int[][] repeat(int[][] outcomes, int[] counts) {
        return IntStream.range(0, outcomes.length).boxed()
                .flatMap(i -> IntStream.range(0, counts[i]).mapToObj(c -> outcomes[i].clone()))
                .toArray(int[][]::new);
    }

    /**
     * Direct logits under which component b of a mixture with bases at category 0 is atom b.
     *
     * @param space the space
     * @param atoms [B][D]
     * @param margin how far the chosen category's logit is above the others, above 0
     * @return first values for logits [B, D, K]
     */
    public static Initialiser logits(CodeSpace space, int[][] atoms, double margin) {
        if (!(margin > 0)) {
            throw new IllegalArgumentException("margin = " + margin + ": must be above 0");
        }
        double[] values = space.oneHot(atoms);
        for (int i = 0; i < values.length; i++) {
            values[i] *= margin;
        }
        return Initialiser.of(values);
    }

    /**
     * Atoms, one category per component and variable, whose frequencies approximate a product distribution: column d
     * holds each category of variable d as often as its probability asks for.
     *
     * @param q [D][K_d], each row summing to 1
     * @param components B
     * @return [B][D]
     */
    public static int[][] columns(double[][] q, int components) {
        int[][] atoms = new int[components][q.length];
        for (int d = 0; d < q.length; d++) {
            int[] counts = counts(q[d], components);
            int b = 0;
            for (int k = 0; k < counts.length; k++) {
                for (int c = 0; c < counts[k]; c++) {
                    atoms[b++][d] = k;
                }
            }
        }
        return atoms;
    }
}
