package io.mdnf.distribution;

import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;

/**
 * What a small network adds to the logits of one variable, in terms of some variables drawn before it, their one-hot
 * rows x in a row with a 1 at the end, [I]:
 *
 * <pre>{@code logits += x D + relu(x W) V,   W [I, H], D [I, K], V [H, K] }</pre>
 *
 * <p>Tables of bounded elimination lack what their split lost; this can learn it, and costs only the variables that the
 * unsplit table would hold.
 *
 * @param seen the variables it looks at
 * @param first W and D beside each other, flat [I, H + K]
 * @param second V, flat [H, K]
 */
public record Correction(int[] seen, int hidden, int categories, double[] first, double[] second) {

    /** Checks the shapes. */
    public Correction {
        Check.that(hidden >= 1 && categories >= 1 && first.length % (hidden + categories) == 0
                && second.length == hidden * categories, "first has ", first.length, " values and second ",
                second.length, ": not those of ", hidden, " hidden units and ", categories, " categories");
    }

    /** Returns I: a number for each category of what is seen, and one more. */
    public static int inputs(CodeSpace space, int... seen) {
        return Arrays.stream(seen).map(space::cardinality).sum() + 1;
    }

    /**
     * One of several that stand in two arrays, each row of which may be longer than its own.
     *
     * @param inputs I
     * @param first where W and D stand, from an offset on, rows so far apart
     * @param second where V stands
     */
    public static Correction of(int[] seen, int inputs, int hidden, int categories, double[] first, int firstAt,
            int firstStride, double[] second, int secondAt, int secondStride) {
        int width = hidden + categories;
        double[] own = new double[inputs * width];
        for (int row = 0; row < inputs; row++) {
            System.arraycopy(first, firstAt + row * firstStride, own, row * width, width);
        }
        double[] ownSecond = new double[hidden * categories];
        for (int row = 0; row < hidden; row++) {
            System.arraycopy(second, secondAt + row * secondStride, ownSecond, row * categories, categories);
        }
        return new Correction(seen, hidden, categories, own, ownSecond);
    }

    /** Writes both back into an array, at two offsets, rows so far apart: the way back of {@link #of}. */
    public void copyTo(double[] all, int firstAt, int firstStride, int secondAt, int secondStride) {
        int width = hidden + categories;
        for (int row = 0; row * width < first.length; row++) {
            System.arraycopy(first, row * width, all, firstAt + row * firstStride, width);
        }
        for (int row = 0; row < hidden; row++) {
            System.arraycopy(second, row * categories, all, secondAt + row * secondStride, categories);
        }
    }
}
