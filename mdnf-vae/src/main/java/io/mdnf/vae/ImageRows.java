package io.mdnf.vae;

import io.mdnf.random.Seed;
import io.mdnf.target.Rows;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What an autoencoder learns from: pixels in [0, 1], 784 in a row of MNIST, unless there is a schema.
 *
 * <p>{@link DigitImages} are rows of grey bytes, {@link TableRows} those of a table; {@link DataSetRows} takes both
 * from DL4J and DataVec.
 */
public interface ImageRows extends Rows, Serializable {

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

    @Override
    ImageRows first(int limit);

    /** {@return a copy of the rows of some numbers, from 0, in their order} */
    default ImageRows chosen(int... rows) {
        return new ShapedRows(new InMemory(Arrays.stream(rows).mapToObj(row -> read(new int[] {row}))
                .toArray(float[][]::new)), shape());
    }

    /** {@return the rows as a training step sees them, by its seed} */
    default ImageRows shown(Seed step) {
        return this;
    }

    /** Returns all rows, [count * size]. */
    default float[] floats() {
        return read(IntStream.range(0, count()).toArray());
    }

    /** Rows [n, size] in memory, not copied: at least one, all of one length. The first number outside [0, 1] is
     * refused by its row and column, both from 1. */
    static ImageRows of(float[][] rows) {
        Rows pixels = Rows.between(0, 1,
                "pixels lie in [0, 1]; scale them, or leave out a column that is no pixel", rows);
        return new ShapedRows(pixels, new ImageShape(1, pixels.size()));
    }
}
