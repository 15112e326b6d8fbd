package io.mdnf.search;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Markov chains whose codes follow the posterior in the long run: each sweep redraws every variable from its exact
 * conditional. Started from a good product distribution they need few sweeps; between codes that differ in several
 * deterministic variables at once only jumps lead.
 */
public final class GibbsChains {

    private GibbsChains() {}

    /** CodeSpace drawn from a product, [chains][D]. */
    public static int[][] fromProduct(double[][] q, int chains, Seed seed) {
        UniformRandomProvider rng = new Draws(seed).stream("start");
        int[][] codes = new int[chains][q.length];
        for (int[] code : codes) {
            for (int d = 0; d < q.length; d++) {
                code[d] = Draws.category(rng, q[d], 0, q[d].length);
            }
        }
        return codes;
    }

    /** The chains after a number of sweeps; the given codes stay as they are. */
    public static int[][] sweep(TargetModel target, int[][] from, int sweeps, Seed seed) {
        UniformRandomProvider rng = new Draws(seed).stream("sweep");
        int[][] codes = new int[from.length][];
        for (int i = 0; i < codes.length; i++) {
            int[] code = from[i].clone();
            for (int s = 0; s < sweeps; s++) {
                for (int d = 0; d < code.length; d++) {
                    double[] weights = LogSpace.weights(target.conditional(code, d));
                    code[d] = Draws.category(rng, weights, 0, weights.length);
                }
            }
            codes[i] = code;
        }
        return codes;
    }

    /** The chains after one offer each to jump to a code drawn along the factors (Metropolis and Hastings). */
    public static int[][] jump(TargetModel target, int[][] from, PossibleCodes offers, Seed seed) {
        UniformRandomProvider rng = new Draws(seed).stream("jump");
        int[][] offered = offers.draw(from.length, rng);
        double[] before = target.logJoint(from);
        double[] after = target.logJoint(offered);
        int[][] codes = new int[from.length][];
        for (int i = 0; i < codes.length; i++) {
            double gain = after[i] - offers.logProb(offered[i]) - before[i] + offers.logProb(from[i]);
            codes[i] = Math.log(rng.nextDouble()) < gain ? offered[i] : from[i];
        }
        return codes;
    }
}
