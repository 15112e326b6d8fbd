package io.mdnf.cli;

import io.mdnf.evaluation.LogEvidence;
import io.mdnf.report.CsvTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;

/** What bounded messages know of log p(D) as time passes, in a file for whoever looks while a fit goes. */
final class BoundsCsv {

    private static final long LEAST_NANOS = 500_000_000;

    private final Path file;
    private final CsvTable known = new CsvTable("seconds", "lower", "upper", "estimate", "accepted");
    private final long start = System.nanoTime();
    private long last = start - LEAST_NANOS;

    BoundsCsv(Path file) {
        this.file = file;
    }

    /** Writes it down, twice a second at most. */
    void write(LogEvidence now, double accepted) {
        long time = System.nanoTime();
        if (time - last < LEAST_NANOS) {
            return;
        }
        last = time;
        known.row(String.format(Locale.ROOT, "%.1f", (time - start) / 1e9), now.lower(), now.upper(),
                now.estimate().value(), Double.isNaN(accepted) ? "" : accepted);
        try {
            known.write(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
