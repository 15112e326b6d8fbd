package io.mdnf.vae;

import io.mdnf.random.Seed;
import java.util.Optional;

/**
 * What an autoencoder learns from: {@code count} rows of {@code size} numbers, each of which can be read at any time,
 * so that the minibatch of a step follows from the step's number alone and a resumed training sees the same. They are
 * pixels in [0, 1] unless there is a schema.
 *
 * <p>{@link DigitImages} are rows of grey bytes, {@link TableRows} those of a table; {@link DataSetRows} takes both
 * from DL4J and DataVec.
 */
public interface ImageRows {

    /** {@return the number of rows} */
    int count();

    /** {@return the numbers of one row; 784 for MNIST} */
    int size();

    /** Writes the {@link #size()} numbers of a row into the target from the offset on. */
    void read(int row, float[] target, int offset);

    /** {@return the columns of a table; nothing if the numbers are pixels} */
    default Optional<TableSchema> schema() {
        return Optional.empty();
    }

    /** {@return how the pixels of a row lie; one line of them if nothing is known} */
    default ImageShape shape() {
        return new ImageShape(1, size());
    }

    /** {@return the same rows as images of so many lines of so many pixels, for networks that look at neighbours} */
    default ImageRows shaped(int height, int width) {
        return new ShapedRows(this, new ImageShape(height, width));
    }

    /** {@return the first rows, at most so many} */
    ImageRows first(int limit);

    /** {@return the rows as a training step sees them, by its seed} */
    default ImageRows shown(Seed step) {
        return this;
    }

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
