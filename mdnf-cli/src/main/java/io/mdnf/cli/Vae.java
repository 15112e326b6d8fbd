package io.mdnf.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Variational autoencoders with discrete codes: train one on MNIST, and see what it is worth. */
@Command(name = "vae",
        subcommands = {VaeTrain.class, VaeEvaluate.class, VaeSample.class, VaeReconstruct.class, VaeCodes.class},
        description = "Train variational autoencoders with discrete codes on MNIST, and use them.%n")
public final class Vae implements Runnable {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** Creates the command; picocli does. */
    public Vae() { }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
