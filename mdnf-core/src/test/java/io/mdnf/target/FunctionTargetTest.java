package io.mdnf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.space.CodeSpace;
import org.junit.jupiter.api.Test;

class FunctionTargetTest {

    private final FunctionTarget target = new FunctionTarget(
            CodeSpace.of(2, 3), x -> x[0] == 1 && x[1] == 1 ? Double.NEGATIVE_INFINITY : -10 * x[0] - x[1]);

    @Test
    void valuesAreTheFunctions() {
        assertThat(target.logJoint(new int[][] {{0, 2}, {1, 1}, {1, 2}}))
                .containsExactly(-2, Double.NEGATIVE_INFINITY, -12);
        assertThat(target.neighbours(new int[] {1, 2}))
                .isDeepEqualTo(new double[][] {{-2, -12}, {-10, Double.NEGATIVE_INFINITY, -12}});
    }

    @Test
    void aBlackBoxHasNoGraph() {
        assertThat(target.isDifferentiable()).isFalse();
        Graph graph = new Graph(Precision.DOUBLE);
        assertThatThrownBy(() -> target.logJoint(graph, graph.placeholder("x", 1, 2, 3)))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("FactorTarget");
    }

    @Test
    void whatIsNoLogProbabilityIsNamedWithItsCode() {
        FunctionTarget broken = new FunctionTarget(CodeSpace.of(2, 3), x -> x[1] == 2 ? Double.NaN : 0);
        assertThatThrownBy(() -> broken.logJoint(new int[][] {{0, 0}, {1, 2}}))
                .hasMessageContaining("NaN").hasMessageContaining("[1, 2]");
        assertThatThrownBy(() -> broken.logJoint(new int[][] {{2, 0}})).hasMessageContaining("code[0] = 2");
    }
}
