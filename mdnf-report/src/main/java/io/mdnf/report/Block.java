package io.mdnf.report;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.mdnf.plot.Plot;
import io.mdnf.plot.PngImage;
import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** A part of a section. All texts are plain: what looks like markup is shown as written. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "block")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Block.Paragraph.class, name = "paragraph"),
    @JsonSubTypes.Type(value = Block.Heading.class, name = "heading"),
    @JsonSubTypes.Type(value = Block.Table.class, name = "table"),
    @JsonSubTypes.Type(value = Block.Figure.class, name = "figure"),
    @JsonSubTypes.Type(value = Block.Picture.class, name = "picture"),
    @JsonSubTypes.Type(value = Block.Facts.class, name = "facts")})
public sealed interface Block {

    /** One paragraph of prose. */
    record Paragraph(String text) implements Block { }

    /** A heading of a few words within the section. */
    record Heading(String text) implements Block { }

    /**
     * A table.
     *
     * @param caption what it shows
     * @param columns from left to right; the first names the rows
     * @param rows [rows, columns]
     * @param footnotes below the table
     */
    record Table(String caption, List<Column> columns, List<List<String>> rows, List<String> footnotes)
            implements Block {
        /** Checks that every row has a cell for each column. */
        public Table {
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
            footnotes = List.copyOf(footnotes);
            Check.that(!columns.isEmpty(), "table '", caption, "' has no columns");
            for (int i = 0; i < rows.size(); i++) {
                Check.that(rows.get(i).size() == columns.size(), "table '", caption, "': row ", i, " has ",
                        rows.get(i).size(), " cells, there are ", columns.size(), " columns");
            }
        }

        /** An empty table, to which rows are added with {@link #row}; the first column names the rows. */
        public static Table of(String caption, Column... columns) {
            return new Table(caption, List.of(columns), List.of(), List.of());
        }

        /** An empty table whose first column, which names the rows, has words and whose others have numbers. */
        public static Table numbers(String caption, String first, List<String> others) {
            return new Table(caption, Stream.concat(Stream.of(Column.text(first)), others.stream().map(Column::number))
                    .toList(), List.of(), List.of());
        }

        /** The table with one more row, a cell for each column; this one stays as it is. */
        public Table row(String... cells) {
            return rows(List.of(List.of(cells)), row -> row);
        }

        /** The table with a row for each of some things, a cell for each column; this one stays as it is. */
        public <T> Table rows(Collection<T> things, Function<T, List<String>> cells) {
            List<List<String>> longer = new ArrayList<>(rows);
            things.forEach(thing -> longer.add(cells.apply(thing)));
            return new Table(caption, columns, longer, footnotes);
        }

        /** The table with one more footnote; this one stays as it is. */
        public Table footnote(String text) {
            List<String> longer = new ArrayList<>(footnotes);
            longer.add(text);
            return new Table(caption, columns, rows, longer);
        }
    }

    /**
     * A column of a table.
     *
     * @param header its heading
     * @param numeric whether its cells are numbers, which stand at the right in digits of equal width
     * @param strong whether its cells are emphasised
     */
    record Column(String header, boolean numeric, boolean strong) {
        /** A column of words. */
        public static Column text(String header) {
            return new Column(header, false, false);
        }

        /** A column of numbers. */
        public static Column number(String header) {
            return new Column(header, true, false);
        }

        /** {@return the same column, its cells emphasised} */
        public Column emphasised() {
            return new Column(header, numeric, true);
        }
    }

    /** A plot, the name of its files (small letters, digits, hyphens), and a caption below it, which may be empty. */
    record Figure(String name, Plot plot, String caption) implements Block {
        /** Checks the name. */
        public Figure {
            ReportSection.checkName("figure", name);
        }
    }

    /**
     * An image, such as digits.
     *
     * @param name of its file: small letters, digits, hyphens
     * @param image what to show
     * @param description for who cannot see it
     * @param caption below it; may be empty
     */
    record Picture(String name, PngImage image, String description, String caption) implements Block {
        /** Checks the name. */
        public Picture {
            ReportSection.checkName("picture", name);
        }
    }

    /**
     * Names and values, such as where the numbers come from.
     *
     * @param title above them; may be empty
     * @param facts in order
     */
    record Facts(String title, List<Fact> facts) implements Block {
        /** Copies the facts. */
        public Facts {
            facts = List.copyOf(facts);
        }

        /** From a map, in its order; values are shown by their {@code toString}. */
        public static Facts of(String title, Map<String, ?> values) {
            return new Facts(title, values.entrySet().stream()
                    .map(entry -> new Fact(entry.getKey(), String.valueOf(entry.getValue()))).toList());
        }
    }

    /** What, and how much or which. */
    record Fact(String name, String value) { }
}
