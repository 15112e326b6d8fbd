package io.mdnf.cli;

import picocli.CommandLine.Command;

/** Variational autoencoders with discrete codes: train one on MNIST, and see what it is worth. */
@Command(name = "vae", description = "Train variational autoencoders with discrete codes on MNIST, and use them.%n",
        subcommands = {VaeTrain.class, VaeEvaluate.class, VaeSample.class, VaeReconstruct.class, VaeCodes.class})
final class Vae extends CommandGroup { }
