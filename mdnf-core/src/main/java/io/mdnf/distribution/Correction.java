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

    /** Adds to the logits of the variable, k &lt; K, at a code [D]. */
    void addTo(double[] logits, CodeSpace space, int[] code) {
        int width = hidden + categories;
        double[] sums = new double[width];
        int row = 0;
        for (int variable : seen) {
            add(sums, (row + code[variable]) * width);
            row += space.cardinality(variable);
        }
        add(sums, row * width);
        for (int k = 0; k < categories; k++) {
            logits[k] += sums[hidden + k];
        }
        for (int h = 0; h < hidden; h++) {
            if (sums[h] > 0) {
                for (int k = 0; k < categories; k++) {
                    logits[k] += sums[h] * second[h * categories + k];
                }
            }
        }
    }

    private void add(double[] sums, int from) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += first[from + i];
        }
    }
}
