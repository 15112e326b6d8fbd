package io.mdnf.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.base.Deltas;
import io.mdnf.checkpoint.CheckpointFolder;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Given;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import io.mdnf.target.GraphTarget;
import io.mdnf.target.LatentModel;
import io.mdnf.target.Rows;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.Run;
import io.mdnf.training.TrainingSettings;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.api.buffer.DataType;

class LatentTrainingTest {

    /** Three hidden states in a row, each seen through one of two symbols: a hidden Markov model of length 3. */
    private static final int LENGTH = 3;
    private static final CodeSpace CODES = CodeSpace.uniform(LENGTH, 3);

    private static final LatentModel CHAIN = new LatentModel(CODES, (graph, y, x) -> {
        long n = y.extent(0);
        Tensor start = graph.parameter(new Parameter("start", Initialiser.normal(1), 1, 3)).logSoftmax();
        Tensor moves = graph.parameter(new Parameter("moves", Initialiser.normal(1), 3, 3)).logSoftmax();
        Tensor shows = graph.parameter(new Parameter("shows", Initialiser.normal(1), 3, 2)).logSoftmax();
        Tensor from = x.slice(1, 0, LENGTH - 1).reshape(n * (LENGTH - 1), 3);
        Tensor to = x.slice(1, 1, LENGTH - 1).reshape(n * (LENGTH - 1), 3);
        return x.slice(1, 0, 1).reshape(n, 3).matmul(start.reshape(3, 1)).reshape(n)
                .plus(from.matmul(moves).times(to).reshape(n, (LENGTH - 1) * 3).sum(1))
                .plus(x.reshape(n * LENGTH, 3).matmul(shows).reshape(n, LENGTH * 2).times(y).sum(1));
    });

    /** The eight sequences of symbols, the i-th i times as often as the first. */
    private static final Rows ROWS = Rows.of(IntStream.range(0, 8).boxed()
            .flatMap(i -> IntStream.rangeClosed(0, i).mapToObj(copy -> symbols(i))).toArray(float[][]::new));

    @TempDir
    Path folder;

    private static float[] symbols(int number) {
        float[] row = new float[LENGTH * 2];
        for (int t = 0; t < LENGTH; t++) {
            row[t * 2 + (number >> t & 1)] = 1;
        }
        return row;
    }

    private static LatentFit at(LatentPosterior posterior, long seed) {
        try (LatentTraining task = new LatentTraining(CHAIN, ROWS, posterior, LatentSettings.standard(1))) {
            return task.result(new GradientTraining<>(task).init(Seed.of(seed)));
        }
    }

    private static LatentFit learned(LatentPosterior posterior, LatentSettings settings) {
        try (var training = new GradientTraining<>(new LatentTraining(CHAIN, ROWS, posterior, settings))) {
            return training.result(training.finish(training.init(Seed.of(1))));
        }
    }

    private static double[][] probabilities(double[] logits, int width) {
        double[][] rows = new double[logits.length / width][];
        Arrays.setAll(rows, i -> LogSpace.normalise(Arrays.copyOfRange(logits, i * width, (i + 1) * width)));
        return rows;
    }

    /** log p(y) by the forward algorithm, in plain loops: nothing of the model's graph. */
    private static double forward(LatentFit fit, float[] row) {
        double[] state = probabilities(fit.parameter("start"), 3)[0];
        double[][] moves = probabilities(fit.parameter("moves"), 3);
        double[][] shows = probabilities(fit.parameter("shows"), 2);
        for (int t = 0; t < LENGTH; t++) {
            double[] next = new double[3];
            for (int k = 0; k < 3; k++) {
                state[k] *= shows[k][row[t * 2] > 0 ? 0 : 1];
                for (int l = 0; l < 3; l++) {
                    next[l] += state[k] * moves[k][l];
                }
            }
            state = t < LENGTH - 1 ? next : state;
        }
        return Math.log(Arrays.stream(state).sum());
    }

