package io.mdnf.bn;

import io.mdnf.search.Effort;

/** The standard effort with few steps of BVIF, for tests of what it answers and not of how well. */
final class ShortTraining {

    static final Effort EFFORT = of(Effort.standard());

    private ShortTraining() {
    }

    private static Effort of(Effort all) {
        Effort.Fitting f = all.fitting();
        return new Effort(all.atoms(), all.products(), all.learning(), all.messages(),
                all.correction(), new Effort.Fitting(f.components(), f.vifSteps(),
                f.bvifSteps(), f.vifAloneSteps(), 10, f.leastGain(), f.patience(), f.productAloneSteps(),
                f.conditionalsAloneSteps(), f.saveEvery(), f.boundSamples(), f.marginalSamples(), f.weightSamples(),
                f.lookedAround(), f.tolerated()));
    }
}
