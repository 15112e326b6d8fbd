package io.mdnf.vae;

import io.mdnf.target.Rows;

/** Rows made of other rows, as many and as long. */
interface DerivedRows extends ImageRows {

    Rows rows();

    @Override
    default int count() {
        return rows().count();
    }

    @Override
    default int size() {
        return rows().size();
    }

    @Override
    default void read(int row, float[] target, int offset) {
        rows().read(row, target, offset);
    }
}