    private static List<LatentPosterior> posteriors() {
        Mixture joint = new Mixture(Structure.JOINT, new ShiftFlow(new Given(CODES, 5)), Deltas.zero(CODES, 5),
                Weighting.FREE);
        LatentPosterior.Encoder spread = (graph, rows) -> rows.matmul(graph.parameter(
                new Parameter("weights", Initialiser.normal(1), LENGTH * 2, 9)));
        return List.of(LatentPosterior.product(CODES, 4), LatentPosterior.product(CODES).ofEachRow(),
                LatentPosterior.autoregressive(CODES, 4), LatentPosterior.autoregressive(CODES, 4).ofEachRow(),
                new LatentPosterior.Flows(Mixture.unlimited(new Given(CODES, 1)), spread, false),
                new LatentPosterior.Flows(joint, spread, false));
    }

    @Test
    void theSumOverAllCodesIsTheForwardAlgorithms() {
        try (LatentFit fit = at(LatentPosterior.exact(), 1)) {
            double[] sums = fit.logLikelihoods(ROWS);
            for (int i = 0; i < ROWS.count(); i++) {
                assertThat(sums[i]).isCloseTo(forward(fit, ROWS.read(i)), within(1e-12));
            }
            // eight sequences are all there are
            double total = 0;
            for (int i = 0; i < 8; i++) {
                total += Math.exp(fit.logLikelihoods(Rows.of(new float[][] {symbols(i)}))[0]);
            }
            assertThat(total).isCloseTo(1, within(1e-12));
        }
    }

    /** Of theta where all codes are summed; by exact expectation of the ELBO where they are drawn. */
    @Test
    void gradientsOfThetaAreThoseOfWhatIsMaximised() {
        GradientCheck.check(graph -> LatentGraph.table(graph, CHAIN, rows(graph)).logSumExp().sum());
        GradientCheck.check(graph -> {
            Tensor codes = graph.constant(CODES.oneHot(CODES.all()), 27, LENGTH, 3);
            return CHAIN.logJoint(graph, rows(graph).slice(0, 0, 27), codes).sum();
        });
    }

    private static Tensor rows(Graph graph) {
        float[] all = ROWS.read(IntStream.range(0, ROWS.count()).toArray());
        double[] wide = new double[all.length];
        Arrays.setAll(wide, i -> all[i]);
        return graph.constant(wide, ROWS.count(), LENGTH * 2);
    }

    /**
     * With codes drawn, theta's gradient is on average that of the exact ELBO, E_q[grad log p_theta(y, x)], summed over
     * all codes here. 4.5 standard errors in each of 18 entries: by chance once in 8,000 runs.
     */
    @Test
    @Tag("slow")
    void gradientsOfThetaFromDrawnCodesAreRightOnAverage() {
        LatentPosterior.Flows posterior = LatentPosterior.autoregressive(CODES, 4);
        Rows one = Rows.of(new float[][] {symbols(5)});
        int samples = 50;
        LatentSettings settings = LatentSettings.standard(1).withBatch(1, samples);
        try (LatentTraining task = new LatentTraining(CHAIN, one, posterior, settings)) {
            var training = new GradientTraining<>(task);
            double[] start = training.init(Seed.of(3)).parameters();
            task.plan().load(start);
            int theta = 3 + 9 + 6;
            double[] sum = new double[theta];
            double[] squares = new double[theta];
            int repeats = 400;
            for (int r = 0; r < repeats; r++) {
                task.feed(new TrainingStep(Seed.of(4), r, 1, Map.of()));
                task.plan().run();
                double[] gradient = theta(task, task.plan().gradients());
                for (int i = 0; i < theta; i++) {
                    sum[i] += gradient[i] / repeats;
                    squares[i] += gradient[i] * gradient[i] / repeats;
                }
            }
            double[] expected = exactGradient(task, start, one);
            for (int i = 0; i < theta; i++) {
                double error = Math.sqrt((squares[i] - sum[i] * sum[i]) / repeats);
                assertThat(sum[i]).isCloseTo(expected[i], within(4.5 * error + 1e-12));
            }
        }
    }

    private static double[] theta(LatentTraining task, double[] flat) {
        var layout = task.plan().layout();
        return List.of("start", "moves", "shows").stream()
                .flatMapToDouble(name -> Arrays.stream(layout.read("model/" + name, flat))).toArray();
    }

