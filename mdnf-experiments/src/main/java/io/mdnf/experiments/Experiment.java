package io.mdnf.experiments;

import io.mdnf.report.ReportSection;
import java.io.IOException;

/**
 * One experiment of the paper. To add one: write what it runs, and list it in {@link Experiments}.
 *
 * @param name its name on the command line, such as "bn-table"
 * @param paper what of the paper it is, in a few words
 * @param quickMinutes how long it takes on two cores at quick scale
 * @param paperMinutes how long at the paper's
 * @param body runs it
 */
public record Experiment(String name, String paper, double quickMinutes, double paperMinutes, Body body) {

    /** What an experiment does. */
    public interface Body {

        /**
         * Runs it.
         *
         * @param workplace where to write, at which scale, from which seed
         * @return its section of the report
         * @throws IOException if a file cannot be written or read
         */
        ReportSection run(Workplace workplace) throws IOException;
    }
}
