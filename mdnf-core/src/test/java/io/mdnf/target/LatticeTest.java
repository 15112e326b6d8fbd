package io.mdnf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.elimination.BucketTree;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatticeTest {

    private static double eliminated(FactorTarget target) {
        return BucketTree.eliminate(target.space(), target.factors(),
                EliminationPlan.searched(target.space(), target.factors()), Long.MAX_VALUE, "a lattice", false).value();
    }

    @ParameterizedTest
    @CsvSource({"16, 0.4407, 238.6472", "16, 0.28, 198.9354", "16, 0.6, 310.4870", "24, 0.4407, 536.1556"})
    void kaufmansFormulaGivesTheKnownFigures(int side, double beta, double known) {
        assertThat(Lattice.isingLogSum(side, beta)).isCloseTo(known, within(5.1e-5));
    }

    @ParameterizedTest
    @CsvSource({"3, 0.2", "4, 0.4407", "5, 0.6", "4, 1.5"})
    void kaufmansFormulaIsTheSumOverAllCodes(int side, double beta) {
        assertThat(Lattice.isingLogSum(side, beta)).isCloseTo(eliminated(Lattice.ising(side, beta)), within(1e-9));
    }

    /** Two Potts states at 2 beta are Ising spins at beta, but for a constant; beta 0 counts all codes. */
    @Test
    void latticesAgreeWhereTheyMust() {
        assertThat(eliminated(Lattice.potts(4, 2, 0.6)) - 32 * 0.3)
                .isCloseTo(eliminated(Lattice.ising(4, 0.3)), within(1e-9));
        assertThat(eliminated(Lattice.spinGlass(3, 0, Seed.of(1)))).isCloseTo(9 * Math.log(2), within(1e-12));
        assertThat(eliminated(Lattice.spinGlass(4, 1, Seed.of(1)))).isLessThan(eliminated(Lattice.ising(4, 1)));
    }
}