    /** Central differences of -sum_x q(x | y) log p_theta(y, x) with q held. */
    private static double[] exactGradient(LatentTraining task, double[] start, Rows one) {
        var layout = task.plan().layout();
        double[] q;
        try (LatentFit fit = fit(task, start); CodeDistribution posterior = fit.posteriors(one).get(0)) {
            q = Arrays.stream(posterior.logProb(CODES.all())).map(Math::exp).toArray();
        }
        return List.of("start", "moves", "shows").stream().flatMapToDouble(name -> {
            int offset = layout.offset("model/" + name);
            return IntStream.range(offset, offset + layout.parameter("model/" + name).size()).mapToDouble(i -> {
                double[] ends = new double[2];
                for (int side = 0; side < 2; side++) {
                    double[] moved = start.clone();
                    moved[i] += side == 0 ? -1e-5 : 1e-5;
                    try (LatentFit fit = fit(task, moved)) {
                        double[] logJoint = fit.logJoint(one, 0, CODES.all());
                        ends[side] = -IntStream.range(0, q.length).mapToDouble(c -> q[c] * logJoint[c]).sum();
                    }
                }
                return (ends[1] - ends[0]) / 2e-5;
            });
        }).toArray();
    }

    private static LatentFit fit(LatentTraining task, double[] parameters) {
        return task.result(new GradientTraining<>(task).start(Seed.of(1), parameters));
    }

    /**
     * What is drawn is what is scored: for every posterior the sampled ELBO is that of the sum over all codes, within
     * 4.5 standard errors (by chance once in 20,000 comparisons), and no exact one is above log p(y).
     */
    @ParameterizedTest
    @Tag("slow")
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void boundsAreThoseOfThePosteriorsThatAreReturned(int which) {
        LatentPosterior posterior = posteriors().get(which);
        LatentSettings settings = LatentSettings.standard(20).withBatch(36, 1).withEstimator(
                which == 5 ? Estimator.CHOSEN : Estimator.SECOND_ORDER);
        try (LatentFit fit = learned(posterior, settings)) {
            int samples = 200;
            double[][] drawn = fit.logWeights(ROWS, ROWS.count(), samples, Seed.of(7));
            List<CodeDistribution> q = fit.posteriors(ROWS);
            double exactMean = 0;
            double mean = 0;
            double variance = 0;
            for (int i = 0; i < ROWS.count(); i++) {
                try (GraphTarget target = fit.target(ROWS, i)) {
                    double exact = Bound.of(target, q.get(i), 2, Seed.of(1)).value();
                    assertThat(exact).isLessThanOrEqualTo(forward(fit, ROWS.read(i)) + 1e-9);
                    exactMean += exact / ROWS.count();
                }
                double own = Arrays.stream(drawn[i]).average().orElseThrow();
                mean += own / ROWS.count();
                variance += Arrays.stream(drawn[i]).map(v -> (v - own) * (v - own)).sum() / samples / samples;
                q.get(i).close();
            }
            // rows that share a draw of components are not independent: their deviations add up at worst
            double error = Math.sqrt(variance) / ROWS.count();
            assertThat(mean).isCloseTo(exactMean, within(4.5 * error + 1e-9));
            LatentBounds bounds = fit.bounds(ROWS, 5, 50, Seed.of(8));
            double limit = bounds.logLikelihood().orElseThrow().value();
            assertThat(bounds.rows()).isEqualTo(36);
            assertThat(exactMean).isLessThanOrEqualTo(limit + 1e-9);
            assertThat(bounds.importanceWeighted().orElseThrow().value()).isBetween(exactMean - 0.2, limit + 0.2);
        }
    }

