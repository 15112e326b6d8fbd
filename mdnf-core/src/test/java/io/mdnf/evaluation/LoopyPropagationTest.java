package io.mdnf.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.elimination.BucketTree;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LoopyPropagationTest {

    @Test
    void treesAreExact() {
        Random random = new Random(8);
        for (int trial = 0; trial < 50; trial++) {
            int n = 2 + random.nextInt(7);
            CodeSpace space = CodeSpace.of(random.ints(n, 1, 4).toArray());
            List<Factor> factors = new ArrayList<>();
            factors.add(new Factor(new int[0], new double[] {random.nextGaussian()}));
            for (int v = 1; v < n; v++) {
                int before = random.nextInt(v);
                double zeros = 0.1 * (trial % 3);
                factors.add(new Factor(new int[] {v, before}, random.doubles(
                        space.cardinality(v) * space.cardinality(before), -2, 2)
                        .map(l -> random.nextDouble() < zeros && l < 0 ? Double.NEGATIVE_INFINITY : l).toArray()));
            }
            BucketTree exact = BucketTree.eliminate(space, factors, EliminationPlan.searched(space, factors),
                    Long.MAX_VALUE, "a tree", false);
            if (exact.value() > Double.NEGATIVE_INFINITY) {
                LoopyPropagation loopy = LoopyPropagation.of(space, factors, 60);
                assertThat(loopy.converged()).isTrue();
                assertThat(loopy.logSum()).isCloseTo(exact.value(), within(1e-6));
                double[][] marginals = exact.marginals();
                for (int v = 0; v < n; v++) {
                    assertThat(loopy.marginals()[v]).containsExactly(marginals[v], within(1e-6));
                }
            }
        }
    }

    /** Two rests of an Ising model, one for each sign; a field tells which is right, and its value is larger. */
    @Test
    void ofSeveralRestsTheOneOfTheLargestValueCounts() {
        CodeSpace space = CodeSpace.uniform(8, 2);
        List<Factor> factors = new ArrayList<>();
        for (int u = 0; u < 8; u++) {
            factors.add(new Factor(new int[] {u}, new double[] {0, 0.05}));
            for (int v = u + 1; v < 8; v++) {
                factors.add(new Factor(new int[] {u, v}, new double[] {0.4, -0.4, -0.4, 0.4}));
            }
        }
        LoopyPropagation loopy = LoopyPropagation.of(space, factors, 60);
        assertThat(loopy.converged()).isTrue();
        assertThat(loopy.marginals()[0][1]).isGreaterThan(0.9);
    }
}
