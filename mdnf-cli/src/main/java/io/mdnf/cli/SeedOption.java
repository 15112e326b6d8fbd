package io.mdnf.cli;

import io.mdnf.random.Seed;
import picocli.CommandLine.Option;

/** Mixin for commands that take a seed. Commands without randomness take it too, so that scripts need no exceptions. */
final class SeedOption {

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed: ${DEFAULT-VALUE} by default.")
    private long number;

    long number() {
        return number;
    }

    Seed seed() {
        return Seed.of(number);
    }
}
