package io.mdnf.cli;

import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.graph.Backend;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.objective.Elbo;
import io.mdnf.report.Block;
import io.mdnf.report.Decimals;
import io.mdnf.space.CodeSpace;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.training.TrainingSettings;
import io.mdnf.training.TrainingState;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Mixin for benches of a whole training step: {@link Vif} with RMSprop 0.01 and S = 100, in float. */
final class BenchTraining {

    private static final int SAMPLES = 100;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "6",
            description = "How long to measure, after a warm-up")
    private double seconds;

    @Option(names = "--line", description = "Print one line of key=value pairs, as other benchmark programs do.")
    private boolean line;

    @Option(names = "--profile", description = "Show the slowest native calls of a step.")
    private boolean profile;

    @Mixin
    SeedOption seed;

    @Mixin
    private JsonOption json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /**
     * The answer, of D variables with K categories, B components and S samples.
     *
     * @param stepsPerSecond median over blocks
     * @param bestBlock steps per second of the fastest block
     * @param cpuMsPerStep processor time of the whole process, median over blocks
     * @param threads of a native operation
     * @param nativeCalls of one step
     * @param loss the negative bound of the last step
     * @param heapMb most megabytes of the heap that were in use
     */
    record Answer(String workload, int variables, int width, int components, int samples, double stepsPerSecond,
            double bestBlock, double cpuMsPerStep, int threads, int blocks, int stepsPerBlock, int nativeCalls,
            double loss, double heapMb) {

        String line() {
            return String.format(Locale.ROOT, "mdnf %s steps_per_s=%.2f best_block=%.2f cpu_ms_per_step=%.4f threads=%d"
                    + " blocks=%dx%d loss=%.4f heap_mb=%.0f", workload, stepsPerSecond, bestBlock, cpuMsPerStep,
                    threads, blocks, stepsPerBlock, loss, heapMb);
        }
    }

    static void checkSeconds(double seconds) {
        if (!(seconds > 0) || seconds > 3600) {
            throw new UsageProblem("--seconds " + seconds + ": a number above 0 and at most 3600 is needed");
        }
    }

    /** Trains on a built-in network until the time is up, and prints what it took. */
    int train(String workload, String network, String evidence, Function<NetworkTarget, Mixture> family,
            TemperatureSchedule temperature) {
        Nd4jStart.now();
        NetworkTarget target = new NetworkTarget(Evidence.parse(BuiltInNetworks.open(network), evidence));
        Mixture mixture = family.apply(target);
        // the bound is never evaluated: what is measured is the step, as in other programs
        VifSettings settings = new VifSettings(SAMPLES, Estimator.CHOSEN, StraightThrough.FIRST_ORDER, new Elbo(), 0,
                TrainingSettings.of(new Optimiser.RmsProp(), 0.01).withTemperature(temperature)
                        .withPrecision(Precision.FLOAT));
        try (var training = new GradientTraining<>(new Vif(target, mixture, settings))) {
            measure(workload, target.space(), mixture.components(), SAMPLES, training);
        }
        return 0;
    }

    /** Makes steps until the time is up, of S samples or so many images each, and prints what they took. */
    void measure(String workload, CodeSpace space, int components, int samples, GradientTraining<?> training) {
        checkSeconds(seconds);
        if (line && json.given()) {
            throw new UsageProblem("--line and --json: one of them, not both");
        }
        ExecutionPlan plan = training.task().plan();
        TrainingState[] state = {training.init(seed.seed())};
        BenchTimer timer = new BenchTimer(n -> state[0] = training.advance(state[0], n), Math.min(2, seconds));
        long end = System.nanoTime() + (long) (seconds * 1e9);
        do {
            timer.block();
        } while (System.nanoTime() < end);
        Answer answer = new Answer(workload, space.variables(), space.width(), components, samples,
                1e3 / timer.milliseconds(), timer.bestRate(), timer.cpuMilliseconds(),
                plan.hasLargeProducts() ? Backend.productThreads() : 1,
                timer.blocks(), timer.stepsPerBlock(), plan.callCount(), -state[0].value(), heapMb());
        print(answer, profile ? plan.profile(Math.max(20, timer.stepsPerBlock() / 2)) : List.of());
    }

    private static double heapMb() {
        return ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToDouble(pool -> pool.getPeakUsage().getUsed() / 1e6).sum();
    }

    private void print(Answer answer, List<ExecutionPlan.Timing> timings) {
        if (!timings.isEmpty()) {
            PrintWriter err = spec.commandLine().getErr();
            err.print(TextTables.text(Block.Table.numbers("native calls", "operation", List.of("microseconds"))
                    .rows(timings.subList(0, Math.min(40, timings.size())),
                            t -> List.of(t.operation(), Decimals.fixed(t.microseconds(), 1)))));
            err.printf(Locale.ROOT, "all %d calls: %.1f microseconds%n", timings.size(),
                    timings.stream().mapToDouble(ExecutionPlan.Timing::microseconds).sum());
            err.flush();
        }
        json.answer(spec, () -> answer, out -> out.println(line ? answer.line() : String.format(Locale.ROOT,
                "%s: %.1f steps per second (fastest block %.1f), %.3f ms of processor time a step,"
                        + " %d native calls, %d thread%s", answer.workload, answer.stepsPerSecond, answer.bestBlock,
                answer.cpuMsPerStep, answer.nativeCalls, answer.threads, answer.threads == 1 ? "" : "s")));
    }
}
