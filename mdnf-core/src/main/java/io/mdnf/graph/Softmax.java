package io.mdnf.graph;

/** The softmax along the last axis and its relatives, each in the form that is right in both precisions and fast. */
final class Softmax {

    private Softmax() {}

    static Tensor of(Tensor x) {
        Graph graph = x.graph();
        if (graph.precision() == Precision.FLOAT) {
            return new Tensor(graph, graph.sameDiff().nn().softmax(x.variable(), x.inModel(x.rank() - 1)), x.shape());
        }
        // in double ND4J's own is NaN when every entry is below -745; with the largest at 0 it is right
        Tensor shifted = shifted(x);
        return new Tensor(graph, graph.sameDiff().nn().softmax(shifted.variable(), shifted.inModel(1)), shifted.shape())
                .reshape(x.shape());
    }

    static Tensor log(Tensor x) {
        // ND4J's own takes the softmax first, so that entries 745 below the largest become -infinity
        Tensor shifted = shifted(x);
        Tensor logSum = shifted.exp().sum(1).log().reshape(shifted.extent(0), 1);
        return shifted.minus(logSum.matmul(x.graph().ones(1, x.extent(-1)))).reshape(x.shape());
    }

    static Tensor logSum(Tensor x) {
        Tensor rows = rows(x);
        Tensor peak = peak(rows);
        Tensor shifted = rows.minus(peak.matmul(x.graph().ones(1, rows.extent(1))));
        return shifted.exp().sum(1).log().plus(peak.reshape(rows.extent(0)))
                .reshape(Shapes.without(x.shape(), x.rank() - 1));
    }

    /**
     * The softmax along a short last axis, by element-wise operations and one product with ones: ND4J's own takes some
     * 60 ns a row, forward and backward, however short the row. Of x [.., K]; peaks are the one-hot positions of the
     * largest entry of each row, of the same shape.
     */
    static Tensor from(Tensor x, Tensor peaks) {
        Tensor rows = rows(x);
        Tensor ones = x.graph().ones(rows.extent(1), rows.extent(1));
        Tensor peak = rows(peaks).times(rows.stopGradient()).matmul(ones);
        Tensor e = rows.minus(peak).exp();
        return e.over(e.matmul(ones)).reshape(x.shape());
    }

    /**
     * What has the gradient of {@link #from} and is cheaper to differentiate: with p = softmax(x) held fixed,
     * p (x - sum_k p_k x_k), whose gradient p (g - sum_k p_k g_k) is the softmax's. Its value means nothing.
     */
    static Tensor linearFrom(Tensor x, Tensor peaks) {
        Tensor rows = rows(x);
        return linearAt(from(rows.stopGradient(), rows(peaks)), rows).reshape(x.shape());
    }

    /** p (x - sum_k p_k x_k) with probabilities p held fixed, of x's shape: what has the gradient p (g - sum_k p_k
     * g_k). */
    static Tensor linearAt(Tensor probabilities, Tensor x) {
        Tensor rows = rows(x);
        Tensor p = rows(probabilities).stopGradient();
        Tensor mean = p.times(rows).matmul(x.graph().ones(rows.extent(1), rows.extent(1)));
        return p.times(rows.minus(mean)).reshape(x.shape());
    }

    private static Tensor rows(Tensor x) {
        return x.reshape(x.size() / x.extent(-1), x.extent(-1));
    }

    /** Rows whose largest entry is 0, without a gradient of the peak. */
    private static Tensor shifted(Tensor x) {
        Tensor rows = rows(x);
        return rows.minus(peak(rows).matmul(x.graph().ones(1, rows.extent(1))));
    }

    /** The largest entry of each row, [rows, 1], without gradient. */
    private static Tensor peak(Tensor rows) {
        // stopped here, not at the end: what lies behind a stop still runs backward
        Tensor still = rows.stopGradient();
        // by its one-hot position: ND4J's own maximum along an axis is many times slower
        return still.argmaxOneHot().times(still).sum(1).reshape(rows.extent(0), 1);
    }
}
