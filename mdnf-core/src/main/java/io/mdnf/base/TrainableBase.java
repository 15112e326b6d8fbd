package io.mdnf.base;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Codes;
import io.mdnf.space.LogSpace;
import java.util.List;

/**
 * A trained categorical base: P = softmax(logits) over the valid categories, logits [B, D, K].
 *
 * <p>Example: {@code new TrainableBase(codes, 8)}; a single location-scale flow on it is the discrete flow of Tran et al.
 */
public final class TrainableBase implements Base {

    private final Codes codes;
    private final int components;
    private final Parameter logits;

    /**
     * A base with standard normal logits.
     *
     * @param codes the space
     * @param components B
     */
    public TrainableBase(Codes codes, int components) {
        this(codes, components, Initialiser.normal(1));
    }

    /**
     * A base with given first logits.
     *
     * @param codes the space
     * @param components B
     * @param first where the logits start
     */
    public TrainableBase(Codes codes, int components, Initialiser first) {
        if (components < 1) {
            throw new IllegalArgumentException("components = " + components + ": a mixture needs at least 1");
        }
        this.codes = codes;
        this.components = components;
        this.logits = new Parameter("logits", first, components, codes.variables(), codes.width());
    }

    @Override
    public Codes codes() {
        return codes;
    }

    @Override
    public int components() {
        return components;
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(logits);
    }

    @Override
    public Tensor probabilities(Graph graph) {
        return StraightThrough.restrict(graph.parameter(logits), codes).softmax();
    }

    @Override
    public double[] probabilities(ParameterValues values) {
        double[] l = values.read(logits.name());
        double[] p = new double[l.length];
        for (int row = 0; row < l.length / codes.width(); row++) {
            int start = row * codes.width();
            int end = start + codes.cardinality(row % codes.variables());
            System.arraycopy(l, start, p, start, end - start);
            LogSpace.normalise(p, start, end);
        }
        return p;
    }

    @Override
    public boolean isDelta() {
        return false;
    }

    @Override
    public boolean isZero() {
        return false;
    }

    @Override
    public String toString() {
        return "trainable base[B=" + components + ", " + logits.size() + " parameters]";
    }
}
