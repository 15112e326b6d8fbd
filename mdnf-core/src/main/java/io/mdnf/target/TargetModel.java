package io.mdnf.target;

import io.mdnf.elimination.Reduction;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a posterior is fitted to: the log joint probability log p(D, x) of the observed data D and a code x.
 *
 * <p>Every target can be evaluated exactly on index codes. One that is also
 * {@linkplain #isDifferentiable differentiable} can be laid out in a graph, from one-hot codes [n, D, K] to [n].
 *
 * <pre>{@code
 * TargetModel target = new FunctionTarget(space, x -> -energy(x));   // a black box
 * }</pre>
 */
public interface TargetModel {

    /** What an impossible code costs in a graph, in nats per impossible factor, in place of infinity: far more than any
     * entropy can win back, and finite, so that a gradient leads away from it. Exact evaluation says -infinity. */
    double PENALTY = -60;

    /** Returns the space of codes. */
    CodeSpace space();

    /** The exact log p(D, x), [n], of codes [n][D]; -infinity where impossible. */
    double[] logJoint(int[][] codes);

    /** Returns whether the target can be laid out in a graph; not unless it says so. */
    default boolean isDifferentiable() {
        return false;
    }

    /** The log joint [n] of one-hot codes [n, D, K], impossible ones at {@link #PENALTY}; refused without a graph. */
    default Tensor logJoint(Graph graph, Tensor codes) {
        throw new IllegalStateException(this + " has no graph and no gradient: use an algorithm that only evaluates"
                + " the target, or describe it as a FactorTarget, a GraphTarget or a TargetModel of your own");
    }

    /**
     * The same values with the gradient that suits log q of a JOINT mixture, as in the paper: where factors are known,
     * ratios of their probabilities in the place of differences of their logarithms.
     */
    default Tensor linearised(Graph graph, Tensor codes) {
        return logJoint(graph, codes);
    }

    /** The factors whose sum the log joint is, for posteriors that follow them; none where they are not known. */
    default List<Factor> factors() {
        return List.of();
    }

    /** The factors made smaller by their zeros, with an order to eliminate them in. */
    default Reduction reduction() {
        return Reduction.of(space(), factors());
    }

    /** The log joints of a code [D] and its neighbours in one variable, [D][K_d]: entry d, k has x_d = k. */
    default double[][] neighbours(int[] code) {
        int[][] all = IntStream.range(0, code.length).boxed().flatMap(d -> variants(code, d)).toArray(int[][]::new);
        return space().parted(logJoint(all));
    }

    /** For each code [n][D] the log joints of the codes that agree with it in all variables but one, [n][K_d], each row
     * up to a constant: what Gibbs sampling needs, for many chains in one call. */
    default double[][] conditionals(int[][] codes, int variable) {
        int categories = space().cardinality(variable);
        double[] values = logJoint(
                Arrays.stream(codes).flatMap(code -> variants(code, variable)).toArray(int[][]::new));
        double[][] rows = new double[codes.length][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(values, i * categories, (i + 1) * categories));
        return rows;
    }

    private Stream<int[]> variants(int[] code, int variable) {
        return IntStream.range(0, space().cardinality(variable)).mapToObj(k -> {
            int[] variant = code.clone();
            variant[variable] = k;
            return variant;
        });
    }
}
