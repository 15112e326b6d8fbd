package io.mdnf.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several runs of one plan give what each gives alone. */
@Timeout(60)
class RunsTest {

    private static final int RUNS = 3;

    /** Every operation of a tensor, in a graph of one run or of several. */
    private record Model(Graph graph, Tensor x, Tensor loss, Tensor rows) {
        static Model in(Graph g) {
            CodeSpace space = CodeSpace.of(3, 2, 3, 3);
            Tensor x = g.placeholder("x", 4, 5);
            Tensor w = g.parameter(new Parameter("w", Initialiser.normal(0.7), 5, 12));
            Tensor c = g.parameter(new Parameter("c", Initialiser.normal(0.7), 1, 12));
            Tensor v = g.parameter(new Parameter("v", Initialiser.normal(0.7), 4, 3, 2));
            Tensor hidden = x.matmul(w).plusRow(c).relu().plus(x.sum(1).repeatAt(1, 12).tanh());
            Tensor codes = StraightThrough.SECOND_ORDER.oneHot(hidden.reshape(4, 4, 3), space, g.ones(1, 1));
            Tensor first = StraightThrough.FIRST_ORDER.oneHot(hidden.reshape(4, 4, 3), space, g.ones(1, 1).times(0.5));
            Tensor looked = codes.permute(1, 0, 2).matmul(v).permute(1, 0, 2);
            Tensor both = Tensor.concat(2, looked, first, hidden.reshape(4, 4, 3).logSoftmax());
            Tensor spread = v.slice(0, 1, 1).spread(0, 4).matmulTransposed(v).sum(1).sigmoid();
            Tensor rows = both.sum(2).times(both.logSumExp()).sum(0).softplus();
            Tensor quotient = rows.reshape(1, 4).softmax().over(c.slice(1, 2, 4).exp());
            Tensor loss = rows.sum().plus(quotient.sum()).plus(spread.sum())
                    .plus(g.constant(new double[] {1, 2, 3, 4}, 4).times(rows).sum().times(0.1));
            return new Model(g, x, loss, rows);
        }

        /** Parameters, gradients, loss, what was read, and the optimiser's state, after some steps of one run. */
        double[] trained(ExecutionPlan plan, int run) {
            plan.restore(plan.layout().initial(Seed.of(run)), rule(), zeros(plan), 0);
            List<double[]> all = new ArrayList<>();
            for (int step = 0; step < 3; step++) {
                plan.write(x, new Draws(Seed.of(run).fold(step)).normal("x", x.size()));
                plan.run();
                all.add(new double[] {plan.loss()});
                all.add(plan.read(rows));
                all.add(plan.gradients());
                plan.update(rule(), 0.01);
                assertThat(plan.isFinite()).isTrue();
            }
            all.add(plan.parameters());
            all.addAll(List.of(plan.optimiserState()));
            all.add(new double[] {plan.updates()});
            return all.stream().flatMapToDouble(Arrays::stream).toArray();
        }

        private static Optimiser rule() {
            return new Optimiser.Adam();
        }

        private static double[][] zeros(ExecutionPlan plan) {
            return new double[2][plan.layout().size()];
        }
    }

    private static double[] alone(Precision precision, int run) {
        Model model = Model.in(new Graph(precision));
        try (ExecutionPlan plan = ExecutionPlan.compile(model.graph, model.loss, model.rows)) {
            return model.trained(plan, run);
        }
    }

    private static List<double[]> together(Precision precision) {
        Model model = Model.in(new Graph(precision, RUNS));
        List<ExecutionPlan> plans = ExecutionPlan.compileRuns(model.graph, model.loss, model.rows);
        return onThreads(i -> {
            try (ExecutionPlan plan = plans.get(i)) {
                return model.trained(plan, i);
            }
        });
    }

    private interface OfRun<T> {
        T of(int run) throws Exception;
    }

