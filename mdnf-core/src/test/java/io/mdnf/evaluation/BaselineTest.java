package io.mdnf.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BaselineTest {

    /** A ring of seven variables of 2 to 4 categories, in factors without zeros. */
    private static FactorTarget ring(double strength) {
        Random random = new Random(3);
        CodeSpace space = CodeSpace.of(2, 3, 4, 2, 3, 2, 3);
        List<Factor> factors = new ArrayList<>();
        for (int v = 0; v < 7; v++) {
            int next = (v + 1) % 7;
            factors.add(new Factor(new int[] {v, next}, random.doubles(
                    space.cardinality(v) * space.cardinality(next), -strength, strength).toArray()));
        }
        return new FactorTarget(space, factors);
    }

    @Test
    void meanFieldIsABoundFromBelowAndExactWithoutLinks() {
        FactorTarget linked = ring(2);
        double exact = linked.reduction().eliminate(1 << 20, "a ring", false).value();
        assertThat(Baseline.meanField(linked, 0.1, Seed.of(1)).logSum()).isLessThan(exact).isGreaterThan(exact - 3);
        FactorTarget alone = new FactorTarget(CodeSpace.of(3), List.of(new Factor(new int[] {0},
                new double[] {Math.log(1), Math.log(2), Math.log(5)})));
        Baseline field = Baseline.meanField(alone, 0.1, Seed.of(1));
        assertThat(field.logSum()).isCloseTo(Math.log(8), within(1e-9));
        assertThat(field.marginals()[0]).containsExactly(new double[] {0.125, 0.25, 0.625}, within(1e-9));
    }

    /** Ten chains make some 10^5 sweeps in all: an error of .02 is beyond five standard errors even if one in a
     * hundred counts. */
    @Test
    void gibbsComesCloseToTheMarginals() {
        FactorTarget target = ring(1);
        double[][] exact = target.reduction().eliminate(1 << 20, "a ring", false).marginals();
        Baseline gibbs = Baseline.gibbs(target, 0.5, Seed.of(1));
        assertThat(gibbs.logSum()).isNaN();
        for (int v = 0; v < exact.length; v++) {
            assertThat(gibbs.marginals()[v]).containsExactly(exact[v], within(0.02));
        }
    }
}
