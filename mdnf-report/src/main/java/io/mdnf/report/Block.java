package io.mdnf.report;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.mdnf.plot.Plot;
import io.mdnf.plot.PngImage;
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

    /**
     * Prose.
     *
     * @param text one paragraph
     */
    record Paragraph(String text) implements Block { }

    /**
     * A heading within the section.
     *
     * @param text a few words
     */
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
            if (columns.isEmpty()) {
                throw new IllegalArgumentException("table '" + caption + "' has no columns");
            }
            for (int i = 0; i < rows.size(); i++) {
                if (rows.get(i).size() != columns.size()) {
                    throw new IllegalArgumentException("table '" + caption + "': row " + i + " has "
                            + rows.get(i).size() + " cells, there are " + columns.size() + " columns");
                }
            }
        }

        /**
         * A table to which rows are added with {@link #row}.
         *
         * @param caption what it shows
         * @param columns from left to right; the first names the rows
         * @return an empty table
         */
        public static Table of(String caption, Column... columns) {
            return new Table(caption, List.of(columns), List.of(), List.of());
        }

        /**
         * A table whose first column has words and whose others have numbers.
         *
         * @param caption what it shows
         * @param first header of the first column, which names the rows
         * @param others headers of the others
         * @return an empty table
         */
        public static Table numbers(String caption, String first, List<String> others) {
            return new Table(caption, Stream.concat(Stream.of(Column.text(first)), others.stream().map(Column::number))
                    .toList(), List.of(), List.of());
        }

        /**
         * Our numbers beside the paper's and the exact limit.
         *
         * @param caption what it shows, with the unit
         * @param first what the rows are
         * @return an empty table with the columns first, ours, paper, exact limit
         */
        public static Table comparison(String caption, String first) {
            return of(caption, Column.text(first), Column.number("ours").emphasised(), Column.number("paper"),
                    Column.number("exact limit"));
        }

        /**
         * The table with one more row.
         *
         * @param cells one for each column
         * @return the longer table; this one stays as it is
         */
        public Table row(String... cells) {
            return rows(List.of(List.of(cells)), row -> row);
        }

        /**
         * The table with a row for each of some things.
         *
         * @param things what the rows are about
         * @param cells of a row, one for each column
         * @param <T> of a thing
         * @return the longer table; this one stays as it is
         */
        public <T> Table rows(Collection<T> things, Function<T, List<String>> cells) {
            List<List<String>> longer = new ArrayList<>(rows);
            things.forEach(thing -> longer.add(cells.apply(thing)));
            return new Table(caption, columns, longer, footnotes);
        }

        /**
         * The table with one more footnote.
         *
         * @param text the note
         * @return the table; this one stays as it is
         */
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
        /**
         * A column of words.
         *
         * @param header its heading
         * @return the column
         */
        public static Column text(String header) {
            return new Column(header, false, false);
        }

        /**
         * A column of numbers.
         *
         * @param header its heading
         * @return the column
         */
        public static Column number(String header) {
            return new Column(header, true, false);
        }

        /** {@return the same column, its cells emphasised} */
        public Column emphasised() {
            return new Column(header, numeric, true);
        }
    }

    /**
     * A plot.
     *
     * @param name of its files: small letters, digits, hyphens
     * @param plot the plot
     * @param caption below it; may be empty
     */
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

        /**
         * From a map, in its order.
         *
         * @param title above them; may be empty
         * @param values by name; values are shown by their {@code toString}
         * @return the facts
         */
        public static Facts of(String title, Map<String, ?> values) {
            return new Facts(title, values.entrySet().stream()
                    .map(entry -> new Fact(entry.getKey(), String.valueOf(entry.getValue()))).toList());
        }
    }

    /**
     * A name and its value.
     *
     * @param name what
     * @param value how much, which
     */
    record Fact(String name, String value) { }
}
