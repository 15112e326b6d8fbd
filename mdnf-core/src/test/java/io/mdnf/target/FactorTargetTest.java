package io.mdnf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FactorTargetTest {

    private static final double IMPOSSIBLE = Double.NEGATIVE_INFINITY;
    /** Sums of a few dozen numbers of size 10 in double. */
    private static final double ROUNDING = 1e-11;
    private static final int MOST_CODES = 2000;

    private record Case(CodeSpace space, List<Factor> factors) {
        static Case random(Random random, double zeros) {
            CodeSpace space = RandomFactors.codes(random, 1 + random.nextInt(5));
            return new Case(space, RandomFactors.factors(random, space, random.nextInt(9), 4, zeros));
        }

        FactorTarget target() {
            return new FactorTarget(space, factors);
        }

        double exact(int[] code) {
            return RandomFactors.sum(space, factors, code, IMPOSSIBLE);
        }

        double penalised(int[] code) {
            return RandomFactors.sum(space, factors, code, TargetModel.PENALTY);
        }

        int[][] all() {
            return space.all(MOST_CODES);
        }
    }

    private static void assertSame(double actual, double expected, String what) {
        if (expected == IMPOSSIBLE) {
            assertThat(actual).as(what).isEqualTo(IMPOSSIBLE);
        } else {
            assertThat(actual).as(what).isCloseTo(expected, within(ROUNDING));
        }
    }

    private static int[] with(int[] code, int d, int k) {
        int[] changed = code.clone();
        changed[d] = k;
        return changed;
    }

    @Test
    void logJointIsTheSumOfTheFactors() {
        Random random = new Random(1);
        for (int trial = 0; trial < 200; trial++) {
            Case c = Case.random(random, 0.1);
            double[] values = c.target().logJoint(c.all());
            for (int i = 0; i < values.length; i++) {
                assertSame(values[i], c.exact(c.space.code(i)), "trial " + trial + " code " + i);
            }
        }
    }

    @Test
    void neighboursAreTheLogJointsOneVariableAway() {
        Random random = new Random(2);
        int impossible = 0;
        for (int trial = 0; trial < 300; trial++) {
            Case c = Case.random(random, 0.1);
            int[] code = RandomFactors.code(random, c.space);
            double[][] neighbours = c.target().neighbours(code);
            assertThat(neighbours).hasNumberOfRows(code.length);
            for (int d = 0; d < code.length; d++) {
                assertThat(neighbours[d]).hasSize(c.space.cardinality(d));
                for (int k = 0; k < neighbours[d].length; k++) {
                    double expected = c.exact(with(code, d, k));
                    assertSame(neighbours[d][k], expected, "trial " + trial + " x_" + d + " = " + k);
                    impossible += expected == IMPOSSIBLE ? 1 : 0;
                }
                // equal to the last bit, so that a search never prefers a code to itself
                assertThat(neighbours[d][code[d]]).isEqualTo(c.target().logJoint(new int[][] {code})[0]);
            }
        }
        assertThat(impossible).as("cases that meet an impossible code").isGreaterThan(50);
    }

    /** Rows of random distributions, about a third of whose entries are exactly 0. */
    private static double[][] distribution(Random random, CodeSpace space) {
        double[][] q = new double[space.variables()][];
        for (int d = 0; d < q.length; d++) {
            q[d] = new double[space.cardinality(d)];
            int sure = random.nextInt(q[d].length);
            for (int k = 0; k < q[d].length; k++) {
                q[d][k] = k != sure && random.nextInt(3) == 0 ? 0 : random.nextDouble();
            }
            double total = Arrays.stream(q[d]).sum();
            q[d] = Arrays.stream(q[d]).map(v -> v / total).toArray();
        }
        return q;
    }

    /** By enumeration. */
    private static double expectation(CodeSpace space, List<Factor> factors, double[][] q) {
        double sum = 0;
        for (int[] code : space.all(MOST_CODES)) {
            double mass = 1;
            for (int d = 0; d < code.length; d++) {
                mass *= q[d][code[d]];
            }
            if (mass > 0) {
                sum += mass * RandomFactors.sum(space, factors, code, IMPOSSIBLE);
            }
        }
        return sum;
    }

    @Test
    void expectationIsExactAndInfiniteOnlyWhereMassMeetsImpossibility() {
        Random random = new Random(3);
        int infinite = 0;
        for (int trial = 0; trial < 300; trial++) {
            Case c = Case.random(random, 0.05);
            double[][] q = distribution(random, c.space);
            double expected = expectation(c.space, c.factors, q);
            assertSame(c.target().expectedLogJoint(q), expected, "trial " + trial);
            infinite += expected == IMPOSSIBLE ? 1 : 0;
        }
        assertThat(infinite).as("infinite ones among 300").isBetween(30, 270);
    }

    @Test
    void conditionalExpectationIsThatOfTheFactorsWithTheVariable() {
        Random random = new Random(4);
        int infinite = 0;
        for (int trial = 0; trial < 200; trial++) {
            Case c = Case.random(random, 0.05);
            double[][] q = distribution(random, c.space);
            for (int d = 0; d < q.length; d++) {
                int variable = d;
                List<Factor> concerned = c.factors.stream()
                        .filter(f -> IntStream.of(f.variables()).anyMatch(v -> v == variable)).toList();
                double[][] fixed = q.clone();
                fixed[d] = null; // must not be looked at
                double[] conditional = c.target().conditionalLogJoint(fixed, d);
                assertThat(conditional).hasSize(c.space.cardinality(d));
                for (int k = 0; k < conditional.length; k++) {
                    fixed[d] = new double[conditional.length];
                    fixed[d][k] = 1;
                    double expected = expectation(c.space, concerned, fixed);
                    assertSame(conditional[k], expected, "trial " + trial + " x_" + d + " = " + k);
                    infinite += expected == IMPOSSIBLE ? 1 : 0;
                }
            }
        }
        assertThat(infinite).as("infinite ones").isGreaterThan(100);
    }

    /** 1e-200 * 1e-200 is 0 in double, but mass all the same. */
    @Test
    void tinyMassOnAnImpossibleCodeIsStillMass() {
        FactorTarget target = new FactorTarget(CodeSpace.uniform(2, 2),
                List.of(new Factor(new int[] {0, 1}, new double[] {0, 0, 0, IMPOSSIBLE})));
        assertThat(target.expectedLogJoint(new double[][] {{1, 1e-200}, {1, 1e-200}})).isEqualTo(IMPOSSIBLE);
        assertThat(target.expectedLogJoint(new double[][] {{1, 1e-200}, {1, 0}})).isZero();
    }

    private static double[] graphValues(TargetModel target, Precision precision, int[][] batch) {
        Graph graph = new Graph(precision);
        Tensor x = graph.placeholder("x", batch.length, target.space().variables(), target.space().width());
        Tensor y = target.logJoint(graph, x);
        assertThat(y.shape()).containsExactly(batch.length);
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, y)) {
            plan.write(x, target.space().oneHot(batch));
            plan.run();
            return plan.read(y);
        }
    }

    @Test
    void graphIsExactOnAllCodesWithThePenaltyWhereImpossible() {
        Random random = new Random(5);
        for (int trial = 0; trial < 40; trial++) {
            Case c = Case.random(random, 0.1);
            int[][] all = c.all();
            double[] values = graphValues(c.target(), Precision.DOUBLE, all);
            for (int i = 0; i < all.length; i++) {
                assertThat(values[i]).as("trial %d code %s", trial, Arrays.toString(all[i]))
                        .isCloseTo(c.penalised(all[i]), within(ROUNDING));
            }
        }
    }

    /** Factors of 2 to 9 variables need 1, 2, 4 and 8 slots, most of them filled up with ones. */
    @Test
    void largeFactorsOfManySizesAreExactTogether() {
        Random random = new Random(6);
        CodeSpace space = CodeSpace.of(2, 3, 2, 1, 2, 2, 3, 2, 2);
        List<Factor> factors = new ArrayList<>();
        for (int arity = 0; arity <= 9; arity++) {
            factors.add(RandomFactors.factor(random, space, arity, 0.1));
            factors.add(RandomFactors.factor(random, space, arity, 0));
        }
        Case c = new Case(space, factors);
        int[][] all = c.all();
        double[] values = graphValues(c.target(), Precision.DOUBLE, all);
        double[] single = graphValues(c.target(), Precision.FLOAT, all);
        for (int i = 0; i < all.length; i++) {
            assertThat(values[i]).isCloseTo(c.penalised(all[i]), within(ROUNDING));
            // 20 terms of size up to 60, each with a relative error of 6e-8
            assertThat(single[i]).isCloseTo(c.penalised(all[i]), within(1e-4));
        }
    }

    /** Around codes the linearised form is log(contracted tables): at a code the gradient is a sum of ratios. */
    @Test
    @Tag("slow")
    void linearisedGradientIsTheSumOfRatiosOfFactors() {
        Random random = new Random(17);
        for (int trial = 0; trial < 25; trial++) {
            Case c = Case.random(random, 0);
            int[][] batch = {RandomFactors.code(random, c.space), RandomFactors.code(random, c.space)};
            Graph graph = new Graph(Precision.DOUBLE);
            Tensor x = graph.parameter(
                    new Parameter("x", Initialiser.constant(0), 2, c.space.variables(), c.space.width()));
            Tensor y = c.target().linearised(graph, x);
            try (ExecutionPlan plan = ExecutionPlan.compile(graph, y.sum(), y)) {
                plan.load(c.space.oneHot(batch));
                plan.run();
                assertThat(plan.read(y)).containsExactly(c.target().logJoint(batch), within(1e-9));
                double[] gradients = plan.gradients();
                for (int i = 0; i < batch.length; i++) {
                    for (int d = 0; d < c.space.variables(); d++) {
                        for (int k = 0; k < c.space.cardinality(d); k++) {
                            double ratios = 0;
                            for (Factor factor : c.factors) {
                                int variable = d;
                                if (IntStream.of(factor.variables()).anyMatch(v -> v == variable)) {
                                    List<Factor> one = List.of(factor);
                                    ratios += Math.exp(
                                            RandomFactors.sum(c.space, one, with(batch[i], d, k), IMPOSSIBLE)
                                            - RandomFactors.sum(c.space, one, batch[i], IMPOSSIBLE));
                                }
                            }
                            double gradient = gradients[(i * c.space.variables() + d) * c.space.width() + k];
                            assertThat(gradient).isCloseTo(ratios, within(1e-6 * (1 + ratios)));
                        }
                    }
                }
            }
        }
    }

    @Test
    void gradientAtACodeIsTheLogJointOneVariableAwayUpToAConstant() {
        Random random = new Random(7);
        for (int trial = 0; trial < 25; trial++) {
            Case c = Case.random(random, 0.1);
            int[][] batch = {RandomFactors.code(random, c.space), RandomFactors.code(random, c.space)};
            Graph graph = new Graph(Precision.DOUBLE);
            Tensor x = graph.parameter(
                    new Parameter("x", Initialiser.constant(0), 2, c.space.variables(), c.space.width()));
            try (ExecutionPlan plan = ExecutionPlan.compile(graph, c.target().logJoint(graph, x).sum())) {
                plan.load(c.space.oneHot(batch));
                plan.run();
                double[] gradient = plan.gradients();
                for (int i = 0; i < 2; i++) {
                    for (int d = 0; d < c.space.variables(); d++) {
                        int row = (i * c.space.variables() + d) * c.space.width();
                        for (int k = 0; k < c.space.cardinality(d); k++) {
                            double gain = c.penalised(with(batch[i], d, k)) - c.penalised(batch[i]);
                            assertThat(gradient[row + k] - gradient[row + batch[i][d]])
                                    .as("trial %d x_%d = %d", trial, d, k).isCloseTo(gain, within(ROUNDING));
                        }
                    }
                }
            }
        }
    }

    @Test
    void gradientEqualsCentralDifferencesAtSoftCodes() {
        Random random = new Random(8);
        for (int trial = 0; trial < 12; trial++) {
            Case c = Case.random(random, 0);
            int n = 1 + trial % 3;
            double[] weights = random.doubles(n, -1, 1).toArray();
            GradientCheck.check(graph -> {
                Tensor x = graph.parameter(
                        new Parameter("x", Initialiser.normal(0.7), n, c.space.variables(), c.space.width()));
                return c.target().logJoint(graph, x).times(graph.constant(weights, n)).sum();
            });
        }
    }

    @Test
    void operationsDoNotGrowWithTheNumberOfFactors() {
        Random random = new Random(9);
        CodeSpace space = CodeSpace.uniform(12, 2);
        List<Factor> one =
                IntStream.rangeClosed(0, 5).mapToObj(arity -> RandomFactors.factor(random, space, arity, 0)).toList();
        List<Factor> many = new ArrayList<>(one);
        for (int i = 0; i < 100; i++) {
            many.add(RandomFactors.factor(random, space, i % 6, 0));
        }
        assertThat(operations(space, many)).isEqualTo(operations(space, one)).isLessThan(60);
    }

    private static int operations(CodeSpace space, List<Factor> factors) {
        Graph graph = new Graph(Precision.DOUBLE);
        new FactorTarget(space, factors).logJoint(graph, graph.placeholder("x", 3, space.variables(), space.width()));
        return graph.operationCount();
    }

    @Test
    void wrongArgumentsAreNamed() {
        CodeSpace space = CodeSpace.of(2, 3);
        assertThatThrownBy(() -> new Factor(new int[] {1, 1}, new double[9]))
                .hasMessageContaining("variables = [1, 1]");
        assertThatThrownBy(() -> new Factor(new int[] {-1}, new double[2])).hasMessageContaining("variables = [-1]");
        assertThatThrownBy(() -> new Factor(new int[] {0}, new double[] {0, Double.NaN}))
                .hasMessageContaining("logTable[1] = NaN");
        assertThatThrownBy(() -> new FactorTarget(space, List.of(new Factor(new int[] {2}, new double[2]))))
                .hasMessageContaining("variable 2").hasMessageContaining("0 .. 1");
        assertThatThrownBy(() -> new FactorTarget(space, List.of(new Factor(new int[] {0, 1}, new double[5]))))
                .hasMessageContaining("5 values, expected 6");
        FactorTarget target = new FactorTarget(space, List.of());
        assertThatThrownBy(() -> target.logJoint(new int[][] {{0, 3}})).hasMessageContaining("code[1] = 3");
        assertThatThrownBy(() -> target.expectedLogJoint(new double[][] {{1, 0}, {1, 0}}))
                .hasMessageContaining("q[1] has 2 entries");
        Graph graph = new Graph(Precision.DOUBLE);
        assertThatThrownBy(() -> target.logJoint(graph, graph.placeholder("x", 4, 2, 2)))
                .hasMessageContaining("[n, 2, 3]");
    }

    @Test
    void factorsAreValues() {
        int[] variables = {0};
        double[] table = {-1, -2};
        Factor factor = new Factor(variables, table);
        variables[0] = 1;
        table[0] = 7;
        factor.logTable()[1] = 7;
        assertThat(factor).isEqualTo(new Factor(new int[] {0}, new double[] {-1, -2}))
                .hasSameHashCodeAs(new Factor(new int[] {0}, new double[] {-1, -2}))
                .isNotEqualTo(new Factor(new int[] {0}, new double[] {-1, -3}));
    }
}
