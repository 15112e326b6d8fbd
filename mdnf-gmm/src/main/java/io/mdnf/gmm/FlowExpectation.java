package io.mdnf.gmm;

import io.mdnf.flow.Setting;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import io.mdnf.training.TrainingTask;

/** An E-step that fits a mixture of discrete flows. Holds a compiled graph; not for several threads at once. */
abstract class FlowExpectation extends TrainingTask<double[]> {

    /**
     * What one E-step by flows gave.
     *
     * @param responsibilities flat r[N, K], a value the mixture of flows can take
     * @param flow the flows' parameters, where the next E-step starts
     */
    record Fit(double[] responsibilities, double[] flow, int iterations) {}

    final FlowSettings settings;
    final Graph graph;
    final Setting setting;

    FlowExpectation(FlowSettings settings, Precision precision) {
        this.settings = settings;
        this.graph = new Graph(precision);
        this.setting = Setting.in(graph);
    }

    static FlowExpectation of(int points, int clusters, FlowSettings settings, Seed bases) {
        return settings.algorithm() == FlowSettings.Algorithm.VIF
                ? new VifExpectation(points, clusters, settings, bases)
                : new BoostedExpectation(points, clusters, settings);
    }

    /** Parameters of the flows before the first E-step. */
    @Override
    public abstract double[] initial(Seed seed);

    /**
     * Fits q(Z).
     *
     * @param previous r of the previous E-step, which the result shall not fall behind; null at first
     * @param emStep for the temperature
     */
    final Fit fit(AllocationBound bound, double[] flow, double[] previous, int emStep, Seed seed) {
        trains(plan(), settings.training(emStep, graph.precision()));
        return fit(bound, flow, previous, seed);
    }

    abstract Fit fit(AllocationBound bound, double[] flow, double[] previous, Seed seed);

    final TrainingState trained(Seed seed, double[] from) {
        GradientTraining<double[]> training = new GradientTraining<>(this);
        return training.finish(training.start(seed, from));
    }

    @Override
    public void feed(TrainingStep step) {
        plan().write(setting.inverseTemperature(), 1 / step.temperature());
    }

    /** The bound of each step is exact. */
    @Override
    public boolean isExact() {
        return true;
    }
}
