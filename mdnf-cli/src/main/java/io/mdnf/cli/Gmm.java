package io.mdnf.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Bayesian Gaussian mixtures: fit one to a table, or let a fitted one judge new rows. */
@Command(name = "gmm", subcommands = {GmmFit.class, GmmAssign.class},
        description = "Fit Bayesian Gaussian mixtures and apply them.%n")
public final class Gmm implements Runnable {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** Creates the command; picocli does. */
    public Gmm() { }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
