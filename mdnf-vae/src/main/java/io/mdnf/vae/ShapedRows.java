package io.mdnf.vae;

import io.mdnf.random.Seed;
import io.mdnf.space.Check;

/** Rows whose pixels lie as images of a shape. */
record ShapedRows(ImageRows rows, ImageShape shape) implements ImageRows {

    ShapedRows {
        Check.that(rows.size() == shape.size() && rows.schema().isEmpty(), rows, " are no images of ", shape);
    }

    @Override
    public int count() {
        return rows.count();
    }

    @Override
    public int size() {
        return rows.size();
    }

    @Override
    public void read(int row, float[] target, int offset) {
        rows.read(row, target, offset);
    }

    @Override
    public ImageRows first(int limit) {
        return new ShapedRows(rows.first(limit), shape);
    }

    @Override
    public ImageRows shown(Seed step) {
        return new ShapedRows(rows.shown(step), shape);
    }

    @Override
    public String toString() {
        return rows + " of " + shape;
    }
}
