package io.mdnf.cli;

import io.mdnf.training.TemperatureSchedule;
import io.mdnf.mixture.Mixture;
import picocli.CommandLine.Command;

/** {@code mdnf bench sachs}: the training step of 40 atoms on Sachs, Akt=LOW: D = 10, K = 3, B = 40, S = 100. */
@Command(
        name = "sachs",
        description = {
            "Times the training step of a joint mixture of 40 deltas on Sachs, Akt=LOW: D=10, K=3, B=40, S=100,",
            "RMSprop 0.01, tau = max(10 exp(-0.01 i), 0.001), float.%n"})
final class BenchSachs extends BenchTraining {

    @Override
    public Integer call() {
        return train("sachs-D10-K3-B40-S100", "sachs", "Akt=LOW", target -> Mixture.atoms(target.space(), 40),
                TemperatureSchedule.exponential(10, 0.01, 0.001));
    }
}
