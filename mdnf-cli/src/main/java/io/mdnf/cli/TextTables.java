package io.mdnf.cli;

import io.mdnf.report.Block;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import java.util.ArrayList;
import java.util.List;

/** Tables as plain text, for people at a terminal. */
final class TextTables {

    private TextTables() {}

    static String text(ReportSection section) {
        StringBuilder text = new StringBuilder();
        for (Block block : section.blocks()) {
            if (block instanceof Block.Table table) {
                text.append(titled(table));
            }
        }
        return text.toString();
    }

    /** What every section comes to, or nothing where none has findings. */
    static String glance(List<ReportSection> sections) {
        Block.Table table = Block.Table.of("At a glance", Block.Column.text("experiment"),
                Block.Column.text("what is measured"), Block.Column.number("ours"), Block.Column.number("paper"),
                Block.Column.number("exact limit")).footnote(Finding.LEGEND);
        for (ReportSection section : sections) {
            for (Finding finding : section.findings()) {
                table = table.row(section.name(), finding.what(), finding.ours(), finding.paper(), finding.limit());
            }
        }
        return table.rows().isEmpty() ? "" : titled(table);
    }

    private static String titled(Block.Table table) {
        StringBuilder text = new StringBuilder().append('\n').append(table.caption()).append('\n').append(text(table));
        table.footnotes().forEach(note -> text.append("  ").append(note).append('\n'));
        return text.toString();
    }

    /** Columns padded to equal width: words at the left, numbers at the right. */
    static String text(Block.Table table) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(table.columns().stream().map(Block.Column::header).toList());
        rows.addAll(table.rows());
        int[] widths = new int[table.columns().size()];
        rows.forEach(row -> {
            for (int c = 0; c < widths.length; c++) {
                widths[c] = Math.max(widths[c], row.get(c).length());
            }
        });
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < widths.length; c++) {
                String padding = " ".repeat(widths[c] - row.get(c).length());
                boolean right = table.columns().get(c).numeric();
                line.append(c == 0 ? "" : "  ").append(right ? padding + row.get(c) : row.get(c) + padding);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
