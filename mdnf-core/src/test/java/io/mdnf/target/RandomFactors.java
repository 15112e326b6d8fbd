package io.mdnf.target;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Random factor sets for tests, and their plain sums. */
final class RandomFactors {

    private RandomFactors() {}

    /** Mixed cardinalities 1 .. 4. */
    static CodeSpace codes(Random random, int variables) {
        return CodeSpace.of(IntStream.range(0, variables).map(d -> 1 + random.nextInt(4)).toArray());
    }

    /** Factors of 0 .. mostVariables variables in any order, a part of their entries impossible. */
    static List<Factor> factors(Random random, CodeSpace space, int count, int mostVariables, double zeros) {
        List<Factor> factors = new ArrayList<>();
        for (int f = 0; f < count; f++) {
            factors.add(factor(random, space, random.nextInt(Math.min(mostVariables, space.variables()) + 1), zeros));
        }
        return factors;
    }

    static Factor factor(Random random, CodeSpace space, int arity, double zeros) {
        List<Integer> all = new ArrayList<>(IntStream.range(0, space.variables()).boxed().toList());
        Collections.shuffle(all, random);
        int[] variables = all.subList(0, arity).stream().mapToInt(Integer::intValue).toArray();
        double[] table = new double[IntStream.of(variables).map(space::cardinality).reduce(1, (a, b) -> a * b)];
        for (int i = 0; i < table.length; i++) {
            table[i] = random.nextDouble() < zeros ? Double.NEGATIVE_INFINITY : 2 * random.nextGaussian();
        }
        return new Factor(variables, table);
    }

    static int[] code(Random random, CodeSpace space) {
        return IntStream.range(0, space.variables()).map(d -> random.nextInt(space.cardinality(d))).toArray();
    }

    /** The plain sum of the factors at one code, with {@code impossible} in place of -infinity. */
    static double sum(CodeSpace space, List<Factor> factors, int[] code, double impossible) {
        double sum = 0;
        for (Factor factor : factors) {
            int entry = 0;
            for (int d : factor.variables()) {
                entry = entry * space.cardinality(d) + code[d];
            }
            double value = factor.logTable()[entry];
            sum += value == Double.NEGATIVE_INFINITY ? impossible : value;
        }
        return sum;
    }
}
