package io.mdnf.vae;

import io.mdnf.space.Check;
import io.mdnf.target.Rows;

/** Rows whose pixels lie as images of a shape. */
record ShapedRows(Rows rows, ImageShape shape) implements DerivedRows {

    ShapedRows {
        Check.that(rows.size() == shape.size() && !(rows instanceof TableRows), rows,
                ": these are no images of ", shape);
    }

    @Override
    public ImageRows first(int limit) {
        return new ShapedRows(rows.first(limit), shape);
    }

    @Override
    public String toString() {
        return rows.count() + " images of " + shape;
    }
}
