package io.mdnf.cli;

import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.flow.Setting;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.SessionTwin;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Sampling;
import io.mdnf.objective.Elbo;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code mdnf bench plan}: loss and gradients of the Sachs-sized step (D = 10, K = 3, B = 40, S = 100, float) by an
 * {@link ExecutionPlan} and by SameDiff's own session, in turns.
 */
@Command(name = "plan", footer = "  mdnf bench plan", description = {
    "Times loss and gradients by an execution plan and by SameDiff's own session.",
    "In turns, on a joint mixture on Sachs, Akt=LOW (D=10, K=3, B=40, S=100, float); compares the numbers they give."})
final class BenchPlan implements Callable<Integer> {

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "12", description = "How long to measure")
    private double seconds;

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    /**
     * The answer: medians over blocks, and their ratio, session / plan.
     *
     * @param maxDifference largest absolute difference of loss and gradients
     * @param operations of the graph, without gradients
     */
    record Answer(double planMsPerStep, double sessionMsPerStep, double ratio, double maxDifference, int operations,
            int planCalls) { }

    @Override
    public Integer call() {
        BenchTraining.checkSeconds(seconds);
        Nd4jStart.now();
        Answer answer = measure();
        json.answer(() -> answer, out -> out.printf(Locale.ROOT,
                "execution plan    %8.3f ms per step (%d native calls)%n"
                + "SameDiff session  %8.3f ms per step (%d operations before gradients)%n"
                + "ratio             %8.1f%nlargest difference of loss and gradients: %s%n", answer.planMsPerStep,
                answer.planCalls, answer.sessionMsPerStep, answer.operations, answer.ratio, answer.maxDifference));
        return 0;
    }

    private Answer measure() {
        NetworkTarget target = new NetworkTarget(Evidence.parse(BuiltInNetworks.open("sachs"), "Akt=LOW"));
        Graph graph = new Graph(Precision.FLOAT);
        Setting setting = Setting.in(graph);
        Mixture mixture = Mixture.atoms(target.space(), 40);
        MixtureGraph q = mixture.in(setting);
        Sampling sampling = q.sample(100, Estimator.CHOSEN);
        Tensor logProb = q.logProb(sampling.codes(), MixtureGraph.TRAINING);
        Tensor loss = new Elbo().loss(target.logJoint(graph, sampling.codes()), logProb, sampling.weights());
        int operations = graph.operationCount();
        Seed start = seed.seed();
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss)) {
            plan.load(graph.layout().initial(start.fold("parameters")));
            plan.write(setting.inverseTemperature(), 1);
            sampling.draw(plan, new Draws(start.fold("step")));
            SessionTwin session = new SessionTwin(graph, loss);
            session.copy(plan);
            int blocks = (int) Math.max(1, seconds / 0.8);
            double warmUp = Math.min(2, seconds / 4);
            BenchTimer ours = new BenchTimer(n -> IntStream.range(0, n).forEach(i -> plan.run()), warmUp);
            BenchTimer theirs = new BenchTimer(n -> IntStream.range(0, n).forEach(i -> session.run()), warmUp);
            for (int i = 0; i < blocks; i++) {
                ours.block();
                theirs.block();
            }
            return new Answer(ours.milliseconds(), theirs.milliseconds(), theirs.milliseconds() / ours.milliseconds(),
                    session.maxDifference(plan), operations, plan.callCount());
        }
    }
}
