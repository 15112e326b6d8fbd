package io.mdnf.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.evaluation.ImportanceDiagnostics.Verdict;
import io.mdnf.mixture.Weighting;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.FunctionTarget;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets most of whose codes are impossible, fitted by every algorithm for atoms. */
class ZerosTest {

    private static final double NO = Double.NEGATIVE_INFINITY;

    /** Only the last of 32 codes is possible: none of the first deltas, and no code that a gradient finds at once. */
    private static final FactorTarget LAST = new FactorTarget(CodeSpace.uniform(5, 2), List.of(
            new Factor(new int[] {0, 1}, new double[] {NO, NO, NO, 0}), new Factor(new int[] {2}, new double[] {NO, 0}),
            new Factor(new int[] {3, 4}, new double[] {NO, NO, NO, -1})));

    @ParameterizedTest
    @EnumSource(Plan.Training.class)
    void aBoundThatIsMinusInfinityIsAnAnswer(Plan.Training training) throws Exception {
        Plan plan = new Plan.Joint(4, Weighting.FREE, training, false, 50);
        try (Fit fit = new Fitter(LAST).fit(plan, Seed.of(1))) {
            assertThat(fit.bound().value()).isLessThanOrEqualTo(-1);
            assertThat(fit.distribution().sample(10, Seed.of(2))).hasDimensions(10, 5);
            boolean possible = fit.bound().value() > Double.NEGATIVE_INFINITY;
            assertThat(fit.judgement().sentence().contains("impossible codes")).isNotEqualTo(possible);
            assertThat(possible || fit.remark().contains("no finite bound")).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fixedDeltasAreDrawnWhereNoneOfTheFirstIsPossible(boolean refine) throws Exception {
        Plan plan = new Plan.Joint(4, Weighting.FREE, Plan.Training.BVI, refine, 0);
        try (Fit fit = new Fitter(LAST).fit(plan, Seed.of(1))) {
            assertThat(fit.bound().value()).isEqualTo(-1);
            assertThat(fit.remark()).contains("None of the first 4 codes is possible");
        }
        FunctionTarget blackBox = new FunctionTarget(LAST.space(), x -> LAST.logJoint(new int[][] {x})[0]);
        try (Fit fit = new Fitter(blackBox).fit(plan, Seed.of(1))) {
            assertThat(fit.bound().value()).isEqualTo(NO);
            assertThat(fit.judgement().verdict()).isEqualTo(Verdict.UNRELIABLE);
            assertThat(fit.judgement().missing()).isEqualTo(Double.POSITIVE_INFINITY);
        }
    }
}
