package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import java.util.stream.Stream;

class ModularArithmeticTest {

    /** Equal and mixed cardinalities, prime and composite, and the trivial variable with one category. */
    static Stream<CodeSpace> spaces() {
        return Stream.of(CodeSpace.uniform(3, 2), CodeSpace.uniform(2, 6), CodeSpace.of(2, 3, 4),
                CodeSpace.of(1, 5, 6, 2));
    }

    interface Twin {
        int apply(int left, int right, int k);
    }

    private static double[] evaluate(CodeSpace codes, BinaryOperator<Tensor> operation, double[] left, double[] right) {
        Graph graph = new Graph(Precision.FLOAT);
        long n = left.length / codes.oneHotLength();
        Tensor l = graph.placeholder("l", n, codes.variables(), codes.width());
        Tensor r = graph.placeholder("r", n, codes.variables(), codes.width());
        Tensor result = operation.apply(l, r).plus(0.0);
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, result)) {
            plan.write(l, left);
            plan.write(r, right);
            plan.run();
            return plan.read(result);
        }
    }

    /** All pairs of codes, checked against plain Java on indices, with tolerance 0. */
    private static void assertEqualsTwin(CodeSpace codes, BinaryOperator<Tensor> operation, Twin twin) {
        int[][] all = codes.all(100);
        int pairs = all.length * all.length;
        int[][] left = new int[pairs][];
        int[][] right = new int[pairs][];
        double[] expected = new double[pairs * codes.oneHotLength()];
        for (int i = 0; i < pairs; i++) {
            left[i] = all[i / all.length];
            right[i] = all[i % all.length];
            for (int d = 0; d < codes.variables(); d++) {
                int k = twin.apply(left[i][d], right[i][d], codes.cardinality(d));
                if (k >= 0) {
                    expected[(i * codes.variables() + d) * codes.width() + k] = 1;
                }
            }
        }
        assertThat(evaluate(codes, operation, codes.oneHot(left), codes.oneHot(right))).containsExactly(expected);
    }

    @ParameterizedTest
    @MethodSource("spaces")
    @Tag("slow")
    void operationsEqualIndexArithmeticExactly(CodeSpace codes) {
        ModularArithmetic arithmetic = new ModularArithmetic(codes);
        assertEqualsTwin(codes, arithmetic::add, (a, b, k) -> Math.floorMod(a + b, k));
        assertEqualsTwin(codes, arithmetic::subtract, (a, b, k) -> Math.floorMod(a - b, k));
        assertEqualsTwin(codes, arithmetic::multiply,
                (a, b, k) -> java.math.BigInteger.valueOf(b).gcd(java.math.BigInteger.valueOf(k)).intValue() == 1
                        ? a * b % k : -1);
        assertEqualsTwin(codes, (l, r) -> arithmetic.inverse(l), (a, b, k) -> {
            try {
                return k == 1 ? 0 : java.math.BigInteger.valueOf(a).modInverse(java.math.BigInteger.valueOf(k))
                        .intValue();
            } catch (ArithmeticException notAUnit) {
                return -1;
            }
        });
    }

    @ParameterizedTest
    @MethodSource("spaces")
    void gradientsEqualCentralDifferences(CodeSpace codes) {
        ModularArithmetic arithmetic = new ModularArithmetic(codes);
        long[] shape = {2, codes.variables(), codes.width()};
        GradientCheck.check(g -> {
            Tensor left = g.parameter(new Parameter("left", Initialiser.normal(1), shape));
            Tensor right = g.parameter(new Parameter("right", Initialiser.normal(1), shape));
            Tensor sum = arithmetic.add(left, right).plus(arithmetic.subtract(left, right));
            Tensor product = arithmetic.multiply(left, right).plus(arithmetic.inverse(left));
            return TensorTest.weigh(sum.times(product));
        });
    }

    @Test
    void zeroStaysZeroAndSoftVectorsMapLinearly() {
        CodeSpace codes = CodeSpace.of(3, 5);
        ModularArithmetic arithmetic = new ModularArithmetic(codes);
        double[] shift = codes.oneHot(new int[][] {{2, 3}});
        assertThat(evaluate(codes, arithmetic::add, new double[10], shift)).containsOnly(0);
        double[] soft = {0.5, 0.25, 0.25, 0, 0, 0.125, 0.5, 0.125, 0.125, 0.125};
        assertThat(evaluate(codes, arithmetic::add, soft, shift))
                .containsExactly(0.25, 0.25, 0.5, 0, 0, 0.125, 0.125, 0.125, 0.125, 0.5);
    }

    @Test
    void fiftyLayersStayExactlyOneHotInFloat() {
        CodeSpace codes = CodeSpace.uniform(17, 23);
        ModularArithmetic arithmetic = new ModularArithmetic(codes);
        Draws draws = new Draws(Seed.of(4));
        Graph graph = new Graph(Precision.FLOAT);
        Tensor u = graph.placeholder("u", 1, 17, 23);
        Tensor x = u;
        int[] expected = draws.uniform("start", 17, 23);
        int[] start = expected.clone();
        for (int layer = 0; layer < 50; layer++) {
            int[] shift = draws.uniform("shift" + layer, 17, 23);
            x = arithmetic.add(x, graph.constant(codes.oneHot(new int[][] {shift}), 1, 17, 23));
            for (int d = 0; d < 17; d++) {
                expected[d] = (expected[d] + shift[d]) % 23;
            }
        }
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, x)) {
            plan.write(u, codes.oneHot(new int[][] {start}));
            plan.run();
            assertThat(plan.read(x)).containsExactly(codes.oneHot(new int[][] {expected}));
        }
    }

    @ParameterizedTest
    @MethodSource("spaces")
    void shiftedTablesHoldTheProbabilityOfEverySum(CodeSpace codes) {
        int components = 2;
        int width = codes.width();
        double[] p = new Draws(Seed.of(8)).normal("p", components * codes.oneHotLength());
        double[] valid = codes.validity();
        for (int i = 0; i < p.length; i++) {
            p[i] = Math.abs(p[i]) * valid[i % valid.length];
        }
        double[] expected = new double[codes.variables() * width * components * width];
        for (int d = 0; d < codes.variables(); d++) {
            int k = codes.cardinality(d);
            for (int b = 0; b < components; b++) {
                for (int u = 0; u < k; u++) {
                    for (int j = 0; j < k; j++) {
                        int sum = (u + j) % k;
                        expected[((d * width + sum) * components + b) * width + j] =
                                p[(b * codes.variables() + d) * width + u];
                    }
                }
            }
        }
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor base = graph.placeholder("p", components, codes.variables(), width);
        Tensor tables = new ModularArithmetic(codes).shiftedTables(base).plus(0.0);
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, tables)) {
            plan.write(base, p);
            plan.run();
            // every entry is one probability times 1 plus zeros, so nothing is rounded
            assertThat(plan.read(tables)).containsExactly(expected);
        }
    }
}
