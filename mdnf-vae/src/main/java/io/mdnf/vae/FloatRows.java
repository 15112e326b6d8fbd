package io.mdnf.vae;

import io.mdnf.space.Check;
import java.util.Arrays;

/** Rows in memory. */
record FloatRows(float[][] rows) implements ImageRows {

    FloatRows {
        Check.that(rows.length != 0 && rows[0].length != 0,
                "there are no numbers: at least one row of at least one is needed");
        for (int r = 0; r < rows.length; r++) {
            Check.that(rows[r].length == rows[0].length, "row ", r + 1, " has ", rows[r].length, " numbers; row 1 has ",
                    rows[0].length);
            for (int c = 0; c < rows[r].length; c++) {
                if (!(rows[r][c] >= 0 && rows[r][c] <= 1)) {
                    throw new IllegalArgumentException("row " + (r + 1) + ", column " + (c + 1) + " is " + rows[r][c]
                            + ": pixels lie in [0, 1]; scale them, or leave out a column that is no pixel");
                }
            }
        }
    }

    @Override
    public int count() {
        return rows.length;
    }

    @Override
    public int size() {
        return rows[0].length;
    }

    @Override
    public ImageRows first(int limit) {
        return new FloatRows(Arrays.copyOf(rows, Math.min(limit, rows.length)));
    }

    @Override
    public void read(int row, float[] target, int offset) {
        System.arraycopy(rows[row], 0, target, offset, size());
    }

    @Override
    public String toString() {
        return "ImageRows[" + count() + ", " + size() + "]";
    }
}
