package io.mdnf.report;

import java.util.List;

/**
 * A report on one run or on several experiments: a heading, one or two sentences below it, which may be empty, and the
 * sections in order.
 */
public record Report(String title, String summary, List<ReportSection> sections) {
    /** Copies the sections. */
    public Report {
        sections = List.copyOf(sections);
    }
}
