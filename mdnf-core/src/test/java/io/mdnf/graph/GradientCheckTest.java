package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The check that all gradients rest on sees what it is for. */
class GradientCheckTest {

    private static final int SIZE = 300;

    /** sum_i value_i x_i^2 with the gradient of sum_i surrogate_i x_i^2. */
    private static Tensor loss(Graph graph, double[] value, double[] surrogate) {
        Tensor x = graph.parameter(new Parameter("x", Initialiser.normal(1), SIZE));
        Tensor squares = x.times(x);
        return StraightThrough.carryGradient(squares.stopGradient().times(graph.constant(value, SIZE)).sum(),
                squares.times(graph.constant(surrogate, SIZE)).sum());
    }

    private static double[] weights() {
        double[] weights = new double[SIZE];
        Arrays.setAll(weights, i -> 1 + i % 7);
        return weights;
    }

    @Test
    void aRightGradientPassesAndOneWrongEntryAmongHundredsDoesNot() {
        GradientCheck.check(graph -> loss(graph, weights(), weights()));
        double[] wrong = weights();
        wrong[137] *= 1.001;
        assertThatThrownBy(() -> GradientCheck.check(graph -> loss(graph, weights(), wrong)))
                .isInstanceOf(AssertionError.class).hasMessageContaining("gradient 137");
    }

    /**
     * The gradient of x_0 given to x_i: equal and opposite errors, which directions of 1 and -1 missed at two of these.
     */
    @Test
    void errorsThatCancelInASumAreSeen() {
        for (int i : new int[] {1, 2, 106, 277}) {
            double[] value = new double[SIZE];
            double[] swapped = new double[SIZE];
            value[0] = 1;
            swapped[i] = 1;
            assertThatThrownBy(() -> GradientCheck.check(graph -> {
                Tensor x = graph.parameter(new Parameter("x", Initialiser.normal(1), SIZE));
                Tensor right = x.times(graph.constant(value, SIZE)).sum();
                return StraightThrough.carryGradient(right, x.times(graph.constant(swapped, SIZE)).sum()
                        .minus(x.times(graph.constant(value, SIZE)).sum()));
            })).as("the gradient of entry 0 given to entry %d", i).isInstanceOf(AssertionError.class);
        }
    }
}
