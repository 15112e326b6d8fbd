package io.mdnf.vae;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import java.util.Optional;

/**
 * What a row of data is: the numbers [n, size] that rows write, the part of them the encoder sees, and how likely they
 * are given what the decoder says of them, [n, outputs].
 */
interface Likelihood {

    /** Numbers of a row. */
    int size();

    /** Numbers the encoder sees of it. */
    int seen();

    /** Numbers the decoder says of it. */
    int outputs();

    /** What the encoder sees of rows, [n, seen]. */
    Tensor seen(Tensor rows);

    /** log p(row | code) of every row and its own decoded code, [n]. */
    Tensor logLikelihood(Graph graph, Tensor decoded, Tensor rows);

    /** log p(row | code) of every row and every decoded code, [n, m]. */
    Tensor logLikelihoods(Graph graph, Tensor decoded, Tensor rows);

    /** What is expected of decoded codes, [n, outputs]: probabilities, rates, means. */
    Tensor means(Tensor decoded);

    /** Outputs at which a decoder that looks at no code would describe the rows best, [outputs]. */
    double[] first(ImageRows rows);

    /** How the numbers lie, if they are pixels. */
    default ImageShape shape() {
        return new ImageShape(1, size());
    }

    /** The columns, if rows are those of a table. */
    Optional<TableSchema> schema();

    static Likelihood of(ImageRows rows) {
        return rows.schema().<Likelihood>map(TableLikelihood::new).orElseGet(() -> new PixelLikelihood(rows.shape()));
    }

    /** Refuses rows of another kind. */
    default void check(ImageRows rows) {
        Check.that(rows.schema().isPresent() == schema().isPresent(), "the model knows ", known(), ", not ", rows);
        Check.that(rows.schema().equals(schema()), "the model knows a table of other columns, or of other levels: ",
                "these are ", rows, " read by another schema");
        Check.that(rows.size() == size(), "the model knows ", known(), ", not ", rows);
        Check.that(rows.shape().equals(shape()) || rows.shape().height() == 1 || shape().height() == 1,
                "the model knows ", known(), ", not ", rows);
    }

    /** What rows are, in words. */
    private String known() {
        return schema().map(schema -> "rows of a table of " + schema.columns().size() + " columns")
                .orElse("images of " + shape());
    }
}
