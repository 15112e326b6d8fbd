package io.mdnf.elimination;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Small random factor graphs: mixed cardinalities and scopes, constants, zeros, variables without a factor. */
public record RandomFactors(CodeSpace space, List<Factor> factors) {

    /** A graph of up to so many variables, a share of whose entries is 0, but some code is possible. */
    public static RandomFactors draw(Random random, int most, double zeros) {
        int variables = 1 + random.nextInt(most);
        CodeSpace space = CodeSpace.of(random.ints(variables, 1, 4).toArray());
        while (true) {
            List<Factor> factors = new ArrayList<>();
            for (int f = random.nextInt(2 * variables + 1); f > 0; f--) {
                List<Integer> all = new ArrayList<>(IntStream.range(0, variables).boxed().toList());
                Collections.shuffle(all, random);
                int[] scope = all.stream().limit(random.nextInt(4)).mapToInt(v -> v).toArray();
                double[] table = new double[IntStream.of(scope).map(space::cardinality).reduce(1, (a, b) -> a * b)];
                Arrays.setAll(table, i -> scope.length > 0 && random.nextDouble() < zeros ? Double.NEGATIVE_INFINITY
                        : 2 * random.nextGaussian());
                factors.add(new Factor(scope, table));
            }
            RandomFactors drawn = new RandomFactors(space, factors);
            if (drawn.logSum() > Double.NEGATIVE_INFINITY) {
                return drawn;
            }
        }
    }

    /** {@return the log joints of all codes} */
    public double[] logJoint() {
        return new FactorTarget(space, factors).logJoint(space.all());
    }

    /** {@return log of the sum over all codes} */
    public double logSum() {
        return LogSpace.sumExp(logJoint());
    }

    int[] anyOrder(Random random) {
        List<Integer> all = new ArrayList<>(IntStream.range(0, space.variables()).boxed().toList());
        Collections.shuffle(all, random);
        return all.stream().mapToInt(v -> v).toArray();
    }

    List<int[]> scopes() {
        return factors.stream().map(Factor::variables).toList();
    }
}
