package io.mdnf.cli.experiment;

import io.mdnf.cli.report.Progress;
import io.mdnf.random.Seed;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where an experiment works.
 *
 * @param folder its own folder, for CSV files and plots; exists
 * @param scale how much of it is run
 * @param seed where its randomness comes from
 * @param data a folder with data files given by the user, if any
 * @param quiet whether to show no progress
 */
public record Workplace(Path folder, Scale scale, Seed seed, Optional<Path> data, boolean quiet) {

    /**
     * Shows progress on stderr.
     *
     * @param what is being done
     * @param parts how many parts there are
     * @return the progress, to be closed
     */
    public Progress progress(String what, long parts) {
        return Progress.start(what, parts, quiet, stderr());
    }

    private static PrintStream stderr() {
        return System.err;
    }

    /**
     * One of two values by scale.
     *
     * @param quick at quick scale
     * @param paper at the paper's scale
     * @return the value
     */
    public int pick(int quick, int paper) {
        return scale == Scale.QUICK ? quick : paper;
    }
}
