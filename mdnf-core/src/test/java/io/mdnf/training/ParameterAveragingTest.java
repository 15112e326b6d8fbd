package io.mdnf.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Seed;
import io.mdnf.work.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParameterAveragingTest {

    private static final double RATE = 0.1;
    private static final double[] CENTRES = {-1, 4, 9};
    private static final int EVERY = 4;
    /** Rounds end here too: as epochs do. */
    private static final int WITHIN = 10;

    /** Minimises half the squared distance of w to a centre, and counts in a part what it has stepped over. */
    private static final class Distance extends TrainingTask<double[]> implements ParameterAveraging.Sharded {
        private final Tensor centre;
        private final double at;
        private final double[] centres;

        Distance(double at, int steps, int evaluateEvery, double... centres) {
            this.at = at;
            this.centres = centres;
            Graph graph = new Graph(Precision.DOUBLE);
            Tensor w = graph.parameter(new Parameter("w", Initialiser.constant(2), 1, 1));
            centre = graph.placeholder("centre", 1, 1);
            Tensor away = w.minus(centre);
            trains(ExecutionPlan.compile(graph, away.times(away).times(0.5).sum()),
                    TrainingSettings.of(new Optimiser.Sgd(), RATE).withStop(StopRule.maxSteps(steps))
                            .withEvaluations(evaluateEvery));
        }

        @Override
        public Map<String, double[]> parts(Seed seed) {
            return Map.of("passed", new double[1]);
        }

        @Override
        public void feed(TrainingStep step) {
            plan().write(centre, new double[] {at});
        }

        @Override
        public Map<String, double[]> after(TrainingStep step, double value) {
            return Map.of("passed", new double[] {step.parts().get("passed")[0] + at});
        }

        @Override
        public List<ParameterAveraging.Shard> shardsOfData() {
            return Arrays.stream(centres).<ParameterAveraging.Shard>mapToObj(own ->
                    () -> new Distance(own, Integer.MAX_VALUE, 0)).toList();
        }

        @Override
        public long roundEnd(long step) {
            return Math.min((step % WITHIN / EVERY + 1) * EVERY, WITHIN) + step - step % WITHIN;
        }

        @Override
        public double[] result(TrainingState state) {
            return state.parameters();
        }
    }

    private static ParameterAveraging<double[]> training(int steps, int threads) {
        return new ParameterAveraging<>(new Distance(Double.NaN, steps, 0, CENTRES), Workers.here(threads));
    }

    @Test
    void shardsStepApartAndGoOnFromTheirMean() {
        for (int threads = 1; threads <= 3; threads++) {
            try (ParameterAveraging<double[]> training = training(2 * WITHIN, threads)) {
                List<Long> seen = new ArrayList<>();
                TrainingState end = training.advance(training.init(Seed.of(1)), Integer.MAX_VALUE, info -> {
                    seen.add(info.step());
                    return true;
                });
                assertThat(seen).containsExactly(4L, 8L, 10L, 14L, 18L, 20L);
                double w = 2;
                for (int steps : new int[] {4, 4, 2, 4, 4, 2}) {
                    double from = w;
                    double kept = Math.pow(1 - RATE, steps);
                    w = Arrays.stream(CENTRES).map(c -> c + kept * (from - c)).average().orElseThrow();
                }
                assertThat(training.result(end)[0]).isCloseTo(w, within(1e-12));
                assertThat(end.part("passed")[0]).isCloseTo(2 * WITHIN * 4.0, within(1e-12));
            }
        }
    }

    /** Workers of whom the last ends first. */
    private record Backwards(Workers workers) implements Workers {

        @Override
        public <T> Sent<T> send(T value) {
            return workers.send(value);
        }

        @Override
        public <P, R> void run(List<P> pieces, Work<P, R> work, Taker<R> taker) throws IOException {
            Map<Integer, R> results = new TreeMap<>(Comparator.reverseOrder());
            workers.run(pieces, work, results::put);
            for (Map.Entry<Integer, R> result : results.entrySet()) {
                taker.take(result.getKey(), result.getValue());
            }
        }
    }

    @Test
    void shardsAreAddedInTheirOrderWhoeverEndsFirst() {
        // to the first a number is added to the next half, to the last to the next quarter
        double[] centres = {1e16, 2.7, -5e15};
        double[] ends = Arrays.stream(centres).map(centre -> {
            try (var alone = new GradientTraining<>(new Distance(centre, EVERY, 0))) {
                return alone.finish(alone.init(Seed.of(1))).parameters()[0];
            }
        }).toArray();
        double mean = (ends[0] + ends[1] + ends[2]) / 3;
        assertThat(mean).isNotEqualTo((ends[0] + ends[2] + ends[1]) / 3)
                .isNotEqualTo((ends[2] + ends[1] + ends[0]) / 3);
        for (Workers workers : List.of(Workers.here(1), new Backwards(Workers.here(1)))) {
            try (var training = new ParameterAveraging<>(new Distance(Double.NaN, EVERY, 0, centres), workers)) {
                assertThat(training.advance(training.init(Seed.of(1)), EVERY).parameters()).containsExactly(mean);
            }
        }
    }

    @Test
    void aRoundIsNeverCutHoweverFewStepsAreAskedFor() {
        try (ParameterAveraging<double[]> training = training(WITHIN, 1)) {
            TrainingState first = training.init(Seed.of(1));
            assertThat(training.advance(first, 1).step()).isEqualTo(EVERY);
            assertThat(training.advance(first, 5).step()).isEqualTo(2 * EVERY);
            TrainingState end = IntStream.range(0, 5).boxed().reduce(first, (at, i) -> training.advance(at, 1),
                    (a, b) -> b);
            assertThat(end.step()).isEqualTo(WITHIN);
            assertThat(end.parameters()).isEqualTo(training.advance(first, WITHIN).parameters());
        }
    }

    @Test
    void theBestOfAShardIsNotTheBestOfTheMean() {
        try (Distance task = new Distance(0, 1, 5)) {
            assertThatThrownBy(() -> new ParameterAveraging<>(task, Workers.here(1)))
                    .hasMessageContaining("set evaluateEvery = 0");
        }
    }
}
