package io.mdnf.vae;

/**
 * What an autoencoder learns from: {@code count} rows of {@code size} numbers in [0, 1], each of which can be read at
 * any time, so that the minibatch of a step follows from the step's number alone and a resumed training sees the same.
 *
 * <p>{@link DigitImages} are rows of grey bytes; {@link DataSetRows} takes them from DL4J and DataVec.
 */
public interface ImageRows {

    /** {@return the number of rows} */
    int count();

    /** {@return the numbers of one row; 784 for MNIST} */
    int size();

    /** Writes the {@link #size()} numbers of a row, all in [0, 1], into the target from the offset on. */
    void read(int row, float[] target, int offset);

    /** Returns all rows, [count * size]. */
    default float[] floats() {
        float[] all = new float[Math.multiplyExact(count(), size())];
        for (int row = 0; row < count(); row++) {
            read(row, all, row * size());
        }
        return all;
    }

    /** Rows [n, size] in memory, not copied: at least one, all of one length. The first number outside [0, 1] is
     * refused by its row and column, both from 1. */
    static ImageRows of(float[][] rows) {
        return new FloatRows(rows);
    }
}
