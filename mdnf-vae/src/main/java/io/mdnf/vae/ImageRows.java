package io.mdnf.vae;

/**
 * What an autoencoder learns from: {@code count} rows of {@code size} numbers in [0, 1], each of which can be read at any
 * time, so that the minibatch of a step follows from the step's number alone and a resumed training sees the same.
 *
 * <p>{@link DigitImages} are rows of grey bytes; {@link DataSetRows} takes them from DL4J and DataVec.
 */
public interface ImageRows {

    /** {@return the number of rows} */
    int count();

    /** {@return the numbers of one row; 784 for MNIST} */
    int size();

    /**
     * Reads one row.
     *
     * @param row which one
     * @param target receives {@link #size()} numbers in [0, 1]
     * @param offset where the first goes
     */
    void read(int row, float[] target, int offset);

    /**
     * Rows in memory, not copied.
     *
     * @param rows [n, size], at least one, all of one length, every number in [0, 1]
     * @return the rows
     * @throws IllegalArgumentException naming the row and column of the first number outside, both from 1
     */
    static ImageRows of(float[][] rows) {
        return new FloatRows(rows);
    }
}
