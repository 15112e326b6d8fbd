package io.mdnf.evaluation;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;

/** Random targets for tests. */
final class RandomTargets {

    private RandomTargets() {
    }

    /** A pairwise Markov field with standard normal log-potentials. */
    static double[] pairwise(CodeSpace space, Seed seed) {
        int width = space.width();
        double[] logJoint = new double[space.sizeAtMost(1_000_000)];
        for (int d = 0; d < space.variables(); d++) {
            double[] unary = new Draws(seed.fold(d)).normal("unary", width);
            for (int i = 0; i < logJoint.length; i++) {
                logJoint[i] += unary[space.code(i)[d]];
            }
            for (int e = 0; e < d; e++) {
                double[] pair = new Draws(seed.fold(d).fold(e)).normal("pair", width * width);
                for (int i = 0; i < logJoint.length; i++) {
                    int[] code = space.code(i);
                    logJoint[i] += pair[code[d] * width + code[e]];
                }
            }
        }
        return logJoint;
    }

    /** The same with a share of impossible codes; the first code stays possible. */
    static double[] withImpossible(double[] logJoint, double share, Seed seed) {
        double[] changed = logJoint.clone();
        var rng = seed.generator();
        for (int i = 1; i < changed.length; i++) {
            if (rng.nextDouble() < share) {
                changed[i] = Double.NEGATIVE_INFINITY;
            }
        }
        return changed;
    }
}