    @Test
    void theExactPosteriorIsBayesRule() {
        try (LatentFit fit = at(LatentPosterior.exact(), 2)) {
            double[] logJoint = fit.logJoint(ROWS, 4, CODES.all());
            double[] logQ = fit.posteriors(ROWS).get(4).logProb(CODES.all());
            for (int c = 0; c < 27; c++) {
                assertThat(logQ[c]).isCloseTo(logJoint[c] - forward(fit, ROWS.read(4)), within(1e-10));
            }
            LatentBounds bounds = fit.bounds(ROWS, 1, 5, Seed.of(1));
            assertThat(bounds.elbo()).isEqualTo(bounds.logLikelihood().orElseThrow());
        }
    }

    /** The mean log p(y) that no model passes is minus the entropy of the sequences' frequencies. */
    @Test
    @Tag("slow")
    void everyPosteriorLearnsThetaAndTheSumOverAllCodesMost() {
        double limit = -IntStream.rangeClosed(1, 8).mapToDouble(k -> k / 36.0 * Math.log(36.0 / k)).sum();
        LatentSettings settings = LatentSettings.standard(800).withBatch(36, 1).withRate(0.02);
        try (LatentFit exact = learned(LatentPosterior.exact(), settings);
                LatentFit product = learned(LatentPosterior.product(CODES, 16), settings);
                LatentFit each = learned(LatentPosterior.product(CODES).ofEachRow(), settings);
                LatentFit first = at(LatentPosterior.exact(), 1)) {
            double best = exact.bounds(ROWS, 1, 0, Seed.of(1)).elbo().value();
            assertThat(best).isBetween(limit - 0.01, limit);
            double start = first.bounds(ROWS, 1, 0, Seed.of(1)).elbo().value();
            for (LatentFit fit : List.of(product, each)) {
                LatentBounds bounds = fit.bounds(ROWS, 100, 0, Seed.of(1));
                // more than half of what there was to learn; the ELBO's error by 3,600 draws is below 0.01
                assertThat(bounds.elbo().value()).isBetween((start + limit) / 2, limit + 0.04);
                assertThat(bounds.logLikelihood().orElseThrow().value()).isBetween(bounds.elbo().value() - 0.04, limit);
            }
        }
    }

    @Test
    void interruptedTrainingResumesToTheSameEnd() throws IOException {
        LatentSettings settings = LatentSettings.standard(40).withBatch(10, 2);
        LatentPosterior posterior = LatentPosterior.autoregressive(CODES, 4);
        double[] whole;
        try (var training = new GradientTraining<>(new LatentTraining(CHAIN, ROWS, posterior, settings))) {
            whole = training.finish(training.init(Seed.of(1))).parameters();
        }
        try (var training = new GradientTraining<>(new LatentTraining(CHAIN, ROWS, posterior, settings))) {
            TrainingState middle = training.advance(training.init(Seed.of(1)), 17);
            CheckpointFolder.open(folder).save(training.save(middle));
        }
        try (var training = new GradientTraining<>(new LatentTraining(CHAIN, ROWS, posterior, settings))) {
            TrainingState end = new Run<>(training, Seed.of(99)).checkpoints(folder, 10).execute(true);
            assertThat(end.parameters()).containsExactly(whole);
            try (LatentFit fit = training.result(end); LatentFit loaded = LatentFit.of(CHAIN, posterior,
                    CheckpointFolder.look(folder).latest().orElseThrow().checkpoint())) {
                assertThat(loaded.parameter("moves")).containsExactly(fit.parameter("moves"));
                assertThat(loaded.logWeights(ROWS, 3, 2, Seed.of(1)))
                        .isDeepEqualTo(fit.logWeights(ROWS, 3, 2, Seed.of(1)));
            }
        }
    }

    @Test
    void aCheckpointOfOtherRowsModelOrPosteriorIsRefused() {
        LatentPosterior posterior = LatentPosterior.product(CODES, 4);
        LatentSettings settings = LatentSettings.standard(5);
        LatentModel other = new LatentModel(CODES, (graph, y, x) -> CHAIN.joint().logJoint(graph, y, x).plus(-1));
        Rows fewer = Rows.of(new float[][] {symbols(1), symbols(2)});
        try (var training = new GradientTraining<>(new LatentTraining(CHAIN, ROWS, posterior, settings));
                var rows = new GradientTraining<>(new LatentTraining(CHAIN, fewer, posterior, settings));
                var model = new GradientTraining<>(new LatentTraining(other, ROWS, posterior, settings))) {
            var saved = training.save(training.init(Seed.of(1)));
            assertThat(training.restore(saved).step()).isZero();
            assertThatThrownBy(() -> rows.restore(saved)).hasMessageContaining("rows was 36");
            assertThatThrownBy(() -> model.restore(saved)).hasMessageContaining("model and posterior was");
        }
    }

