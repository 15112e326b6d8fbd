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

    @Test
    void justThePossibleCodesAreDrawnAndTheirProbabilitiesAddToOne() {
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
            Support possible = Support.of(target);
            double sum = 0;
            for (int i = 0; i < logJoint.length; i++) {
                double logProb = possible.logProb(space.code(i));
                assertThat(logProb > NO).isEqualTo(logJoint[i] > NO);
                zeros += logJoint[i] == NO ? 1 : 0;
                sum += Math.exp(logProb);
            }
            assertThat(sum).isCloseTo(1, within(1e-12));
            assertThat(target.logJoint(possible.draw(100, Seed.of(round).generator()))).doesNotContain(NO);
        }
        assertThat(zeros).isPositive();
    }

    /** The last of eleven variables is decided by 1,024 configurations, too many to keep; the others by one or two. */
    @Test
    void keptDistributionsAreThoseOfTheLogits() {
        CodeSpace space = CodeSpace.uniform(11, 2);
        double[] table = new Random(4).doubles(2048).map(Math::log).toArray();
        Support support = Support.of(new FactorTarget(space, List.of(new Factor(new int[] {0, 1}, new double[4]),
                new Factor(IntStream.range(0, 11).toArray(), table))));
        for (int[] code : support.draw(50, Seed.of(1).generator())) {
            double expected = 0;
            for (int d : support.order()) {
                double[] logits = new double[2];
                support.logits().add(code, d, logits);
                expected += Math.log(LogSpace.normalise(logits)[code[d]]);
            }
            assertThat(support.logProb(code)).isEqualTo(expected);
        }
    }

    @Test
    void aSearchFindsTheFewPossibleCodesOfAChainOfFunctions() {
        // 5 possible codes of 5^30
        FactorTarget target = new FactorTarget(CodeSpace.uniform(30, 5), chain(30, 0, 0, 0, 0, 0));
        FoundCodes found = new Findings(target, Support.of(target), 10, 1, Effort.standard(), Seed.of(1)).codes();
        assertThat(found.atoms().elbo(found.logJoint())).isCloseTo(Math.log(5), within(1e-9));
    }

    @Test
    void jumpsLeadFromOneIslandToTheOthersInTheRightProportion() {
        // the first variable says 1 : 2, the last, which 45 steps of 1 turn around, 3 : 1 the other way: 1 : 6 together
        List<Factor> factors = chain(10, 0, Math.log(2));
        factors.add(new Factor(new int[] {9}, new double[] {Math.log(3), 0}));
        FactorTarget target = new FactorTarget(CodeSpace.uniform(10, 2), factors);
        Support offers = Support.of(target);
        int[][] start = new int[4000][];
        Arrays.fill(start, offers.draw(1, Seed.of(2).generator())[0]);
        Chains chains = new Chains(target, start, Seed.of(3).generator());
        for (int i = 0; i < 40; i++) {
            chains.jump(offers);
        }
        double share = Arrays.stream(chains.codes()).filter(code -> code[0] == 1).count() / 4000.0;
        // 4 standard errors of a share of 6/7: a false alarm once in 16,000 seeds
        assertThat(share).isCloseTo(6.0 / 7, within(4 * Math.sqrt(6.0 / 49 / 4000)));
    }
}
