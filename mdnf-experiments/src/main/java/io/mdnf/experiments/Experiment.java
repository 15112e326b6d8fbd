package io.mdnf.experiments;

import io.mdnf.report.ReportSection;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * One experiment of the paper. To add one: write what it runs, and list it here.
 *
 * @param name its name on the command line, such as "bn-table"
 * @param paper what of the paper it is, in a few words
 * @param quickMinutes how long it takes on two cores at quick scale
 * @param paperMinutes how long at the paper's
 * @param body runs it
 */
public record Experiment(String name, String paper, double quickMinutes, double paperMinutes, Body body) {

    private static final List<Experiment> ALL = List.of(
            new Experiment("bn-table", "Table of KL for eight cases, and exact limits", 0.7, 8, BnTable::run),
            new Experiment("bn-gradients", "the same table by gradients alone, over temperatures", 1.5, 7,
                    BnGradients::run),
            new Experiment("bn-algorithms", "Fig. 5 left: VIF, BVIF and BVI over B", 3, 800, BnAlgorithms::run),
            new Experiment("bn-convergence", "Fig. 1: internal objective against the true one", 0.9, 3,
                    BnConvergence::run),
            new Experiment("bn-temperature", "Fig. 3 left and its supplement: KL over temperatures", 0.9, 16,
                    TemperatureStudies::constant),
            new Experiment("bn-oracles", "Fig. 3 right and its table: weak and strong oracles", 0.4, 25,
                    TemperatureStudies::oracles),
            new Experiment("bn-annealing", "supplement to Sec. 6.2: the same with annealing", 1, 16,
                    TemperatureStudies::annealed),
            new Experiment("vae-elbo", "Fig. 4: VAEs on MNIST, every method and size", 2.3, 1740, VaeElbo::run),
            new Experiment("vae-estimators", "beyond the paper: estimators for autoencoders", 15, 30_000,
                    VaeEstimators::run),
            new Experiment("vae-variance", "supplement: noise of the objective with one sample", 0.5, 3.5,
                    VaeVariance::run),
            new Experiment("vae-digits", "supplement, figure 'vae': digits drawn from VAEs", 0.9, 7, VaeDigits::run),
            new Experiment("partial-flows", "supplement, table 'partial': order of categories", 0.7, 4,
                    PartialFlows::run),
            new Experiment("base-distributions", "figure 5 right; supplement, base and temperature", 0.5, 8,
                    BaseDistributions::run),
            new Experiment("gradient-noise", "Sec. 4.3: variance of gradients, every method", 1, 5,
                    GradientNoise::run),
            new Experiment("growth", "Sec. 4.4: cost over B and D, beside O(B D) and O(B)", 0.5, 1, Growth::run),
            new Experiment("sizes", "beyond the paper: cost of messages over D, up to 5,000", 2, 4, Sizes::run),
            new Experiment("gmm", "supplement, figure 'gmmvi': Gaussian mixtures", 0.5, 15, GaussianMixtures::run));

    /** What an experiment does; it is sent to who makes its fits. */
    public interface Body extends Serializable {

        /** Runs it; returns its section of the report. */
        ReportSection run(Workplace workplace) throws IOException;
    }

    /** Returns all experiments, in the order in which {@code reproduce all} runs them. */
    public static List<Experiment> all() {
        return ALL;
    }

    /** Returns the experiment of a name, if there is one. */
    public static Optional<Experiment> named(String name) {
        return ALL.stream().filter(e -> e.name().equals(name)).findFirst();
    }
}
