package io.mdnf.experiments;

import java.util.List;
import java.util.Optional;

/** All experiments, in the order in which {@code reproduce all} runs them. */
public final class Experiments {

    private Experiments() {}

    /** Returns all experiments. */
    public static List<Experiment> all() {
        return List.of(new BnTable(), new BnAlgorithms(), new BnConvergence(), new BnTemperature(), new BnOracles(),
                new BnAnnealing(), new VaeElbo(), new VaeVariance(), new VaeDigits(), new PartialFlows(),
                new BaseDistributions(), new GaussianMixtures());
    }

    /**
     * One experiment.
     *
     * @param name its name
     * @return the experiment, if there is one of this name
     */
    public static Optional<Experiment> named(String name) {
        return all().stream().filter(e -> e.name().equals(name)).findFirst();
    }
}
