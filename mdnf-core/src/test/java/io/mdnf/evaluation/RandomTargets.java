package io.mdnf.evaluation;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Codes;

/** Random targets for tests. */
final class RandomTargets {

    private RandomTargets() {
    }

    /** A pairwise Markov field with standard normal log-potentials. */
    static double[] pairwise(Codes codes, Seed seed) {
        int width = codes.width();
        double[] logJoint = new double[codes.sizeAtMost(1_000_000)];
        for (int d = 0; d < codes.variables(); d++) {
            double[] unary = new Draws(seed.fold(d)).normal("unary", width);
            for (int i = 0; i < logJoint.length; i++) {
                logJoint[i] += unary[codes.code(i)[d]];
            }
            for (int e = 0; e < d; e++) {
                double[] pair = new Draws(seed.fold(d).fold(e)).normal("pair", width * width);
                for (int i = 0; i < logJoint.length; i++) {
                    int[] code = codes.code(i);
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
