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
import java.util.Random;
import org.junit.jupiter.api.Test;

class TableTargetTest {

    private static final CodeSpace[] SPACES =
            {CodeSpace.of(1), CodeSpace.of(4), CodeSpace.of(2, 3), CodeSpace.of(3, 1, 2, 4), CodeSpace.uniform(7, 2)};

    private static double[] table(Random random, CodeSpace space) {
        double[] table = random.doubles((long) space.size(), -9, 0).toArray();
        if (table.length > 1) {
            table[random.nextInt(table.length)] = Double.NEGATIVE_INFINITY;
        }
        return table;
    }

    @Test
    void everyCodeHasItsEntryExactlyAndInAGraph() {
        Random random = new Random(1);
        for (CodeSpace space : SPACES) {
            double[] table = table(random, space);
            FactorTarget target = FactorTarget.table(space, table);
            int[][] all = space.all(200);
            assertThat(target.logJoint(all)).isEqualTo(table);
            Graph graph = new Graph(Precision.DOUBLE);
            Tensor x = graph.placeholder("x", all.length, space.variables(), space.width());
            Tensor y = target.logJoint(graph, x);
            try (ExecutionPlan plan = ExecutionPlan.forward(graph, y)) {
                plan.write(x, space.oneHot(all));
                plan.run();
                for (int i = 0; i < table.length; i++) {
                    assertThat(plan.read(y)[i]).isCloseTo(Math.max(table[i], TargetModel.PENALTY), within(1e-13));
                }
            }
        }
    }

    @Test
    void gradientEqualsCentralDifferences() {
        Random random = new Random(2);
        for (CodeSpace space : SPACES) {
            FactorTarget target = FactorTarget.table(space, table(random, space));
            GradientCheck.check(graph -> target.logJoint(graph, graph.parameter(
                    new Parameter("x", Initialiser.normal(0.7), 2, space.variables(), space.width()))).sum());
        }
    }

    @Test
    void neighboursAreEntriesOfTheTable() {
        FactorTarget target = FactorTarget.table(CodeSpace.of(2, 3), new double[] {0, 1, 2, 3, 4, 5});
        assertThat(target.neighbours(new int[] {1, 0})).isDeepEqualTo(new double[][] {{0, 3}, {3, 4, 5}});
    }

    @Test
    void wrongTablesAreRefused() {
        assertThatThrownBy(() -> FactorTarget.table(CodeSpace.of(2, 3), new double[5])).hasMessageContaining("5 values")
                .hasMessageContaining("expected 6");
        assertThatThrownBy(() -> FactorTarget.table(CodeSpace.of(2), new double[] {0, Double.POSITIVE_INFINITY}))
                .hasMessageContaining("logTable[1] = Infinity");
    }
}
