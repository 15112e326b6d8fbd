package io.mdnf.cli;

import picocli.CommandLine.Command;

/** {@code mdnf bn}: from a Bayesian network and evidence to a posterior. */
@Command(name = "bn", description = "Bayesian networks: look at one, infer exactly, fit a posterior, sample from it.%n",
        subcommands = {BnInfo.class, BnExact.class, BnFit.class, BnSample.class})
final class Bn extends CommandGroup { }
