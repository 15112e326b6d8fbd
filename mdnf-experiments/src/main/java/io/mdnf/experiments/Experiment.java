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

        /** Runs it; returns its section of the report. */
        ReportSection run(Workplace workplace) throws IOException;
    }
}
