package io.mdnf.base;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.List;

/**
 * A trained categorical base: P = softmax(logits) over the valid categories, logits [B, D, K] with first values.
 *
 * <p>Example: {@code new TrainableBase(space, 8)}; one location-scale flow on it is the discrete flow of Tran et al.
 */
public record TrainableBase(CodeSpace space, int components, Initialiser first) implements Base {

    /** Checks the number of components. */
    public TrainableBase {
        FixedBase.checkComponents(components);
    }

    /** A base with standard normal logits. */
    public TrainableBase(CodeSpace space, int components) {
        this(space, components, Initialiser.normal(1));
    }

    private Parameter logits() {
        return new Parameter("logits", first, components, space.variables(), space.width());
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(logits());
    }

    @Override
    public Tensor probabilities(Graph graph) {
        return StraightThrough.restrict(graph.parameter(logits()), space).softmax();
    }

    @Override
    public double[] probabilities(ParameterValues values) {
        double[] l = values.read(logits().name());
        double[] p = new double[l.length];
        for (int row = 0; row < l.length / space.width(); row++) {
            int start = row * space.width();
            int end = start + space.cardinality(row % space.variables());
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
        return "trainable base[B=" + components + ", " + parameterCount() + " parameters]";
    }
}
