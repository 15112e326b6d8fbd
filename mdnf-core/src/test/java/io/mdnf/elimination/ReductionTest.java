package io.mdnf.elimination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is left of factors with zeros, against the enumeration of all codes. */
class ReductionTest {

    private static final double ROUNDING = 1e-9;
    private static final double ZERO = Double.NEGATIVE_INFINITY;

    /** Sparse random factors, and among them some that let a variable follow another or that are products. */
    private static RandomFactors drawn(Random random) {
        RandomFactors plain = RandomFactors.draw(random, 7, 0.2 + 0.5 * random.nextDouble());
        CodeSpace space = plain.space();
        List<Factor> factors = new ArrayList<>(plain.factors());
        for (int i = random.nextInt(3); i > 0; i--) {
            int a = random.nextInt(space.variables());
            int b = random.nextInt(space.variables());
            int k = space.cardinality(a);
            if (a != b && k == space.cardinality(b)) {
                int shift = random.nextInt(k);
                double[] table = new double[k * k];
                Arrays.setAll(table, e -> (e / k + shift) % k == e % k ? random.nextGaussian() : ZERO);
                factors.add(new Factor(new int[] {a, b}, table));
            }
        }
        for (int i = random.nextInt(3); i > 0 && space.variables() > 2; i--) {
            int[] scope = random.ints(0, space.variables()).distinct().limit(3).toArray();
            double[][] parts = {random.doubles(9).toArray(), random.doubles(9).toArray()};
            parts[0][random.nextInt(9)] = ZERO;
            int second = space.cardinality(scope[1]);
            int third = space.cardinality(scope[2]);
            double[] table = new double[space.cardinality(scope[0]) * second * third];
            Arrays.setAll(table, e -> parts[0][e / third % second * 3 + e % third]
                    + parts[1][e / (second * third) * 3 + e % third]);
            factors.add(new Factor(scope, table));
        }
        return new RandomFactors(space, factors);
    }

    private static double logJoint(Reduction reduction, int[] code) {
        return new FactorTarget(reduction.space(), reduction.factors()).logJoint(new int[][] {code})[0];
    }

    @Test
    void whatIsLeftHasTheSameSumAndMarginalsAsAllCodes() {
        Random random = new Random(1);
        int smaller = 0;
        int impossible = 0;
        for (int i = 0; i < 1000; i++) {
            RandomFactors all = drawn(random);
            Reduction reduction = Reduction.of(all.space(), all.factors());
            BucketTree tree = reduction.eliminate(Long.MAX_VALUE, "test", false);
            double logSum = all.logSum();
            if (logSum == ZERO) {
                impossible++;
                assertThat(tree.value()).isEqualTo(ZERO);
                continue;
            }
            assertThat(tree.value()).isCloseTo(logSum, within(ROUNDING));
            double[][] marginals = reduction.codes().spread(tree.marginals(), 1);
            double[] p = LogSpace.normalise(all.logJoint());
            for (int d = 0; d < marginals.length; d++) {
                double[] expected = new double[all.space().cardinality(d)];
                for (int c = 0; c < p.length; c++) {
                    expected[all.space().code(c)[d]] += p[c];
                }
                assertThat(marginals[d]).containsExactly(expected, within(ROUNDING));
            }
            smaller += reduction.codes().isIdentity() ? 0 : 1;
        }
        // neither side is a corner case
        assertThat(smaller).isBetween(300, 950);
        assertThat(impossible).isBetween(10, 500);
    }

    @Test
    void everyPossibleCodeIsDescribedByOneThatIsLeft() {
        Random random = new Random(2);
        for (int i = 0; i < 500; i++) {
            RandomFactors all = drawn(random);
            Reduction reduction = Reduction.of(all.space(), all.factors());
            double[] logJoint = all.logJoint();
            for (int c = 0; c < logJoint.length; c++) {
                int[] code = all.space().code(c);
                Optional<int[]> reduced = reduction.codes().reduce(code);
                double left = reduced.map(r -> logJoint(reduction, r)).orElse(ZERO);
                if (logJoint[c] == ZERO) {
                    assertThat(left).isEqualTo(ZERO);
                } else {
                    assertThat(left).isCloseTo(logJoint[c], within(ROUNDING));
                }
                reduced.ifPresent(r -> assertThat(reduction.codes().expand(r)).isEqualTo(code));
            }
        }
    }

    @Test
    void aChainOfCopiesIsOneVariable() {
        List<Factor> factors = new ArrayList<>();
        for (int d = 0; d + 1 < 50; d++) {
            factors.add(new Factor(new int[] {d, d + 1}, new double[] {ZERO, 0.1, ZERO, ZERO, ZERO, 0.2, 0.3, ZERO,
                ZERO}));
        }
        Reduction reduction = Reduction.of(CodeSpace.uniform(50, 3), factors);
        assertThat(reduction.space()).hasToString(CodeSpace.of(3).toString());
    }

    @Test
    void aDisjunctionThatIsFalseLinksNothing() {
        double[] table = new double[1 << 12];
        // the more causes are present, the less likely it is that none has an effect
        Arrays.setAll(table, e -> Integer.bitCount(e) * Math.log(0.3));
        int[] causes = IntStream.range(0, 12).toArray();
        Reduction reduction = Reduction.of(CodeSpace.uniform(12, 2), List.of(new Factor(causes, table)));
        assertThat(reduction.plan().width()).isZero();
        assertThat(reduction.plan().largestTable()).isEqualTo(2);
    }

    @Test
    void evidenceThatDecidesAllLeavesNothingToEliminate() {
        Reduction reduction = Reduction.of(CodeSpace.of(2, 3, 2), List.of(
                new Factor(new int[] {0}, new double[] {ZERO, -1}),
                new Factor(new int[] {0, 1}, new double[] {0, 0, 0, ZERO, -2, ZERO}),
                new Factor(new int[] {1, 2}, new double[] {0, 0, ZERO, -4, 0, 0})));
        assertThat(reduction.space()).hasToString(CodeSpace.of(1).toString());
        assertThat(reduction.eliminate(Long.MAX_VALUE, "test", false).value()).isCloseTo(-7, within(ROUNDING));
        assertThat(reduction.codes().expand(new int[] {0})).containsExactly(1, 1, 1);
        assertThat(reduction.codes().reduce(new int[] {1, 1, 0})).isEmpty();
    }
}
