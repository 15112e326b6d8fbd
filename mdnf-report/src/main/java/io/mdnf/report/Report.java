package io.mdnf.report;

import java.util.List;

/**
 * A report on one run or on several experiments.
 *
 * @param title its heading
 * @param summary one or two sentences below the heading; may be empty
 * @param sections in order
 */
public record Report(String title, String summary, List<ReportSection> sections) {
    /** Copies the sections. */
    public Report {
        sections = List.copyOf(sections);
    }
}
