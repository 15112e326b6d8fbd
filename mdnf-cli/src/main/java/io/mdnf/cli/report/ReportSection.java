package io.mdnf.cli.report;

import java.util.ArrayList;
import java.util.List;

/**
 * One experiment's part of a report.
 *
 * @param name of the experiment, such as {@code bn-table}; a file name and an anchor: small letters, digits, hyphens
 * @param title its heading
 * @param blocks what it says, in order
 */
public record ReportSection(String name, String title, List<Block> blocks) {
    /**
     * Checks the name and copies the blocks.
     *
     * @param name of the experiment
     * @param title its heading
     * @param blocks what it says, in order
     */
    public ReportSection {
        checkName("section", name);
        blocks = List.copyOf(blocks);
    }

    /**
     * A section to which blocks are added with {@link #with}.
     *
     * @param name of the experiment
     * @param title its heading
     * @return an empty section
     */
    public static ReportSection of(String name, String title) {
        return new ReportSection(name, title, List.of());
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
        return new ReportSection(name, title, longer);
    }

    static void checkName(String of, String name) {
        if (!name.matches("[a-z0-9]+(-[a-z0-9]+)*")) {
            throw new IllegalArgumentException(of + " name '" + name
                    + "': small letters, digits and single hyphens are allowed");
        }
    }
}
