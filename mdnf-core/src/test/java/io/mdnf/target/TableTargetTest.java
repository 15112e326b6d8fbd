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
import io.mdnf.space.Codes;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TableTargetTest {

    private static final Codes[] SPACES =
            {Codes.of(1), Codes.of(4), Codes.of(2, 3), Codes.of(3, 1, 2, 4), Codes.uniform(7, 2)};

    private static double[] table(Random random, Codes codes) {
        double[] table = random.doubles((long) codes.size(), -9, 0).toArray();
        if (table.length > 1) {
            table[random.nextInt(table.length)] = Double.NEGATIVE_INFINITY;
        }
        return table;
    }

    @Test
    void everyCodeHasItsEntryExactlyAndInAGraph() {
        Random random = new Random(1);
        for (Codes codes : SPACES) {
            double[] table = table(random, codes);
            TableTarget target = new TableTarget(codes, table);
            int[][] all = codes.all(200);
            assertThat(target.logJoint(all)).isEqualTo(table);
            Graph graph = new Graph(Precision.DOUBLE);
            Tensor x = graph.placeholder("x", all.length, codes.variables(), codes.width());
            Tensor y = target.logJoint(graph, x);
            try (ExecutionPlan plan = ExecutionPlan.forward(graph, y)) {
                plan.write(x, codes.oneHot(all));
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
        for (Codes codes : SPACES) {
            TableTarget target = new TableTarget(codes, table(random, codes));
            GradientCheck.check(graph -> target.logJoint(graph, graph.parameter(
                    new Parameter("x", Initialiser.normal(0.7), 2, codes.variables(), codes.width()))).sum());
        }
    }

    @Test
    void neighboursAreEntriesOfTheTable() {
        TableTarget target = new TableTarget(Codes.of(2, 3), new double[] {0, 1, 2, 3, 4, 5});
        assertThat(target.neighbours(new int[] {1, 0})).isDeepEqualTo(new double[][] {{0, 3}, {3, 4, 5}});
    }

    @Test
    void wrongTablesAreRefused() {
        assertThatThrownBy(() -> new TableTarget(Codes.of(2, 3), new double[5])).hasMessageContaining("5 values")
                .hasMessageContaining("6 codes");
        assertThatThrownBy(() -> new TableTarget(Codes.of(2), new double[] {0, Double.POSITIVE_INFINITY}))
                .hasMessageContaining("logJoint[1] = Infinity");
    }
}
