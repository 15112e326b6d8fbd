package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StraightThroughTest {

    private static final CodeSpace CODES = CodeSpace.of(2, 4, 3);

    @ParameterizedTest
    @CsvSource({"FIRST_ORDER, 0.1", "FIRST_ORDER, 1", "FIRST_ORDER, 100", "SECOND_ORDER, 0.1", "SECOND_ORDER, 1",
        "SECOND_ORDER, 100"})
    void valueIsExactlyOneHotAtEveryTemperature(Surrogate kind, double temperature) {
        Graph graph = new Graph(Precision.FLOAT);
        Tensor logits = graph.placeholder("logits", 50, 3, 4);
        Tensor inverse = graph.placeholder("inverse", 1, 1);
        Tensor code = kind.oneHot(logits, CODES, inverse);
        double[] values = new Draws(Seed.of(2)).normal("logits", 600);
        int[][] expected = CODES.indices(values);
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, code)) {
            plan.write(logits, values);
            plan.write(inverse, 1 / temperature);
            plan.run();
            assertThat(plan.read(code)).containsExactly(CODES.oneHot(expected));
        }
    }

    /** The gradient is that of the surrogate with everything stopped held fixed, computed here in plain Java. */
    @ParameterizedTest
    @EnumSource(Surrogate.class)
    void gradientEqualsThatOfTheSurrogate(Surrogate kind) {
        double temperature = 0.7;
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor logits = graph.parameter(new Parameter("logits", Initialiser.normal(1), 3, 4));
        Tensor inverse = graph.placeholder("inverse", 1, 1);
        double[] weights = new Draws(Seed.of(9)).normal("weights", 12);
        Tensor loss = kind.oneHot(logits, CODES, inverse).times(graph.constant(weights, 3, 4)).sum();
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
            double[] start = graph.layout().initial(Seed.of(1));
            plan.load(start);
            plan.write(inverse, 1 / temperature);
            plan.run();
            double[] gradient = plan.gradients();
            double h = 1e-6;
            for (int i = 0; i < 12; i++) {
                double[] up = start.clone();
                double[] down = start.clone();
                up[i] += h;
                down[i] -= h;
                double expected = (surrogate(kind, start, up, weights, temperature)
                        - surrogate(kind, start, down, weights, temperature)) / (2 * h);
                assertThat(gradient[i]).as("logit %d", i).isCloseTo(expected, Offset.offset(1e-8));
            }
        }
    }

    /** sum of weights times the surrogate at logits {@code at}, its constants taken at {@code fixed}. */
    private static double surrogate(Surrogate kind, double[] fixed, double[] at, double[] weights, double tau) {
        double total = 0;
        for (int d = 0; d < 3; d++) {
            int k = CODES.cardinality(d);
            double[] s = new double[k];
            double[] s0 = new double[k];
            int best = 0;
            for (int j = 0; j < k; j++) {
                s[j] = at[d * 4 + j] / tau;
                s0[j] = fixed[d * 4 + j] / tau;
                best = s0[j] > s0[best] ? j : best;
            }
            double[] p = softmax(s);
            double[] p0 = softmax(s0);
            double[] shifted = new double[k];
            for (int j = 0; j < k; j++) {
                double middle = ((j == best ? 1 : 0) + p0[j]) / 2;
                shifted[j] = s[j] + Math.log(middle) - s0[j];
            }
            double[] second = softmax(shifted);
            for (int j = 0; j < k; j++) {
                double value = kind == Surrogate.FIRST_ORDER ? p[j] : 2 * second[j] - p[j] / 2;
                total += weights[d * 4 + j] * value;
            }
        }
        return total;
    }

    private static double[] softmax(double[] s) {
        double[] e = new double[s.length];
        double sum = 0;
        for (int j = 0; j < s.length; j++) {
            e[j] = Math.exp(s[j]);
            sum += e[j];
        }
        for (int j = 0; j < s.length; j++) {
            e[j] /= sum;
        }
        return e;
    }

    /**
     * E_q[f] of a function quadratic in one variable of four categories, in which one category is never drawn: the mean
     * of the second-order gradient over all draws moves q as the exact gradient does.
     */
    @Test
    void secondOrderGradientOfADrawIsExactForQuadraticFunctions() {
        double[] q = {0.2, 0.5, 0.3};
        double[] quadratic = new Draws(Seed.of(4)).normal("quadratic", 9);
        double[] linear = new Draws(Seed.of(5)).normal("linear", 3);
        double[] mean = new double[3];
        double[] values = new double[3];
        for (int k = 0; k < 3; k++) {
            values[k] = quadratic[k * 4] + linear[k];
        }
        for (int drawn = 0; drawn < 3; drawn++) {
            double[] gradient = gradientOfDraw(q, drawn, quadratic, linear);
            for (int k = 0; k < 3; k++) {
                mean[k] += q[drawn] * gradient[k];
            }
        }
        // the directions in which a softmax can move: q_k (g_k - sum_j q_j g_j)
        double exactMean = 0;
        double ourMean = 0;
        for (int k = 0; k < 3; k++) {
            exactMean += q[k] * values[k];
            ourMean += q[k] * mean[k];
        }
        for (int k = 0; k < 3; k++) {
            assertThat(q[k] * (mean[k] - ourMean)).isCloseTo(q[k] * (values[k] - exactMean), Offset.offset(1e-12));
        }
    }

    @Test
    void aCategoryThatIsNeverDrawnIsGuessedToFirstOrder() {
        double[] linear = {1, 2, -5};
        double[] gradient = new double[3];
        for (int drawn = 0; drawn < 2; drawn++) {
            double[] one = gradientOfDraw(new double[] {0.5, 0.5, 0}, drawn, new double[9], linear);
            for (int k = 0; k < 3; k++) {
                gradient[k] += one[k] / 2;
            }
        }
        // of a linear function every difference between categories is known exactly, drawn or not
        assertThat(gradient[1] - gradient[0]).isCloseTo(1, Offset.offset(1e-12));
        assertThat(gradient[2] - gradient[0]).isCloseTo(-6, Offset.offset(1e-12));
    }

    /** The gradient by q of f(z) = z A z + b z at the drawn z. */
    private static double[] gradientOfDraw(double[] q, int drawn, double[] quadratic, double[] linear) {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor table = graph.parameter(new Parameter("q", Initialiser.of(q), 1, 3));
        double[] oneHot = new double[3];
        oneHot[drawn] = 1;
        Tensor z = StraightThrough.carrySecondOrder(graph.constant(oneHot, 1, 3), table);
        Tensor f = z.matmul(graph.constant(quadratic, 3, 3)).plus(graph.constant(linear, 1, 3)).times(z).sum();
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, f, z)) {
            plan.load(q);
            plan.run();
            assertThat(plan.read(z)).containsExactly(oneHot);
            return plan.gradients();
        }
    }
}
