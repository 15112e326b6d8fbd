package io.mdnf.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Seed;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Shards of a step, each on a thread of its own. */
class ShardsTest {

    /** Of its two shards the first fails while the other is still at work. */
    private static final class Failing extends TrainingTask<double[]> {
        private final List<String> events = new CopyOnWriteArrayList<>();
        private final CountDownLatch atWork = new CountDownLatch(1);
        private final ExecutionPlan other;

        Failing() {
            Graph graph = new Graph(Precision.DOUBLE);
            Tensor w = graph.parameter(new Parameter("w", Initialiser.constant(2), 1, 1));
            trains(ExecutionPlan.compile(graph, w.times(w).sum()),
                    TrainingSettings.of(new Optimiser.Sgd(), 0.1).withStop(StopRule.maxSteps(1)).withEvaluations(0));
            other = plan().replica();
        }

        @Override
        public int shards() {
            return 2;
        }

        @Override
        public ExecutionPlan plan(int shard) {
            return shard == 0 ? plan() : other;
        }

        @Override
        public void feed(TrainingStep step) {
            try {
                atWork.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            throw new IllegalStateException("nothing to feed");
        }

        @Override
        public void feed(TrainingStep step, int shard) {
            if (shard == 0) {
                feed(step);
            }
            atWork.countDown();
            try {
                Thread.sleep(300);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            events.add("fed");
        }

        @Override
        public double[] result(TrainingState state) {
            return state.parameters();
        }

        @Override
        public void close() {
            events.add("closed");
            other.close();
            super.close();
        }
    }

    @Test
    void aTrainingThatFailedIsClosedWhenNoShardIsAtWork() {
        Failing task = new Failing();
        try (GradientTraining<double[]> training = new GradientTraining<>(task)) {
            assertThatThrownBy(() -> training.advance(training.init(Seed.of(1)), 1)).hasMessage("nothing to feed");
        }
        assertThat(task.events).containsExactly("fed", "closed");
    }
}
