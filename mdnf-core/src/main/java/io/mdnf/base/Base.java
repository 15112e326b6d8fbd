package io.mdnf.base;

import io.mdnf.graph.Description;
import io.mdnf.graph.Graph;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Tensor;

/**
 * The base distribution p_u of B flows: independent categorical distributions, one per component b and variable d,
 * P [B, D, K] with P[b, d, k] = p(u_d = k | b) and P = 0 for k &gt;= K_d.
 *
 * <p>Open to bases of your own, which {@code BaseContract} of mdnf-test holds to their promises.
 *
 * <pre>{@code
 * Base deltas = Deltas.random(space, 40, Seed.of(1));
 * Base soft = FixedBase.dirichlet(space, 8, 0.01, Seed.of(1));
 * Base trained = new TrainableBase(space, 8);
 * }</pre>
 */
public interface Base extends Description {

    /** Returns P as a tensor, [B, D, K]. */
    Tensor probabilities(Graph graph);

    /** Returns P as numbers, flat [B, D, K], for drawing u outside the graph. */
    double[] probabilities(ParameterValues values);

    /** Returns whether every distribution puts all its mass on one category. */
    boolean isDelta();

    /** Returns whether every distribution puts all its mass on category 0, so that a shifted code is the shift. */
    boolean isZero();
}
