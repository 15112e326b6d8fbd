package io.mdnf.vae;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;

/**
 * A drawn one-hot code z [n, D, K] with the gradient of softmax((log q + c) / tau) at moved logits, where c is no
 * function of the parameters: straight-through estimators that differ in c.
 *
 * @param codes exactly z, with the gradient
 * @param drawing writes what c is drawn from
 */
record Carried(Tensor codes, Drawing drawing) {

    /** How far a gapped code stands above the other categories. */
    static final double GAP = 1;
    /** Times that the noise behind a code is drawn anew. */
    static final int REDRAWN = 10;
    /** Less likely categories are taken for this, so that float can divide by them. */
    private static final double LEAST = 1e-30;

    @FunctionalInterface
    interface Drawing {
        void draw(ExecutionPlan plan, Draws draws);
    }

    /**
     * Gapped straight-through: logits l = log q moved to where they lead to z, without noise. The drawn category is
     * lifted to the largest logit, the others are lowered until they stand a gap below it:
     * <pre>
     *   c = (max l - l) z - (l + gap - max l)_+ (1 - z)
     * </pre>
     */
    static Carried gapped(Tensor z, Tensor logs, Tensor inverseTemperature) {
        Tensor l = logs.stopGradient();
        Tensor below = l.times(l.argmaxOneHot()).sum(2).repeatAt(2, l.extent(2)).minus(l);
        Tensor lowered = below.times(-1).plus(GAP).relu().times(z.times(-1).plus(1));
        Tensor moved = below.times(z).minus(lowered).stopGradient();
        return new Carried(StraightThrough.carryFirstOrder(z, logs.plus(moved), inverseTemperature),
                (plan, draws) -> { });
    }

    /**
     * Rao-Blackwellised straight-through Gumbel: the mean over M draws of the Gumbel noise that leads to z. With e
     * [M, n, D, K] exponential and e_z that of the drawn category, perturbed logits given z are
     * <pre>
     *   log q + c = -log(e_z)  at z,      -log(e_z + e_k / q_k)  elsewhere
     * </pre>
     */
    static Carried raoGumbel(Tensor z, Tensor logs, Tensor inverseTemperature) {
        Graph graph = z.graph();
        long n = z.extent(0);
        long latents = z.extent(1);
        long categories = z.extent(2);
        long[] all = {REDRAWN * n, latents, categories};
        Tensor noise = graph.placeholder("redrawn", all);
        Tensor drawn = z.repeatLeading(REDRAWN).reshape(all);
        Tensor own = logs.spread(0, n).repeatLeading(REDRAWN).reshape(all);
        Tensor e = noise.times(-1).exp();
        Tensor first = e.times(drawn).sum(2).repeatAt(2, categories);
        Tensor later = e.over(own.stopGradient().exp().plus(LEAST)).times(drawn.times(-1).plus(1));
        Tensor perturbed = first.plus(later).log().times(-1);
        Tensor carried = StraightThrough.carryFirstOrder(drawn, own.plus(perturbed.minus(own).stopGradient()),
                inverseTemperature);
        Tensor mean = carried.reshape(REDRAWN, n, latents, categories).sum(0).times(1.0 / REDRAWN);
        return new Carried(StraightThrough.carryGradient(z, mean),
                (plan, draws) -> plan.write(noise, draws.gumbel("redrawn", noise.size())));
    }
}
