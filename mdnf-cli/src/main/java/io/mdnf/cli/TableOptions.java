package io.mdnf.cli;

import io.mdnf.elimination.Memory;
import io.mdnf.fit.Budget;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Mixin for commands that answer within a budget: what tables of messages may take. */
final class TableOptions {
    static final double GIGABYTES = 1.0 / (1L << 30);
    private static final Pattern TIME = Pattern.compile("([0-9]{1,6}(?:[.][0-9]{1,3})?)(s|m|min|h)?");
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,8})([kmg])b?");

    @Option(names = "--memory", paramLabel = "SIZE",
            description = "What tables may take, such as 500m or 2GB; most of what Java has left unless given.")
    private String memory;

    @Option(names = "--tables", paramLabel = "ENTRIES", description = "How many entries one table may have, such as "
            + "65536; what memory and time allow unless given.")
    private Long tables;

    long memory() {
        return bytes(memory);
    }

    /** The budget of so much time, as an option says it. */
    Budget within(String time) {
        if (tables != null && tables < 1) {
            throw new UsageProblem("--tables " + tables + ": at least 1 is needed");
        }
        return new Budget(seconds(time), memory(), tables == null ? Double.POSITIVE_INFINITY : tables);
    }

    /** What {@code --budget} says in seconds. */
    static double seconds(String budget) {
        Matcher time = TIME.matcher(budget);
        double number = time.matches() ? Double.parseDouble(time.group(1)) : 0;
        if (number == 0) {
            throw new UsageProblem("--budget " + budget
                    + ": a number above 0 and s, m or h is needed, such as 60s or 5m");
        }
        String unit = time.group(2) == null ? "s" : time.group(2).substring(0, 1);
        return number * Math.pow(60, "smh".indexOf(unit));
    }

    /** What {@code --memory} says in bytes; what Java has left if it was not given. */
    static long bytes(String memory) {
        if (memory == null) {
            return Memory.available();
        }
        Matcher size = SIZE.matcher(memory.toLowerCase(Locale.ROOT));
        if (!size.matches()) {
            throw new UsageProblem("--memory " + memory + ": a number and k, m or g is needed, such as 500m or 4g");
        }
        long bytes = Long.parseLong(size.group(1)) << 10 * (1 + "kmg".indexOf(size.group(2)));
        long most = Runtime.getRuntime().maxMemory();
        if (bytes > most) {
            // a quarter on top leaves Java room
            throw new UsageProblem(String.format(Locale.ROOT, "--memory %s: Java may take %.1fg in all here; "
                    + "MDNF_JAVA_OPTS=-Xmx%.0fg gives it more", memory, most * GIGABYTES,
                    Math.ceil(1.25 * bytes * GIGABYTES)));
        }
        return bytes;
    }
}
