package io.mdnf.inference;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Codes;
import io.mdnf.target.Factor;
import io.mdnf.target.FactorTarget;
import java.util.ArrayList;
import java.util.List;

/** Random pairwise Markov fields with standard normal log-potentials, the test bed of all algorithms. */
final class Fields {

    private Fields() {}

    static FactorTarget random(Seed seed, int... cardinalities) {
        Codes codes = Codes.of(cardinalities);
        Draws draws = new Draws(seed);
        List<Factor> factors = new ArrayList<>();
        for (int i = 0; i < cardinalities.length; i++) {
            for (int j = i + 1; j < cardinalities.length; j++) {
                factors.add(new Factor(new int[] {i, j},
                        draws.normal("potential" + i + "-" + j, cardinalities[i] * cardinalities[j])));
            }
        }
        return new FactorTarget(codes, factors);
    }

    static double logEvidence(FactorTarget target) {
        double[] all = target.logJoint(target.codes().all(100_000));
        double peak = java.util.Arrays.stream(all).max().getAsDouble();
        return peak + Math.log(java.util.Arrays.stream(all).map(l -> Math.exp(l - peak)).sum());
    }
}
