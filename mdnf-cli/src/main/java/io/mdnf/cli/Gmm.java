package io.mdnf.cli;

import picocli.CommandLine.Command;

/** Bayesian Gaussian mixtures: fit one to a table, or let a fitted one judge new rows. */
@Command(name = "gmm", description = "Fit Bayesian Gaussian mixtures and apply them.%n",
        subcommands = {GmmFit.class, GmmAssign.class})
final class Gmm extends CommandGroup { }
