package io.mdnf.inference;

import io.mdnf.distribution.FlowMixture;
import io.mdnf.mixture.Mixture;
import io.mdnf.objective.Bound;
import io.mdnf.target.TargetModel;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingStep;
import io.mdnf.training.TrainingTask;

/** Trains a mixture whose parameters are the plan's; what comes of it is the best so far. */
abstract class MixtureTask extends TrainingTask<FlowMixture> {

    /** Samples behind an evaluation along the way: a standard error of 0.03 where log weights vary by 1. */
    static final int EVALUATION_SAMPLES = 1000;
    /** Codes up to which such an evaluation sums over all of them: about as fast. */
    private static final int EVALUATION_CODES = 2000;

    final Mixture mixture;

    MixtureTask(Mixture mixture) {
        this.mixture = mixture;
    }

    /** The bound of what a step has led to: by a small sum, or by the same samples every time. */
    static double evaluated(TargetModel target, FlowMixture q, TrainingStep step) {
        return Bound.of(target, q, EVALUATION_SAMPLES, step.seed().fold("evaluation"), EVALUATION_CODES).value();
    }

    @Override
    public int components() {
        return mixture.components();
    }

    @Override
    public FlowMixture result(TrainingState state) {
        return new FlowMixture(mixture, state.best().parameters());
    }
}
