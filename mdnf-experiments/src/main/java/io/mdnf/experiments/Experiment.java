package io.mdnf.experiments;

import io.mdnf.report.ReportSection;
import java.io.IOException;

/**
 * One experiment of the paper.
 *
 * <p>To add one: implement this, and name it in {@link Experiments}.
 */
public interface Experiment {

    /** Returns its name on the command line, such as "bn-table". */
    String name();

    /** Returns what of the paper it is, in a few words. */
    String paper();

    /**
     * How long it takes on two cores.
     *
     * @param scale how much of it
     * @return minutes
     */
    double minutes(Scale scale);

    /**
     * Runs it.
     *
     * @param workplace where to write, at which scale, from which seed
     * @return its section of the report
     * @throws IOException if a file cannot be written or read
     */
    ReportSection run(Workplace workplace) throws IOException;
}
