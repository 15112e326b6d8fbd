package io.mdnf.cli;

import picocli.CommandLine.Command;

/** {@code mdnf bench}: how fast and how accurate the library is on this machine. */
@Command(name = "bench", description = "Measure speed and accuracy on this machine.%n",
        subcommands = {BenchPlan.class, BenchSachs.class, BenchHepar.class, BenchVae.class, BenchFamilies.class})
final class Bench extends CommandGroup { }
