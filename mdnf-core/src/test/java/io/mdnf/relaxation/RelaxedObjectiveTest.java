package io.mdnf.relaxation;

import static io.mdnf.relaxation.Relaxing.at;
import static io.mdnf.relaxation.Relaxing.constant;
import static io.mdnf.relaxation.Relaxing.distribution;
import static io.mdnf.relaxation.Relaxing.evaluate;
import static io.mdnf.relaxation.Relaxing.graph;
import static io.mdnf.relaxation.Relaxing.temperature;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.graph.Graph;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelaxedObjectiveTest {

    private static final CodeSpace CODES = CodeSpace.of(2, 4, 1, 3);
    private static final int N = 3;
    private static final Draws DRAWS = new Draws(Seed.of(11));
    private static final double[] LOGITS = DRAWS.normal("logits", N * CODES.oneHotLength());
    private static final double[] PRIOR = DRAWS.normal("prior", CODES.oneHotLength());

    private static Tensor noise(Graph graph) {
        return constant(graph, CODES, DRAWS.gumbel("noise", N * CODES.oneHotLength()));
    }

    private static List<RelaxedObjective> objectives(Tensor priorLogits) {
        Tensor tau = temperature(priorLogits.graph(), 1.3);
        return List.of(new RelaxedObjective.RelaxedPrior(new GumbelSoftmax(CODES, priorLogits, tau)),
                new RelaxedObjective.MaddisonEq21(priorLogits),
                new RelaxedObjective.MaddisonEq22(priorLogits), new RelaxedObjective.Jang());
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> gradientsEqualCentralDifferences() {
        return Stream.of(0, 1, 2, 3).flatMap(which -> Stream.of(1L, (long) N).flatMap(rows ->
                Stream.of(1L, (long) N).map(priorRows -> DynamicTest.dynamicTest(
                        which + ", logits of " + rows + " rows, prior of " + priorRows,
                        () -> GradientCheck.check(g -> {
                            Tensor logits = g.parameter(new Parameter("logits", Initialiser.normal(1), rows, 4, 4));
                            // Jang's prior is fixed, so there it must not be a parameter
                            Tensor prior = which == 3 ? g.ones(priorRows, 4, 4)
                                    : g.parameter(new Parameter("prior", Initialiser.normal(1), priorRows, 4, 4));
                            GumbelSoftmax q = new GumbelSoftmax(CODES, logits, temperature(g, 0.6));
                            Tensor term = objectives(prior).get(which).divergence(q, q.sample(noise(g)));
                            assertThat(term.shape()).containsExactly(N);
                            double[] w = DRAWS.normal("weights", N);
                            return term.times(g.constant(w, N)).sum();
                        })))));
    }

    /** log q_k - log p_k of one variable, k below K_d. */
    private static double[] logRatio(int row, int d) {
        int from = (row * CODES.variables() + d) * CODES.width();
        int k = CODES.cardinality(d);
        double[] q = Relaxing.logSoftmax(Arrays.copyOfRange(LOGITS, from, from + k));
        double[] p = Relaxing.logSoftmax(Arrays.copyOfRange(PRIOR, d * CODES.width(), d * CODES.width() + k));
        for (int j = 0; j < k; j++) {
            q[j] -= p[j];
        }
        return q;
    }

    @Test
    void equation21WeighsLogRatiosByTheCodeAndEquation22ByTheProbabilities() {
        for (boolean hard : new boolean[] {false, true}) {
            Graph graph = graph();
            GumbelSoftmax q = distribution(graph, CODES, 0.6, LOGITS);
            RelaxedSample x = hard ? q.straightThrough(noise(graph)) : q.sample(noise(graph));
            Tensor prior = constant(graph, CODES, PRIOR);
            double[] code = evaluate(x.code());
            double[] eq21 = evaluate(new RelaxedObjective.MaddisonEq21(prior).divergence(q, x));
            double[] eq22 = evaluate(new RelaxedObjective.MaddisonEq22(prior).divergence(q, x));
            for (int i = 0; i < N; i++) {
                double linear = 0;
                double kl = 0;
                for (int d = 0; d < CODES.variables(); d++) {
                    int from = (i * CODES.variables() + d) * CODES.width();
                    double[] ratio = logRatio(i, d);
                    double[] p = Relaxing.softmax(Arrays.copyOfRange(LOGITS, from, from + ratio.length));
                    for (int k = 0; k < ratio.length; k++) {
                        linear += code[from + k] * ratio[k];
                        kl += p[k] * ratio[k];
                    }
                }
                assertThat(eq21[i]).isCloseTo(linear, Offset.offset(1e-13));
                assertThat(eq22[i]).isCloseTo(kl, Offset.offset(1e-13)).isGreaterThan(0);
            }
        }
    }

    @Test
    void jangEqualsEquation22WithAUniformPrior() {
        Graph graph = graph();
        GumbelSoftmax q = distribution(graph, CODES, 0.6, LOGITS);
        RelaxedSample x = q.sample(noise(graph));
        Tensor uniform = graph.ones(1, CODES.variables(), CODES.width());
        double[] jang = evaluate(new RelaxedObjective.Jang().divergence(q, x));
        assertThat(jang).containsExactly(
                evaluate(new RelaxedObjective.MaddisonEq22(uniform).divergence(q, x)), Offset.offset(1e-13));
    }

    @Test
    void relaxedPriorIsZeroWherePosteriorAndPriorAreOne() {
        Graph graph = graph();
        GumbelSoftmax q = distribution(graph, CODES, 0.6, LOGITS);
        assertThat(evaluate(new RelaxedObjective.RelaxedPrior(q).divergence(q, q.sample(noise(graph)))))
                .containsOnly(0);
    }

    /**
     * Straight-through codes with the relaxed divergence bound the discrete evidence: for two categories, the relaxed
     * divergence by quadrature is at least the discrete one, so its bound lies below the ELBO and the evidence.
     */
    @ParameterizedTest
    @CsvSource({"0.3, 0.3", "0.3, 1", "1, 0.5", "1, 1", "2, 2", "2, 1"})
    void relaxedDivergenceIsAtLeastTheDiscreteOne(double tau, double priorTau) {
        CodeSpace space = CodeSpace.of(2);
        double[] l = {1.2, -0.3};
        double[] prior = {-0.5, 0.4};
        int points = 3201;
        // q falls like e^(-tau |t|); the step resolves the steeper of the two densities
        double step = 0.05 / tau;
        double[] logX = new double[2 * points];
        for (int i = 0; i < points; i++) {
            System.arraycopy(Relaxing.logSoftmax((i - points / 2) * step, 0), 0, logX, 2 * i, 2);
        }
        Graph graph = graph();
        GumbelSoftmax q = distribution(graph, space, tau, l);
        RelaxedSample x = at(graph, space, logX);
        double[] logQ = evaluate(q.logDensity(x));
        RelaxedObjective objective = new RelaxedObjective.RelaxedPrior(distribution(graph, space, priorTau, prior));
        double[] term = evaluate(objective.divergence(q, x));
        double relaxed = 0;
        for (int i = 0; i < points; i++) {
            relaxed += step * Math.exp(logQ[i] + logX[2 * i] + logX[2 * i + 1]) * term[i];
        }
        double[] logq = Relaxing.logSoftmax(l);
        double[] logp = Relaxing.logSoftmax(prior);
        double discrete = Math.exp(logq[0]) * (logq[0] - logp[0]) + Math.exp(logq[1]) * (logq[1] - logp[1]);
        assertThat(relaxed).isGreaterThan(discrete);
        if (tau == priorTau) {
            // log odds of both are logistic with the same scale: only the shift of the logits matters, not tau
            double shift = (l[0] - l[1]) - (prior[0] - prior[1]);
            assertThat(relaxed).isCloseTo(logisticDivergence(shift), Offset.offset(1e-10));
        }
    }

    /** KL of two logistic laws with unit scale, shifted by s: s (e^s + 1) / (e^s - 1) - 2. */
    private static double logisticDivergence(double s) {
        return s * (Math.exp(s) + 1) / Math.expm1(s) - 2;
    }

    /** What the published straight-through variant computes: an artefact of the floor, not log p_k. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void densityScoredAtAOneHotCodeIsGovernedByTheFloor(int hot) {
        double floor = 1e-20;
        double tau = 1.5;
        double[] p = {0.2, 0.5, 0.3};
        CodeSpace space = CodeSpace.of(3);
        Graph graph = graph();
        Tensor code = constant(graph, space, space.oneHot(new int[][] {{hot}}));
        RelaxedSample x = new RelaxedSample(space, code.log(floor), code);
        GumbelSoftmax prior =
                new GumbelSoftmax(space, constant(graph, space, p).log(1e-300), temperature(graph, tau));
        double expected = Math.log(2) + 2 * Math.log(tau) + (2 - tau) * Math.log(1 / floor)
                + DoubleStream.of(p).map(Math::log).sum() - 3 * Math.log(1 - p[hot]);
        assertThat(evaluate(prior.logDensity(x))[0]).isCloseTo(expected, Offset.offset(1e-12));
    }

    @Test
    void wrongArgumentsAreRefusedByName() {
        Graph graph = graph();
        GumbelSoftmax q = distribution(graph, CODES, 0.6, LOGITS);
        RelaxedSample one = at(graph, CODES, new double[CODES.oneHotLength()]);
        RelaxedSample x = q.sample(noise(graph));
        assertThatThrownBy(() -> new RelaxedObjective.MaddisonEq22(constant(graph, CODES, PRIOR)).divergence(q, one))
                .hasMessageContaining("logits have 3 rows for 1 samples");
        assertThatThrownBy(() -> new RelaxedObjective.MaddisonEq21(graph.ones(2, 4, 4)).divergence(q, x))
                .hasMessageContaining("priorLogits");
        assertThatThrownBy(() -> new RelaxedObjective.MaddisonEq22(graph.ones(2, 4, 4)).divergence(q, x))
                .hasMessageContaining("priorLogits");
    }
}
