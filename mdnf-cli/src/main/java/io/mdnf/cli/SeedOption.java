package io.mdnf.cli;

import io.mdnf.random.Seed;
import picocli.CommandLine.Option;

/** Mixin for commands whose answer depends on a seed. */
final class SeedOption {

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Seed")
    private long number;

    long number() {
        return number;
    }

    Seed seed() {
        return Seed.of(number);
    }
}
