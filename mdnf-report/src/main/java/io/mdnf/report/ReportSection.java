package io.mdnf.report;

import java.util.ArrayList;
import java.util.List;

/**
 * One experiment's part of a report.
 *
 * @param name of the experiment, such as {@code bn-table}; a file name and an anchor: small letters, digits, hyphens
 * @param title its heading
 * @param blocks what it says, in order
 * @param findings what it comes to, in a few numbers; may be empty
 */
public record ReportSection(String name, String title, List<Block> blocks, List<Finding> findings) {
    /**
     * Checks the name and copies the lists.
     *
     * @param name of the experiment
     * @param title its heading
     * @param blocks what it says, in order
     * @param findings what it comes to; null, as in files written before there were findings, is none
     */
    public ReportSection {
        checkName("section", name);
        blocks = List.copyOf(blocks);
        findings = findings == null ? List.of() : List.copyOf(findings);
    }

    /**
     * A section to which blocks and findings are added with {@link #with(Block)} and {@link #with(Finding)}.
     *
     * @param name of the experiment
     * @param title its heading
     * @return an empty section
     */
    public static ReportSection of(String name, String title) {
        return new ReportSection(name, title, List.of(), List.of());
    }

    /**
     * The section with one more block at its end.
     *
     * @param block what to add
     * @return the longer section; this one stays as it is
     */
    public ReportSection with(Block block) {
        List<Block> longer = new ArrayList<>(blocks);
        longer.add(block);
        return new ReportSection(name, title, longer, findings);
    }

    /**
     * The section with one more finding after the others.
     *
     * @param finding what to add
     * @return the section; this one stays as it is
     */
    public ReportSection with(Finding finding) {
        return with(List.of(finding));
    }

    /**
     * The section with more findings after the others.
     *
     * @param more what to add
     * @return the section; this one stays as it is
     */
    public ReportSection with(List<Finding> more) {
        List<Finding> longer = new ArrayList<>(findings);
        longer.addAll(more);
        return new ReportSection(name, title, blocks, longer);
    }

    static void checkName(String of, String name) {
        if (!name.matches("[a-z0-9]+(-[a-z0-9]+)*")) {
            throw new IllegalArgumentException(of + " name '" + name
                    + "': small letters, digits and single hyphens are allowed");
        }
    }
}
