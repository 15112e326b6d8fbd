package io.mdnf.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code mdnf bench}: how fast and how accurate the library is on this machine. */
@Command(
        name = "bench",
        description = "Measure speed and accuracy on this machine.%n",
        subcommands = {BenchPlan.class, BenchSachs.class, BenchHepar.class, BenchVae.class, BenchFamilies.class})
public final class Bench implements Runnable {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    /** Creates the command; picocli does. */
    public Bench() { }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