    @Test
    void theBestOfSeveralEvaluationsIsKept() {
        TrainingSettings judged = LatentSettings.standard(30).training().withEvaluations(10);
        LatentSettings settings = LatentSettings.standard(30).withBatch(36, 1).withTraining(judged);
        try (var training = new GradientTraining<>(
                new LatentTraining(CHAIN, ROWS, LatentPosterior.exact(), settings))) {
            TrainingState end = training.finish(training.init(Seed.of(1)));
            try (LatentFit fit = training.result(end)) {
                assertThat(fit.bounds(ROWS, 1, 0, Seed.of(1)).elbo().value())
                        .isCloseTo(end.best().value(), within(1e-12));
            }
        }
    }

    @Test
    void whatDoesNotFitIsRefusedInASentence() {
        LatentSettings settings = LatentSettings.standard(5);
        LatentModel shape = new LatentModel(CODES, (graph, y, x) -> x.sum(2));
        assertThatThrownBy(() -> new LatentTraining(shape, ROWS, LatentPosterior.exact(), settings))
                .hasMessageContaining("one value per row");
        LatentModel stray = new LatentModel(CODES, (graph, y, x) -> graph.adopt(x.variable().reshape(x.extent(0), 9)
                .mmul(graph.sameDiff().var("decoder", DataType.DOUBLE, 9, 1)).sum(1), x.extent(0)));
        assertThatThrownBy(() -> new LatentTraining(stray, ROWS, LatentPosterior.exact(), settings))
                .hasMessageContaining("[decoder]").hasMessageContaining("graph.parameter");
        assertThatThrownBy(() -> new LatentTraining(CHAIN, ROWS,
                LatentPosterior.product(CodeSpace.of(2, 2), 4), settings)).hasMessageContaining("posterior is on");
        assertThatThrownBy(() -> new LatentPosterior.Flows(Mixture.factorised(CODES, 3), (g, rows) -> rows, false))
                .hasMessageContaining("takes nothing from outside");
        LatentModel wide = new LatentModel(CodeSpace.uniform(10, 3), CHAIN.joint());
        assertThatThrownBy(() -> new LatentTraining(wide, ROWS, LatentPosterior.exact(), settings))
                .hasMessageContaining("batch = 36").hasMessageContaining("at most 8 rows");
        assertThatThrownBy(() -> settings.withEstimator(Estimator.RESAMPLED)).hasMessageContaining("resampled");
        assertThatThrownBy(() -> settings.withBatch(0, 1)).hasMessageContaining("batch = 0");
        assertThatThrownBy(() -> LatentPosterior.autoregressive(CODES)).hasMessageContaining("hidden is empty");
        assertThatThrownBy(() -> Rows.of(new float[][] {{1}, {Float.NaN}})).hasMessageContaining("row 2, column 1");
    }

    /** Theta as constants: the target of one row has no parameters, so every algorithm takes it. */
    @Test
    void theTargetOfARowIsTheJointAtTheLearnedTheta() {
        try (LatentFit fit = at(LatentPosterior.exact(), 2); GraphTarget target = fit.target(ROWS, 3)) {
            double[] expected = fit.logJoint(ROWS, 3, CODES.all());
            double[] values = target.logJoint(CODES.all());
            for (int c = 0; c < expected.length; c++) {
                assertThat(values[c]).isCloseTo(expected[c], within(1e-12));
            }
            Graph graph = new Graph(Precision.FLOAT);
            target.logJoint(graph, graph.placeholder("x", 4, LENGTH, 3));
            assertThat(graph.trained()).isEmpty();
            assertThat(graph.layout().size()).isZero();
        }
    }
}
