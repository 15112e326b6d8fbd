package io.mdnf.target;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.List;

/**
 * What a posterior is fitted to: the log joint probability log p(D, x) of the observed data D and a code x.
 *
 * <p>Every target can be evaluated exactly on index codes. One that is also
 * {@linkplain #isDifferentiable differentiable} can be laid out in a graph, from one-hot codes [n, D, K] to [n].
 *
 * <pre>{@code
 * TargetModel target = new FunctionTarget(codes, x -> -cost(x));   // a black box
 * }</pre>
 */
public interface TargetModel {

    /**
     * What an impossible code costs in a graph, in nats per impossible factor, in place of infinity: far more than any
     * entropy can win back, and finite, so that a gradient leads away from it. Exact evaluation says -infinity.
     */
    double PENALTY = -60;

    /** Returns the space of codes. */
    CodeSpace space();

    /**
     * The exact log joint.
     *
     * @param codes indices [n][D]
     * @return log p(D, x), [n]; -infinity where impossible
     */
    double[] logJoint(int[][] codes);

    /** Returns whether the target can be laid out in a graph. */
    boolean isDifferentiable();

    /**
     * The log joint in a graph.
     *
     * @param graph where to build
     * @param codes [n, D, K], one-hot, with whatever gradient they carry
     * @return [n], impossible codes at a finite {@link #PENALTY}
     */
    Tensor logJoint(Graph graph, Tensor codes);

    /**
     * The factors whose sum the log joint is, for posteriors that follow them.
     *
     * @return the factors; none where they are not known
     */
    default List<Factor> factors() {
        return List.of();
    }

    /**
     * The log joints of a code and of all codes that differ from it in one variable.
     *
     * @param code indices [D]
     * @return [D][K_d]: entry d, k has variable d set to k
     */
    default double[][] neighbours(int[] code) {
        CodeSpace space = space();
        int total = 0;
        for (int d = 0; d < code.length; d++) {
            total += space.cardinality(d);
        }
        int[][] all = new int[total][];
        int i = 0;
        for (int d = 0; d < code.length; d++) {
            for (int k = 0; k < space.cardinality(d); k++) {
                all[i] = code.clone();
                all[i++][d] = k;
            }
        }
        double[] values = logJoint(all);
        double[][] result = new double[code.length][];
        i = 0;
        for (int d = 0; d < code.length; d++) {
            result[d] = new double[space.cardinality(d)];
            for (int k = 0; k < result[d].length; k++) {
                result[d][k] = values[i++];
            }
        }
        return result;
    }

    /**
     * The log joints of the codes that agree with a code in all variables but one: what Gibbs sampling needs.
     *
     * @param code indices [D]
     * @param variable d
     * @return [K_d], up to a constant that is the same for all categories
     */
    default double[] conditional(int[] code, int variable) {
        int[][] variants = new int[space().cardinality(variable)][];
        for (int k = 0; k < variants.length; k++) {
            variants[k] = code.clone();
            variants[k][variable] = k;
        }
        return logJoint(variants);
    }
}
