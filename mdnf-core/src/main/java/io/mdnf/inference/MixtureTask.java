package io.mdnf.inference;

import io.mdnf.distribution.FlowMixture;
import io.mdnf.mixture.Mixture;
import io.mdnf.training.TrainingState;
import io.mdnf.training.TrainingTask;

/** Trains a mixture whose parameters are the plan's; what comes of it is the best so far. */
abstract class MixtureTask extends TrainingTask<FlowMixture> {

    final Mixture mixture;

    MixtureTask(Mixture mixture) {
        this.mixture = mixture;
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
