package io.mdnf.cli;

import io.mdnf.checkpoint.RunManifest;
import io.mdnf.file.CsvFile;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.report.Block;
import io.mdnf.report.Decimals;
import io.mdnf.vae.Column;
import io.mdnf.vae.ColumnKind;
import io.mdnf.vae.TableRows;
import io.mdnf.vae.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** Mixin for {@code vae train}: a table to learn in place of images. */
final class VaeTable {

    private static final int SHOWN_LEVELS = 8;
    /** Of a table, if nothing is said. */
    private static final double HELD_OUT = 0.1;

    @Option(names = "--csv", paramLabel = "FILE.csv", description = "Learn the rows of this table in place of MNIST; "
            + "its first row names the columns, and a cell that is empty, ? or NA is missing.")
    private Path csv;

    @Option(names = "--schema", paramLabel = "NAME:KIND,...", description = "--csv: what columns are: bernoulli (0 or "
            + "1), categorical, gaussian, poisson (counts), or ignore; the others are guessed by their cells.")
    private String schema;

    @Option(names = "--held-out", paramLabel = "SHARE",
            description = "The share to test on and not to learn: of a table rows drawn by the seed, 0.1 by default; "
                    + "of images the last training ones, in place of the test images, to choose settings by.")
    private Double heldOut;

    boolean isGiven() {
        return csv != null;
    }

    /** Refuses what goes with a table only. */
    void check() {
        if (csv == null && schema != null) {
            throw new UsageProblem("--schema " + schema + ": name the table with --csv FILE.csv");
        }
        if (heldOut != null && !(heldOut > 0 && heldOut < 1)) {
            throw new UsageProblem("--held-out " + heldOut + ": a share between 0 and 1");
        }
    }

    /** The share that is asked for. */
    Optional<Double> heldOut() {
        return Optional.ofNullable(heldOut);
    }

    /** Reads the table, or its first rows, and parts it. */
    VaeData load(Integer limit, Seed seed) throws IOException {
        CsvFile file = read(csv);
        TableRows all = UsageProblem.ifRefused(() -> {
            Map<String, ColumnKind> kinds = new HashMap<>();
            Set<String> ignored = new HashSet<>();
            parse(kinds, ignored);
            return TableRows.of(TableSchema.guess(file, kinds, ignored), file);
        });
        TableRows rows = limit == null ? all : all.first(limit);
        double share = heldOut().orElse(HELD_OUT);
        int test = (int) Math.max(1, Math.round(share * rows.count()));
        if (test >= rows.count()) {
            throw new UsageProblem(csv + ": " + rows.count() + " rows are too few to learn from and to test on");
        }
        int[] order = new Draws(seed).permutation("held out", rows.count());
        return new VaeData("row", rows.chosen(Arrays.copyOfRange(order, test, order.length)),
                rows.chosen(Arrays.copyOf(order, test)), Map.of("heldOut", Double.toString(share)),
                RunManifest.Input.of(csv));
    }

    private void parse(Map<String, ColumnKind> kinds, Set<String> ignored) {
        for (String part : schema == null ? new String[0] : schema.split(",")) {
            int colon = part.lastIndexOf(':');
            String name = part.substring(0, Math.max(0, colon)).strip();
            String kind = part.substring(colon + 1).strip().toUpperCase(Locale.ROOT);
            if (name.isEmpty()) {
                throw new UsageProblem("--schema: '" + part + "' is not NAME:KIND");
            }
            if (kind.equals("IGNORE")) {
                ignored.add(name);
                continue;
            }
            kinds.put(name, Arrays.stream(ColumnKind.values()).filter(k -> k.name().equals(kind)).findFirst()
                    .orElseThrow(() -> new UsageProblem("--schema: '" + part + "': a kind is bernoulli, categorical, "
                            + "gaussian, poisson or ignore")));
        }
    }

    /** The cells of a file that a user named. */
    static CsvFile read(Path csv) throws IOException {
        if (!Files.isRegularFile(csv)) {
            throw new UsageProblem("--csv " + csv + ": no such file");
        }
        return UsageProblem.ifRefused(() -> CsvFile.read(csv));
    }

    /** The columns, as a person reads them. */
    static Block.Table columns(TableSchema schema) {
        Block.Table table = Block.Table.of("Columns", Block.Column.text("column"), Block.Column.text("kind"),
                Block.Column.text("values"));
        for (Column column : schema.columns()) {
            table = table.row(column.name(), column.kind().toString(), values(column));
        }
        return table;
    }

    private static String values(Column column) {
        return switch (column.kind()) {
            case BERNOULLI -> "0, 1";
            case POISSON -> "counts";
            case GAUSSIAN -> "mean " + Decimals.fixed(column.centre(), column.decimals() + 1) + ", deviation "
                    + Decimals.fixed(column.scale(), column.decimals() + 1);
            case CATEGORICAL -> {
                List<String> levels = column.levels();
                yield String.join(", ", levels.subList(0, Math.min(SHOWN_LEVELS, levels.size())))
                        + (levels.size() > SHOWN_LEVELS ? ", ... (" + levels.size() + ")" : "");
            }
        };
    }
}
