package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.relaxation.GumbelSoftmax;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Estimators of the gradient: unbiased ones against the sum over all codes, others against their formula. */
class LatentGradientTest {

    private static final int K = 4;
    private static final double TAU = 0.7;

    /** Means and standard errors of rows. */
    private record Mean(double[] values, double[] errors) {

        static Mean of(double[][] rows) {
            int width = rows[0].length;
            double[] values = new double[width];
            double[] errors = new double[width];
            for (int j = 0; j < width; j++) {
                int column = j;
                values[j] = Arrays.stream(rows).mapToDouble(r -> r[column]).average().orElseThrow();
                double square = Arrays.stream(rows).mapToDouble(r -> Math.pow(r[column] - values[column], 2)).sum();
                errors[j] = Math.sqrt(square / (rows.length - 1) / rows.length);
            }
            return new Mean(values, errors);
        }
    }

    /** Gradients of a tiny model's loss by all its parameters, in the order of their names, one for each repetition. */
    private static double[][] gradients(VaeSettings settings, int repeats) {
        Graph graph = new Graph(Precision.DOUBLE);
        VaeNetworks networks = VaeNetworks.training(settings, graph, 3);
        Tensor image = graph.placeholder("image", 2, 3);
        Latent latent = Latent.of(networks, image, graph.constant(new double[] {0.8}, 1, 1));
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, latent.loss().sum())) {
            plan.load(graph.layout().initial(Seed.of(1)));
            plan.write(image, new double[] {1, 0, 0.4, 0.1, 0.9, 0.7});
            String[] names = plan.layout().parameters().stream().map(Parameter::name).sorted().toArray(String[]::new);
            double[][] all = new double[repeats][];
            for (int r = 0; r < repeats; r++) {
                latent.drawing().draw(plan, new Draws(Seed.of(2).fold(r)), 1);
                plan.run();
                double[] flat = plan.gradients();
                all[r] = Arrays.stream(names).flatMapToDouble(name -> Arrays.stream(plan.layout().read(name, flat)))
                        .toArray();
            }
            return all;
        }
    }

    @ParameterizedTest
    @EnumSource(value = LatentAlgorithm.class, names = {"DISARM", "REINFORCE"})
    void isUnbiased(LatentAlgorithm method) {
        VaeSettings settings = VaeSettings.plain(method, 3, 2, 1).withHidden(4).withPrior(CodePrior.LEARNED);
        double[] exact = gradients(settings.withAlgorithm(LatentAlgorithm.SUMMED, 1), 1)[0];
        Mean mean = Mean.of(gradients(settings, 4_000));
        assertThat(mean.values).hasSameSizeAs(exact);
        for (int j = 0; j < exact.length; j++) {
            // 5 standard errors, 69 parameters: by chance once in 25,000 seeds
            assertThat(mean.values[j]).as("parameter " + j)
                    .isCloseTo(exact[j], within(5 * mean.errors[j] + 1e-12));
        }
    }

    /** Gradients by logits, [rows][K], of a linear function of codes, in the rows' own order. */
    private static double[][] byLogits(double[] logits, int rows, double[] slopes,
            BiFunction<Graph, Tensor, Tensor> codes, BiConsumer<ExecutionPlan, Graph> feed) {
        Graph graph = new Graph(Precision.DOUBLE);
        double[] all = new double[rows * K];
        Arrays.setAll(all, i -> logits[i % K]);
        Tensor parameter = graph.parameter(new Parameter("logits", Initialiser.of(all), rows, 1, K));
        Tensor code = codes.apply(graph, parameter);
        double[] g = new double[rows * K];
        Arrays.setAll(g, i -> slopes[i % K]);
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, code.times(graph.constant(g, rows, 1, K)).sum(), code)) {
            plan.load(all);
            feed.accept(plan, graph);
            plan.run();
            for (double entry : plan.read(code)) {
                assertThat(entry == 0 || entry == 1).isTrue();
            }
            double[] flat = plan.gradients();
            double[][] result = new double[rows][];
            Arrays.setAll(result, r -> Arrays.copyOfRange(flat, r * K, (r + 1) * K));
            return result;
        }
    }

    private static Tensor tau(Graph graph) {
        return graph.constant(new double[] {1 / TAU}, 1, 1);
    }

    private static double[] softmax(double[] l) {
        double[] e = Arrays.stream(l).map(Math::exp).toArray();
        double sum = Arrays.stream(e).sum();
        return Arrays.stream(e).map(x -> x / sum).toArray();
    }

    /** J(softmax(at / tau)) slopes / tau. */
    private static double[] jacobian(double[] at, double[] slopes) {
        double[] p = softmax(Arrays.stream(at).map(x -> x / TAU).toArray());
        double mean = 0;
        for (int k = 0; k < p.length; k++) {
            mean += p[k] * slopes[k];
        }
        double[] result = new double[p.length];
        for (int k = 0; k < p.length; k++) {
            result[k] = p[k] * (slopes[k] - mean) / TAU;
        }
        return result;
    }

    private static final double[] LOGITS = {0.3, 1.1, -2, 0.9};
    private static final double[] SLOPES = {1, -0.5, 2, 0.25};

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void gappedIsTheSoftmaxOfLogitsThatLeadToTheCode(int drawn) {
        double[] moved = LOGITS.clone();
        for (int k = 0; k < K; k++) {
            // the drawn one as large as the largest, 1.1; the others at most 1 below
            moved[k] = k == drawn ? 1.1 : Math.min(moved[k], 0.1);
        }
        double[] z = new double[K];
        z[drawn] = 1;
        double[][] found = byLogits(LOGITS, 1, SLOPES,
                (graph, l) -> Carried.gapped(graph.constant(z, 1, 1, K), l.logSoftmax(), tau(graph)).codes(),
                (plan, graph) -> { });
        assertThat(found[0]).containsExactly(jacobian(moved, SLOPES), within(1e-12));
    }

    @Test
    void raoGumbelIsTheMeanOverNoiseThatLeadsToTheCode() {
        double[] z = {0, 0, 1, 0};
        double[] noise = new Draws(Seed.of(5)).gumbel("redrawn", Carried.REDRAWN * K);
        double[] q = softmax(LOGITS);
        double[] mean = new double[K];
        for (int m = 0; m < Carried.REDRAWN; m++) {
            double[] at = new double[K];
            double first = Math.exp(-noise[m * K + 2]);
            for (int k = 0; k < K; k++) {
                at[k] = -Math.log(k == 2 ? first : first + Math.exp(-noise[m * K + k]) / q[k]);
                assertThat(at[k]).isLessThanOrEqualTo(-Math.log(first));
            }
            double[] one = jacobian(at, SLOPES);
            Arrays.setAll(mean, k -> mean[k] + one[k] / Carried.REDRAWN);
        }
        Carried[] carried = new Carried[1];
        double[][] found = byLogits(LOGITS, 1, SLOPES, (graph, l) -> {
            carried[0] = Carried.raoGumbel(graph.constant(z, 1, 1, K), l.logSoftmax(), tau(graph));
            return carried[0].codes();
        }, (plan, graph) -> carried[0].drawing().draw(plan, new Draws(Seed.of(5))));
        assertThat(found[0]).containsExactly(mean, within(1e-12));
    }

    @Test
    void raoGumbelHasTheMeanOfStraightThroughGumbelAndLessNoise() {
        int rows = 20_000;
        Carried[] carried = new Carried[1];
        Tensor[] noise = new Tensor[1];
        Mean redrawn = Mean.of(byLogits(LOGITS, rows, SLOPES, (graph, l) -> {
            noise[0] = graph.placeholder("noise", rows, 1, K);
            carried[0] = Carried.raoGumbel(l.stopGradient().plus(noise[0]).argmaxOneHot(), l.logSoftmax(), tau(graph));
            return carried[0].codes();
        }, (plan, graph) -> {
            plan.write(noise[0], new Draws(Seed.of(6)).gumbel("noise", noise[0].size()));
            carried[0].drawing().draw(plan, new Draws(Seed.of(7)));
        }));
        Mean plain = Mean.of(byLogits(LOGITS, rows, SLOPES, (graph, l) -> {
            noise[0] = graph.placeholder("noise", rows, 1, K);
            return new GumbelSoftmax(CodeSpace.uniform(1, K), l, graph.constant(new double[] {TAU}, 1, 1))
                    .straightThrough(noise[0]).code();
        }, (plan, graph) -> plan.write(noise[0], new Draws(Seed.of(8)).gumbel("noise", noise[0].size()))));
        for (int k = 0; k < K; k++) {
            // 5 standard errors of the difference: by chance once in 400,000 seeds
            assertThat(redrawn.values[k]).isCloseTo(plain.values[k],
                    within(5 * Math.hypot(redrawn.errors[k], plain.errors[k])));
            assertThat(redrawn.errors[k]).isLessThan(plain.errors[k]);
        }
    }

    @Test
    void scalarsAreRoundedToTheNearestLevelAndCarryTheGradientOfTanh() {
        VaeSettings settings = VaeSettings.plain(LatentAlgorithm.FSQ, 2, 5, 1);
        double[] said = {0.1, -0.4, 3, -3, 0.9, 0.6};
        double[] slopes = {1, 2, 3, 4, 5, 6};
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor e = graph.parameter(new Parameter("said", Initialiser.of(said), 3, 2));
        Quantised found = Quantised.of(settings, graph, e);
        try (ExecutionPlan plan = ExecutionPlan.compile(graph,
                found.words().times(graph.constant(slopes, 3, 2)).sum(), found.words(), found.codes())) {
            plan.load(said);
            plan.run();
            for (int i = 0; i < said.length; i++) {
                long level = Math.round((Math.tanh(said[i]) + 1) / 2 * 4);
                assertThat(plan.read(found.words())[i]).isEqualTo(level / 2.0 - 1);
                assertThat(plan.read(found.codes())[5 * i + (int) level]).isEqualTo(1);
                assertThat(plan.gradients()[i])
                        .isCloseTo(slopes[i] * (1 - Math.pow(Math.tanh(said[i]), 2)), within(1e-12));
            }
        }
    }

    @Test
    void theNearestWordIsTakenAndBothSidesMoveTowardsEachOther() {
        VaeSettings settings = VaeSettings.plain(LatentAlgorithm.VQ, 2, 3, 1);
        double[] said = new Draws(Seed.of(3)).normal("said", 12);
        double[] slopes = new Draws(Seed.of(4)).normal("slopes", 12);
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor e = graph.parameter(new Parameter("said", Initialiser.of(said), 2, 6));
        Quantised found = Quantised.of(settings, graph, e);
        Tensor loss = found.words().times(graph.constant(slopes, 2, 6)).sum().plus(found.distances().sum());
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss, found.words())) {
            double[] all = plan.layout().initial(Seed.of(1));
            plan.load(all);
            plan.run();
            double[] book = plan.layout().read("codebook/words", all);
            double[] seen = plan.read(found.words());
            double[] bySaid = plan.layout().read("said", plan.gradients());
            double[] byBook = plan.layout().read("codebook/words", plan.gradients());
            double[] expected = new double[book.length];
            for (int row = 0; row < 4; row++) {
                int word = nearest(said, 3 * row, book, row % 2);
                for (int j = 0; j < 3; j++) {
                    int i = 3 * row + j;
                    double w = book[word + j];
                    assertThat(seen[i]).isCloseTo(w, within(1e-12));
                    assertThat(bySaid[i]).isCloseTo(slopes[i] + 0.5 * (said[i] - w), within(1e-12));
                    expected[word + j] += 2 * (w - said[i]);
                }
            }
            assertThat(byBook).containsExactly(expected, within(1e-12));
        }
    }

    /** Where the nearest of three words of a variable starts. */
    private static int nearest(double[] said, int at, double[] book, int variable) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int start = 9 * variable; start < 9 * variable + 9; start += 3) {
            double distance = 0;
            for (int j = 0; j < 3; j++) {
                distance += Math.pow(said[at + j] - book[start + j], 2);
            }
            if (distance < least) {
                least = distance;
                best = start;
            }
        }
        return best;
    }
}