    private static <T> List<T> onThreads(OfRun<T> body) {
        ExecutorService threads = Executors.newFixedThreadPool(RUNS);
        try {
            List<Callable<T>> calls = new ArrayList<>();
            for (int run = 0; run < RUNS; run++) {
                int own = run;
                calls.add(() -> body.of(own));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> result : threads.invokeAll(calls)) {
                results.add(result.get());
            }
            return results;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @CsvSource({"DOUBLE, false, 1e-12", "FLOAT, false, 1e-5", "DOUBLE, true, 1e-12", "FLOAT, true, 1e-5"})
    void everyRunIsThatOfItsSeedAlone(Precision precision, boolean device, double rounding) {
        List<double[]> all = device ? DevicePathTest.asOnDevice(() -> together(precision)) : together(precision);
        for (int run = 0; run < RUNS; run++) {
            double[] one = alone(precision, run);
            double largest = Arrays.stream(one).map(Math::abs).max().orElseThrow();
            assertThat(all.get(run)).hasSameSizeAs(one);
            for (int i = 0; i < one.length; i++) {
                assertThat(all.get(run)[i]).as("run " + run + ", number " + i).isCloseTo(one[i],
                        Offset.offset(rounding * largest));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRunThatEndsIsWaitedForNoLongerAndOneThatIsNotFiniteHarmsNoOther(boolean device) {
        assertThat(device ? DevicePathTest.asOnDevice(RunsTest::finite) : finite()).containsExactly(true, false, true);
    }

    private static List<Boolean> finite() {
        Model model = Model.in(new Graph(Precision.DOUBLE, RUNS));
        List<ExecutionPlan> plans = ExecutionPlan.compileRuns(model.graph, model.loss, model.rows);
        return onThreads(run -> {
            try (ExecutionPlan plan = plans.get(run)) {
                plan.load(plan.layout().initial(Seed.of(run)));
                for (int step = 0; step < (run == 0 ? 1 : 3); step++) {
                    double[] x = new double[model.x.size()];
                    Arrays.fill(x, run == 1 ? Double.NaN : 0.1);
                    plan.write(model.x, x);
                    plan.run();
                    plan.update(new Optimiser.Sgd(), 0.01);
                }
                return plan.isFinite();
            }
        });
    }

    @Test
    @Timeout(60)
    void anErrorReachesAllRunsAndLeavesNoneWaiting() {
        Lockstep together = new Lockstep(RUNS, () -> { });
        assertThat(onThreads(run -> {
            try {
                together.meet("a run", () -> {
                    throw new OutOfMemoryError("none left");
                });
                return "done";
            } catch (OutOfMemoryError e) {
                return e.getMessage();
            }
        })).containsOnly("none left");
    }

    @Test
    @Timeout(60)
    void aRunInterruptedWhileItsStepWasDoneIsNotCountedOut() throws Exception {
        Lockstep together = new Lockstep(2, () -> { });
        Thread interrupted = new Thread(() -> {
            assertThatThrownBy(() -> together.meet("a run", () -> { })).hasMessageContaining("interrupted");
            together.leave();
        });
        interrupted.start();
        while (interrupted.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        synchronized (together) {
            interrupted.interrupt();
            // awake, and waiting for this monitor
            while (interrupted.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            together.meet("a run", () -> { });
        }
        interrupted.join();
        // now alone, and waiting for nobody
        List<String> done = new ArrayList<>();
        together.meet("another run", () -> done.add("one"));
        assertThat(done).containsExactly("one");
    }

    @Test
    void runsThatTakeDifferentStepsAreRefused() {
        Model model = Model.in(new Graph(Precision.DOUBLE, RUNS));
        List<ExecutionPlan> plans = ExecutionPlan.compileRuns(model.graph, model.loss);
        assertThatThrownBy(() -> onThreads(run -> {
            try (ExecutionPlan plan = plans.get(run)) {
                plan.run();
                plan.update(new Optimiser.Sgd(), run == 1 ? 0.1 : 0.2);
                return plan.loss();
            }
        })).hasRootCauseInstanceOf(IllegalStateException.class).rootCause().hasMessageContaining("rate 0.1")
                .hasMessageContaining("rate 0.2");
        assertThatThrownBy(() -> ExecutionPlan.compile(model.graph, model.loss)).hasMessageContaining("compileRuns");
    }
}
