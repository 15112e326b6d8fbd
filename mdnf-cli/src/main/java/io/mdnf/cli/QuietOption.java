package io.mdnf.cli;

import io.mdnf.report.Progress;
import picocli.CommandLine.Option;

/** Mixin for commands that take a while: they show on stderr how far they are, unless told not to. */
final class QuietOption {

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    boolean given() {
        return quiet;
    }

    /** The progress of a task; with a unit, in the plural, also how many are done a second. */
    Progress progress(String task, long total, String unit) {
        return Progress.start(task, total, unit, quiet, System.err);
    }
}
