package io.mdnf.bn;

import java.util.Arrays;
import java.util.function.ObjDoubleConsumer;

/** Every latent code of a small network and its log joint, entry by entry of the tables: what tests compare with. */
final class Enumerated {

    private Enumerated() {
    }

    /** Visits every configuration that agrees with the evidence, the last latent node fastest. */
    static void forEach(Evidence evidence, ObjDoubleConsumer<int[]> visitor) {
        int[] cardinalities = evidence.latentCardinalities();
        int count = Arrays.stream(cardinalities).reduce(1, Math::multiplyExact);
        int[] code = new int[cardinalities.length];
        for (int n = 0; n < count; n++) {
            int left = n;
            for (int d = code.length - 1; d >= 0; d--) {
                code[d] = left % cardinalities[d];
                left /= cardinalities[d];
            }
            int[] states = evidence.complete(code);
            visitor.accept(states, evidence.network().logJoint(states));
        }
    }

    /** log p(evidence, code) of every latent code, row-major. */
    static double[] logJoints(Evidence evidence) {
        double[] values = new double[Arrays.stream(evidence.latentCardinalities()).reduce(1, Math::multiplyExact)];
        int[] next = {0};
        forEach(evidence, (states, logJoint) -> values[next[0]++] = logJoint);
        return values;
    }
}
