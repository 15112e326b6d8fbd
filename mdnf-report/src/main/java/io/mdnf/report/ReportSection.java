package io.mdnf.report;

import io.mdnf.space.Check;
import java.util.List;
import java.util.stream.Stream;

/**
 * One experiment's part of a report.
 *
 * @param name of the experiment, such as {@code bn-table}; a file name and an anchor: small letters, digits, hyphens
 * @param title its heading
 * @param blocks what it says, in order
 * @param findings what it comes to, in a few numbers; null, as in files written before there were findings, is none
 */
public record ReportSection(String name, String title, List<Block> blocks, List<Finding> findings) {
    /** Checks the name and copies the lists. */
    public ReportSection {
        checkName("section", name);
        blocks = List.copyOf(blocks);
        findings = findings == null ? List.of() : List.copyOf(findings);
    }

    /** A section to which blocks and findings are added by {@code with}. */
    public static ReportSection of(String name, String title) {
        return new ReportSection(name, title, List.of(), List.of());
    }

    /** The section with more blocks at its end; this one stays as it is. */
    public ReportSection with(Block... more) {
        return withAll(List.of(more));
    }

    /** The section with more blocks at its end; this one stays as it is. */
    public ReportSection withAll(List<? extends Block> more) {
        return new ReportSection(name, title, Stream.concat(blocks.stream(), more.stream()).toList(), findings);
    }

    /** The section with more findings after the others; this one stays as it is. */
    public ReportSection with(Finding... more) {
        return found(List.of(more));
    }

    /** The section with more findings after the others; this one stays as it is. */
    public ReportSection found(List<Finding> more) {
        return new ReportSection(name, title, blocks, Stream.concat(findings.stream(), more.stream()).toList());
    }

    static void checkName(String of, String name) {
        Check.that(name.matches("[a-z0-9]+(-[a-z0-9]+)*"), of, " name '", name,
                "': small letters, digits and single hyphens are allowed");
    }
}
