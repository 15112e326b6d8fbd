package io.mdnf.report;

import static io.mdnf.plot.Markup.attributes;
import static io.mdnf.plot.Markup.escape;

import io.mdnf.file.AtomicFiles;
import io.mdnf.plot.Ink;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A report as one HTML file that needs nothing else: plots are inline SVG, images are data, there is no script, and a
 * content security policy forbids the browser to fetch anything. It is light or dark as the reader prefers. On a narrow
 * screen wide tables and figures scroll within their own box. The text is also well-formed XML.
 */
public final class HtmlReport {
    private static final String GLANCE = "at-a-glance";

    private final StringBuilder out = new StringBuilder();
    private final Set<String> anchors = new HashSet<>(Set.of(GLANCE));

    private HtmlReport() {
    }

    /** Writes a report, whole or not at all. */
    public static void write(Path file, Report report) throws IOException {
        AtomicFiles.write(file, html(report));
    }

    /** The text of the file: a whole HTML document. */
    public static String html(Report report) {
        HtmlReport page = new HtmlReport();
        page.page(report);
        return page.out.toString();
    }

    private void page(Report report) {
        out.append("""
                <!DOCTYPE html>
                <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
                <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta name="color-scheme" content="light dark"/>
                <meta http-equiv="Content-Security-Policy" \
                content="default-src 'none'; img-src data:; style-src 'unsafe-inline'"/>
                """);
        element("title", report.title());
        out.append("<style>\n").append(style()).append(Ink.darkStyle()).append("</style>\n</head>\n<body>\n<header>\n");
        element("h1", report.title());
        if (!report.summary().isBlank()) {
            element("p", report.summary(), "class", "summary");
        }
        out.append("</header>\n");
        List<String> names = report.sections().stream().map(this::anchor).toList();
        if (names.size() > 1) {
            out.append("<nav aria-label=\"Contents\">\n<ul>\n");
            for (int i = 0; i < names.size(); i++) {
                out.append("<li>").append(link(names.get(i), report.sections().get(i).title())).append("</li>\n");
            }
            out.append("</ul>\n</nav>\n");
        }
        out.append("<main>\n");
        glance(report.sections(), names);
        for (int i = 0; i < names.size(); i++) {
            ReportSection section = report.sections().get(i);
            section(names.get(i), section.title(), () -> section.blocks().forEach(this::block));
        }
        out.append("</main>\n</body>\n</html>\n");
    }

    private void section(String name, String title, Runnable content) {
        out.append("<section").append(attributes("id", name)).append(">\n");
        element("h2", title);
        content.run();
        out.append("</section>\n");
    }

    /** What every section comes to, one row each finding, each a link to its section. One number needs no table. */
    private void glance(List<ReportSection> sections, List<String> names) {
        Block.Table table = Block.Table.of("Our numbers beside the paper's and the exact limits",
                Block.Column.text("what is measured"), Block.Column.number("ours").emphasised(),
                Block.Column.number("paper"), Block.Column.number("exact limit")).footnote(Finding.LEGEND);
        List<String> links = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            for (Finding finding : sections.get(i).findings()) {
                table = table.row(finding.what(), finding.ours(), finding.paper(), finding.limit());
                links.add(names.get(i));
            }
        }
        if (links.size() > 1 || links.size() == 1 && sections.size() > 1) {
            Block.Table all = table;
            section(GLANCE, "At a glance", () -> table(all, links));
        }
    }

    /** A section's name, numbered when several sections share it. */
    private String anchor(ReportSection section) {
        String name = section.name();
        for (int i = 2; !anchors.add(name); i++) {
            name = section.name() + "-" + i;
        }
        return name;
    }

    private void block(Block block) {
        if (block instanceof Block.Paragraph paragraph) {
            element("p", paragraph.text());
        } else if (block instanceof Block.Heading heading) {
            element("h3", heading.text());
        } else if (block instanceof Block.Table table) {
            table(table, List.of());
        } else if (block instanceof Block.Figure figure) {
            out.append("<figure>\n");
            box("Figure: " + figure.plot().title());
            out.append(figure.plot().inlineSvg()).append("</div>\n");
            caption(figure.caption());
        } else if (block instanceof Block.Picture picture) {
            out.append("<figure>\n<img").append(attributes("width", picture.image().width(), "height",
                    picture.image().height(), "alt", picture.description(), "src", "data:image/png;base64,"
                    + Base64.getEncoder().encodeToString(picture.image().bytes()))).append("/>\n");
            caption(picture.caption());
        } else if (block instanceof Block.Facts facts) {
            facts(facts);
        }
    }

    /** A box that scrolls sideways; with a tab stop, so that it does so from the keyboard too. */
    private void box(String label) {
        out.append("<div").append(attributes("class", "scroll", "tabindex", 0, "role", "group", "aria-label", label))
                .append(">\n");
    }

    private void caption(String caption) {
        if (!caption.isBlank()) {
            element("figcaption", caption);
        }
        out.append("</figure>\n");
    }

    /** With links, the name of every row leads to an anchor, and a change of anchor begins a group of rows. */
    private void table(Block.Table table, List<String> links) {
        out.append("<div class=\"table\">\n");
        box("Table: " + table.caption());
        out.append("<table>\n");
        element("caption", table.caption());
        out.append("<thead>\n<tr>");
        for (Block.Column column : table.columns()) {
            cell("th", escape(column.header()), "scope", "col", "class", column.numeric() ? "number" : null);
        }
        out.append("</tr>\n</thead>\n<tbody>\n");
        for (int r = 0; r < table.rows().size(); r++) {
            List<String> row = table.rows().get(r);
            out.append(r > 0 && !links.isEmpty() && !links.get(r).equals(links.get(r - 1)) ? "<tr class=\"group\">"
                    : "<tr>");
            for (int i = 0; i < row.size(); i++) {
                String text = i == 0 && !links.isEmpty() ? link(links.get(r), row.get(i)) : escape(row.get(i));
                cell(i == 0 ? "th" : "td", text, "scope", i == 0 ? "row" : null,
                        "class", words(table.columns().get(i)));
            }
            out.append("</tr>\n");
        }
        out.append("</tbody>\n</table>\n</div>\n");
        table.footnotes().forEach(footnote -> element("p", footnote, "class", "footnote"));
        out.append("</div>\n");
    }

    private static String words(Block.Column column) {
        String words = (column.numeric() ? "number" : "") + (column.strong() ? " strong" : "");
        return words.isEmpty() ? null : words.strip();
    }

    private void facts(Block.Facts facts) {
        out.append("<div class=\"facts\">\n");
        if (!facts.title().isBlank()) {
            element("h3", facts.title());
        }
        out.append("<dl>\n");
        for (Block.Fact fact : facts.facts()) {
            element("dt", fact.name());
            element("dd", fact.value());
        }
        out.append("</dl>\n</div>\n");
    }

    private void element(String tag, String text, Object... attributes) {
        cell(tag, escape(text), attributes);
        out.append('\n');
    }

    private void cell(String tag, String markup, Object... attributes) {
        out.append('<').append(tag).append(attributes(attributes)).append('>').append(markup).append("</").append(tag)
                .append('>');
    }

    private static String link(String anchor, String text) {
        return "<a" + attributes("href", "#" + anchor) + ">" + escape(text) + "</a>";
    }

    private static String style() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("report.css cannot be read from the program's own jar", e);
        }
    }
}
