package io.mdnf.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import org.apache.commons.rng.UniformRandomProvider;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Objectives on a categorical p and q of eight outcomes, with the exact evidence beside them. */
class ObjectiveTest {

    private static final int OUTCOMES = 8;
    private static final double[] LOG_JOINT = new Draws(Seed.of(1)).normal("p", OUTCOMES);
    private static final double[] Q = new Draws(Seed.of(2)).dirichlet("q", OUTCOMES, 2);
    private static final double LOG_EVIDENCE = Math.log(java.util.Arrays.stream(LOG_JOINT).map(Math::exp).sum());

    /** Mean and standard error of an objective over independent batches of samples. */
    private static double[] estimate(Objective objective, int samples, int batches) {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor logJoint = graph.placeholder("p", samples);
        Tensor logProb = graph.placeholder("q", samples);
        Tensor value = objective.estimate(logJoint, logProb, graph.ones(samples).times(1.0 / samples));
        UniformRandomProvider rng = Seed.of(3).generator();
        double sum = 0;
        double squares = 0;
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, value)) {
            for (int i = 0; i < batches; i++) {
                double[] p = new double[samples];
                double[] q = new double[samples];
                for (int s = 0; s < samples; s++) {
                    int k = Draws.category(rng, Q, 0, OUTCOMES);
                    p[s] = LOG_JOINT[k];
                    q[s] = Math.log(Q[k]);
                }
                plan.write(logJoint, p);
                plan.write(logProb, q);
                plan.run();
                double v = plan.value(value);
                sum += v;
                squares += v * v;
            }
        }
        double mean = sum / batches;
        return new double[] {mean, Math.sqrt((squares / batches - mean * mean) / batches)};
    }

    @Test
    void elboEstimateAgreesWithTheExactSum() {
        double exact = 0;
        for (int k = 0; k < OUTCOMES; k++) {
            exact += Q[k] * (LOG_JOINT[k] - Math.log(Q[k]));
        }
        double[] estimate = estimate(new Elbo(), 20, 4000);
        // fails by chance once in 16,000 seeds
        assertThat(estimate[0]).isCloseTo(exact, Offset.offset(4 * estimate[1]));
        assertThat(exact).isLessThan(LOG_EVIDENCE);
    }

    @Test
    void importanceWeightedElboRisesWithKAndStaysBelowTheEvidence() {
        double before = Double.NEGATIVE_INFINITY;
        double elbo = estimate(new Elbo(), 100, 1000)[0];
        double error = 0;
        for (int k : new int[] {1, 2, 5, 20, 100}) {
            double[] estimate = estimate(new ImportanceWeightedElbo(k), 100, 1000);
            assertThat(estimate[0]).isGreaterThan(before - 4 * (error + estimate[1]));
            assertThat(estimate[0]).isLessThan(LOG_EVIDENCE + 4 * estimate[1]);
            before = estimate[0];
            error = estimate[1];
        }
        // the gap falls about as 1 / k
        assertThat(LOG_EVIDENCE - before).isLessThan(0.2 * (LOG_EVIDENCE - elbo));
        assertThat(estimate(new ImportanceWeightedElbo(1), 100, 50)[0]).isEqualTo(estimate(new Elbo(), 100, 50)[0],
                Offset.offset(1e-9));
    }

    @Test
    void chiBoundIsAboveTheEvidenceAndEqualsItsDefinition() {
        double second = 0;
        for (int k = 0; k < OUTCOMES; k++) {
            second += Math.exp(2 * LOG_JOINT[k]) / Q[k];
        }
        double exact = 0.5 * Math.log(second);
        assertThat(exact).isGreaterThan(LOG_EVIDENCE);
        assertThat(estimate(new ChiBound(), 20_000, 3)[0]).isCloseTo(exact, Offset.offset(0.05));
        assertThat(new ChiBound().isLowerBound()).isFalse();
    }

    @Test
    void groupsMustDivideTheSamples() {
        assertThatThrownBy(() -> estimate(new ImportanceWeightedElbo(3), 10, 1))
                .hasMessageContaining("does not divide");
        assertThatThrownBy(() -> new ImportanceWeightedElbo(0)).hasMessageContaining("group = 0");
    }
}
