package io.mdnf.target;

import io.mdnf.space.Check;
import java.io.Serializable;
import java.util.stream.IntStream;

/**
 * Data: {@code count} rows of {@code size} numbers, each of which can be read at any time, so that the minibatch of a
 * step follows from the step's number alone and a resumed training sees the same.
 *
 * <p>Example: {@code Rows rows = Rows.of(new float[][] {{1, 0, 0}, {0, 1, 1}})}.
 */
public interface Rows {

    /** Returns the number of rows. */
    int count();

    /** Returns the numbers of one row. */
    int size();

    /** Writes the {@link #size()} numbers of a row, all finite, into the target from the offset on. */
    void read(int row, float[] target, int offset);

    /** Some rows, by their numbers, one after the other: [which.length * size]. */
    default float[] read(int... which) {
        float[] all = new float[Math.multiplyExact(which.length, size())];
        for (int i = 0; i < which.length; i++) {
            read(which[i], all, i * size());
        }
        return all;
    }

    /** Returns a copy of the first rows, at most so many. */
    default Rows first(int limit) {
        return new InMemory(IntStream.range(0, Math.min(limit, count())).mapToObj(row -> read(new int[] {row}))
                .toArray(float[][]::new));
    }

    /** Rows [n][size] in memory, not copied: at least one, all of one length. The first number that is not finite is
     * refused by its row and column, both from 1. */
    static Rows of(float[][] rows) {
        return between(-Float.MAX_VALUE, Float.MAX_VALUE, "only finite numbers are allowed", rows);
    }

    /** The same for numbers from the least to the most, and what to do about others. */
    static Rows between(float least, float most, String otherwise, float[][] rows) {
        Check.that(rows.length != 0 && rows[0].length != 0,
                "there are no numbers: at least one row of at least one is needed");
        for (int r = 0; r < rows.length; r++) {
            Check.that(rows[r].length == rows[0].length, "row ", r + 1, " has ", rows[r].length, " numbers; row 1 has ",
                    rows[0].length);
            for (int c = 0; c < rows[r].length; c++) {
                if (!(rows[r][c] >= least && rows[r][c] <= most)) {
                    throw new IllegalArgumentException(
                            "row " + (r + 1) + ", column " + (c + 1) + " is " + rows[r][c] + ": " + otherwise);
                }
            }
        }
        return new InMemory(rows);
    }

    /** Rows in memory. */
    record InMemory(float[][] rows) implements Rows, Serializable {

        @Override
        public int count() {
            return rows.length;
        }

        @Override
        public int size() {
            return rows[0].length;
        }

        @Override
        public void read(int row, float[] target, int offset) {
            System.arraycopy(rows[row], 0, target, offset, size());
        }

        @Override
        public String toString() {
            return count() + " rows of " + size() + " numbers";
        }
    }
}
