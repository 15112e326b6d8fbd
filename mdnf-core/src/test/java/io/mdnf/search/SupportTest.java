package io.mdnf.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SupportTest {

    private static final double NO = Double.NEGATIVE_INFINITY;

    /** Variable 0 with the given log weights, every further one a function of the one before it. */
    private static List<Factor> chain(int variables, double... first) {
        int k = first.length;
        List<Factor> factors = new ArrayList<>(List.of(new Factor(new int[] {0}, first)));
        for (int d = 1; d < variables; d++) {
            double[] table = new double[k * k];
            Arrays.fill(table, NO);
            for (int c = 0; c < k; c++) {
                table[c * k + (c + d) % k] = 0;
            }
            factors.add(new Factor(new int[] {d - 1, d}, table));
        }
        return factors;
    }

    /** Elimination is exact here, so that what is drawn follows the target: false alarm 0.001 for a fresh seed. */
    @Test
    void justThePossibleCodesAreDrawnAsOftenAsTheyAreProbable() {
        CodeSpace space = CodeSpace.of(3, 2, 4, 2, 3);
        Random random = new Random(3);
        int zeros = 0;
        for (int round = 0; round < 20; round++) {
            List<Factor> factors = new ArrayList<>();
            for (int[] scope : new int[][] {{4, 0}, {1, 2, 3}, {3, 0}, {2, 4}}) {
                double[] table = new double[Arrays.stream(scope).map(space::cardinality).reduce(1, (a, b) -> a * b)];
                Arrays.setAll(table, i -> random.nextDouble() < 0.4 ? NO : random.nextGaussian());
                factors.add(new Factor(scope, table));
            }
            FactorTarget target = new FactorTarget(space, factors);
            double[] logJoint = target.logJoint(space.all(144));
            if (Arrays.stream(logJoint).noneMatch(l -> l > NO)) {
                continue;
            }
            zeros += (int) Arrays.stream(logJoint).filter(l -> l == NO).count();
            double[] p = LogSpace.normalise(logJoint);
            double[] share = new double[p.length];
            for (int[] code : Support.of(target).draw(20_000, Seed.of(round))) {
                int rank = 0;
                for (int d = 0; d < code.length; d++) {
                    rank = rank * space.cardinality(d) + code[d];
                }
                share[rank] += 1 / 20_000.0;
            }
            for (int i = 0; i < p.length; i++) {
                assertThat(p[i] == 0 && share[i] > 0).isFalse();
                // 5 standard errors: out of them once in 600 runs of these 20 rounds
                assertThat(share[i]).isCloseTo(p[i], within(5 * Math.sqrt(p[i] / 20_000) + 1e-4));
            }
        }
        assertThat(zeros).isPositive();
    }

    @Test
    void aSearchFindsTheFewPossibleCodesOfAChainOfFunctions() {
        // 5 possible codes of 5^30
        FactorTarget target = new FactorTarget(CodeSpace.uniform(30, 5), chain(30, 0, 0, 0, 0, 0));
        FoundCodes found = new Searches(target, Support.of(target), 10, 1, Effort.standard(), Seed.of(1)).codes();
        assertThat(found.atoms().elbo(found.logJoint())).isCloseTo(Math.log(5), within(1e-9));
    }
}
