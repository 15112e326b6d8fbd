package io.mdnf.experiments;

import io.mdnf.report.Block;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** A case or a method of a {@link Study}. */
interface Named {

    /** Returns a name for people. */
    String title();

    /** Returns a name for files: small letters, digits, hyphens. */
    default String id() {
        return toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A table of some by others, a cell for both. */
    static <R extends Named, C extends Named> Block.Table cross(String caption, String corner, List<R> rows,
            List<C> columns, BiFunction<R, C, String> cell) {
        return Block.Table.numbers(caption, corner, columns.stream().map(Named::title).toList()).rows(rows, row ->
                Stream.concat(Stream.of(row.title()), columns.stream().map(c -> cell.apply(row, c))).toList());
    }
}
