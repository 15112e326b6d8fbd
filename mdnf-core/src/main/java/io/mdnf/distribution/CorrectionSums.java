package io.mdnf.distribution;

import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A {@link Correction} laid out for many codes: for a few variables together a row of sums for each combination of
 * their categories, so that a code asks for one row for each such group and not for one for each variable.
 */
final class CorrectionSums {

    /** Four binary variables: laid out in the time that 16 codes save. */
    private static final int MOST_ROWS = 16;

    private final Correction correction;
    private final int width;
    private final List<Group> groups = new ArrayList<>();

    /** Row sum_j strides_j x_j of [rows, H + K]. */
    private record Group(int[] variables, int[] strides, double[] rows) {}

    CorrectionSums(Correction correction, CodeSpace space) {
        this.correction = correction;
        this.width = correction.hidden() + correction.categories();
        int[] seen = correction.seen();
        int from = 0;
        int at = 0;
        while (at < seen.length) {
            int end = at;
            int size = 1;
            do {
                size *= space.cardinality(seen[end++]);
            } while (end < seen.length && size * space.cardinality(seen[end]) <= MOST_ROWS);
            Group group = group(space, Arrays.copyOfRange(seen, at, end), size, from);
            groups.add(group);
            from += Correction.inputs(space, group.variables) - 1;
            at = end;
        }
        if (groups.isEmpty()) {
            groups.add(new Group(new int[0], new int[0], new double[width]));
        }
        // what is always added comes with the first group
        double[] first = groups.get(0).rows;
        for (int i = 0; i < first.length; i++) {
            first[i] += correction.first()[from * width + i % width];
        }
    }

    /** Variables whose rows of the correction begin at one. */
    private Group group(CodeSpace space, int[] variables, int size, int from) {
        double[] rows = new double[size * width];
        int[] strides = new int[variables.length];
        int stride = 1;
        int own = from;
        for (int j = 0; j < variables.length; j++) {
            strides[j] = stride;
            int categories = space.cardinality(variables[j]);
            // rows below the stride are sums of the variables before; those of category 0 change last
            for (int k = categories - 1; k >= 0; k--) {
                for (int i = 0; i < stride * width; i++) {
                    rows[k * stride * width + i] = rows[i] + correction.first()[(own + k) * width + i % width];
                }
            }
            stride *= categories;
            own += categories;
        }
        return new Group(variables, strides, rows);
    }

    /** Adds to the logits of the variable, k &lt; K, at a code [D]; the scratch has H + K numbers at least. */
    void addTo(double[] logits, int[] code, double[] scratch) {
        Arrays.fill(scratch, 0, width, 0);
        for (Group group : groups) {
            int row = 0;
            for (int j = 0; j < group.variables.length; j++) {
                row += group.strides[j] * code[group.variables[j]];
            }
            for (int i = 0, at = row * width; i < width; i++, at++) {
                scratch[i] += group.rows[at];
            }
        }
        int categories = correction.categories();
        int hidden = correction.hidden();
        for (int k = 0; k < categories; k++) {
            logits[k] += scratch[hidden + k];
        }
        double[] second = correction.second();
        for (int h = 0; h < hidden; h++) {
            if (scratch[h] > 0) {
                for (int k = 0; k < categories; k++) {
                    logits[k] += scratch[h] * second[h * categories + k];
                }
            }
        }
    }
}
