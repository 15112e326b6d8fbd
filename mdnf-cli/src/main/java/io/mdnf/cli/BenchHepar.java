package io.mdnf.cli;

import io.mdnf.base.FixedBase;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Weighting;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mdnf bench hepar}: the training step of the paper's mixture of MADE flows on Hepar II, carcinoma=present. */
@Command(
        name = "hepar",
        description = {
            "Times the training step of a joint mixture of MADE flows (linear, one hidden layer of 69) on Hepar II,",
            "carcinoma=present: bases from Dirichlet(0.01), S=100, RMSprop 0.01, tau = 0.1, float.%n"})
final class BenchHepar extends BenchTraining {

    @Option(names = "--components", paramLabel = "B", defaultValue = "20",
            description = "How many flows: ${DEFAULT-VALUE} by default.")
    private int components;

    @Override
    public Integer call() {
        if (components < 1 || components > 1000) {
            throw new UsageProblem("--components " + components + ": 1 to 1000 are possible");
        }
        return train("hepar-made-B" + components + "-S100", "hepar2", "carcinoma=present",
                target -> Mixture.made(
                        FixedBase.dirichlet(target.space(), components, 0.01, seed().fold("base")), Weighting.EQUAL),
                TemperatureSchedule.constant(0.1));
    }
}
