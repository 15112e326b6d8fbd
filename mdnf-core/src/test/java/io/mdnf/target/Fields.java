package io.mdnf.target;

import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.RandomField;

/** Random pairwise Markov fields with standard normal log-potentials, the test bed of all algorithms. */
public final class Fields {

    private Fields() {}

    public static FactorTarget random(Seed seed, int... cardinalities) {
        return RandomField.pairwise(seed, CodeSpace.of(cardinalities));
    }

    public static double logEvidence(FactorTarget target) {
        double[] all = target.logJoint(target.space().all(100_000));
        double peak = java.util.Arrays.stream(all).max().getAsDouble();
        return peak + Math.log(java.util.Arrays.stream(all).map(l -> Math.exp(l - peak)).sum());
    }
}
