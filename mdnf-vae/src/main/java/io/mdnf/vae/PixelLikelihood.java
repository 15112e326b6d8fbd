package io.mdnf.vae;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import java.util.Arrays;
import java.util.Optional;

/** Pixels in [0, 1], Bernoulli by their logits. */
record PixelLikelihood(ImageShape shape) implements Likelihood {

    /** Mean pixels nearer to 0 or 1 are taken for this, so that their logits can still move. */
    private static final double LEAST_MEAN = 0.01;

    @Override
    public int size() {
        return shape.size();
    }

    @Override
    public int seen() {
        return size();
    }

    @Override
    public int outputs() {
        return size();
    }

    @Override
    public Tensor seen(Tensor rows) {
        return rows;
    }

    @Override
    public Tensor logLikelihood(Graph graph, Tensor decoded, Tensor rows) {
        return rows.times(decoded).minus(decoded.softplus()).sum(1);
    }

    @Override
    public Tensor logLikelihoods(Graph graph, Tensor decoded, Tensor rows) {
        return rows.matmulTransposed(decoded).minus(decoded.softplus().sum(1).repeatLeading(rows.extent(0)));
    }

    @Override
    public Tensor means(Tensor decoded) {
        return decoded.sigmoid();
    }

    @Override
    public double[] first(ImageRows rows) {
        double[] means = new double[size()];
        float[] row = new float[size()];
        for (int i = 0; i < rows.count(); i++) {
            rows.read(i, row, 0);
            for (int p = 0; p < row.length; p++) {
                means[p] += row[p] / rows.count();
            }
        }
        return Arrays.stream(means).map(PixelLikelihood::logit).toArray();
    }

    /** The logit of a mean, which is kept away from 0 and 1. */
    static double logit(double mean) {
        double inside = Math.min(1 - LEAST_MEAN, Math.max(LEAST_MEAN, mean));
        return Math.log(inside / (1 - inside));
    }

    @Override
    public Optional<TableSchema> schema() {
        return Optional.empty();
    }
}
