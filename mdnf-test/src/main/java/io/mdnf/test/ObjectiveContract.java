package io.mdnf.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.objective.Objective;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * The promises every objective keeps, on a p and several q of eight outcomes: it is on its side of the evidence, and
 * the evidence itself where q is the posterior; a fit makes its loss small; gradients are right.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ObjectiveContract {

    private static final int OUTCOMES = 8;
    private static final int BATCHES = 2000;
    private static final double[] LOG_JOINT = new Draws(Seed.of(1)).normal("p", OUTCOMES);
    private static final double LOG_EVIDENCE = LogSpace.sumExp(LOG_JOINT);

    /** The objectives to be held to their promises, by name; each must take 8 samples. */
    protected abstract Map<String, ? extends Objective> objectives();

    private Stream<DynamicTest> forEveryObjective(Consumer<Objective> promise) {
        return objectives().entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> promise.accept(e.getValue())));
    }

    /** Several q, from flat to uneven. */
    private static double[][] approximations() {
        return IntStream.range(0, 4)
                .mapToObj(i -> new Draws(Seed.of(2).fold(i)).dirichlet("q", OUTCOMES, 4.0 / (1 + i)))
                .toArray(double[][]::new);
    }

    /** Estimates from batches of outcomes [batches][8] with weights [8]. */
    private static double[] estimates(Objective objective, double[] q, int[][] outcomes, double[] weights) {
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor logJoint = graph.placeholder("p", OUTCOMES);
        Tensor logProb = graph.placeholder("q", OUTCOMES);
        Tensor value = objective.estimate(logJoint, logProb, graph.constant(weights, OUTCOMES));
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, value)) {
            return Arrays.stream(outcomes).mapToDouble(batch -> {
                plan.write(logJoint, IntStream.of(batch).mapToDouble(k -> LOG_JOINT[k]).toArray());
                plan.write(logProb, IntStream.of(batch).mapToDouble(k -> Math.log(q[k])).toArray());
                plan.run();
                return plan.value(value);
            }).toArray();
        }
    }

    private static double[] equal() {
        double[] equal = new double[OUTCOMES];
        Arrays.fill(equal, 1.0 / OUTCOMES);
        return equal;
    }

    private static int[][] drawn(double[] q) {
        var rng = Seed.of(3).generator();
        int[][] batches = new int[BATCHES][OUTCOMES];
        for (int[] batch : batches) {
            Arrays.setAll(batch, i -> Draws.category(rng, q, 0, OUTCOMES));
        }
        return batches;
    }

    /** All outcomes, each weighted by its probability, leave nothing to chance. */
    @TestFactory
    Stream<DynamicTest> summedOverAllOutcomesItIsOnItsSideOfTheEvidence() {
        int[][] all = {IntStream.range(0, OUTCOMES).toArray()};
        return forEveryObjective(objective -> {
            for (double[] q : approximations()) {
                double gap = LOG_EVIDENCE - estimates(objective, q, all, q)[0];
                assertThat(objective.isLowerBound() ? gap : -gap).isGreaterThan(-1e-9);
            }
        });
    }

    /** Four standard errors: fails by chance once in 30,000 objectives and q. */
    @TestFactory
    Stream<DynamicTest> meanOfALowerBoundIsNotAboveTheEvidence() {
        return forEveryObjective(objective -> {
            if (objective.isLowerBound()) {
                for (double[] q : approximations()) {
                    Estimate mean = Estimate.of(estimates(objective, q, drawn(q), equal()));
                    assertThat(mean.value()).isLessThan(LOG_EVIDENCE + 4 * mean.standardError());
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> atThePosteriorItIsTheEvidence() {
        double[] posterior = Arrays.stream(LOG_JOINT).map(l -> Math.exp(l - LOG_EVIDENCE)).toArray();
        return forEveryObjective(objective -> {
            int[][] some = Arrays.copyOf(drawn(posterior), 3);
            for (double estimate : estimates(objective, posterior, some, equal())) {
                assertThat(estimate).isCloseTo(LOG_EVIDENCE, Offset.offset(1e-9));
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> lossIsTheEstimateTurnedRoundIfItIsToBeLarge() {
        return forEveryObjective(objective -> {
            Graph graph = new Graph(Precision.DOUBLE);
            Tensor logJoint = graph.constant(LOG_JOINT, OUTCOMES);
            Tensor logProb = graph.constant(new Draws(Seed.of(4)).normal("q", OUTCOMES), OUTCOMES);
            Tensor weights = graph.constant(equal(), OUTCOMES);
            Tensor estimate = objective.estimate(logJoint, logProb, weights).plus(0);
            Tensor loss = objective.loss(logJoint, logProb, weights).plus(0);
            try (ExecutionPlan plan = ExecutionPlan.forward(graph, estimate, loss)) {
                plan.run();
                assertThat(plan.value(loss)).isCloseTo((objective.isLowerBound() ? -1 : 1) * plan.value(estimate),
                        Offset.offset(1e-12));
            }
            assertThat(objective.toString()).doesNotContain("@");
        });
    }

    @TestFactory
    Stream<DynamicTest> gradientsEqualCentralDifferences() {
        return forEveryObjective(objective -> GradientCheck.check(graph -> objective.loss(
                graph.parameter(new Parameter("logJoint", Initialiser.normal(1), OUTCOMES)),
                graph.parameter(new Parameter("logProb", Initialiser.normal(1), OUTCOMES)),
                graph.constant(equal(), OUTCOMES))));
    }
}
