package io.mdnf.cli;

import io.mdnf.fit.Budget;
import picocli.CommandLine.Option;

/** Mixin for commands that answer within a budget: what tables of messages may take. */
final class TableOptions {

    @Option(names = "--memory", paramLabel = "SIZE",
            description = "What tables may take, such as 500m or 2GB; most of what Java has left unless given.")
    private String memory;

    @Option(names = "--tables", paramLabel = "ENTRIES", description = "How many entries one table may have, such as "
            + "65536; what memory and time allow unless given.")
    private Long tables;

    long memory() {
        return BnCase.bytes(memory);
    }

    /** The budget of so much time, as an option says it. */
    Budget within(String time) {
        if (tables != null && tables < 1) {
            throw new UsageProblem("--tables " + tables + ": at least 1 is needed");
        }
        return new Budget(BnCase.seconds(time), memory(), tables == null ? Double.POSITIVE_INFINITY : tables);
    }
}
