package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.file.CsvFile;
import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TableVaeTest {

    private static final int ROWS = 5000;
    private static final VaeSettings SMALL = VaeSettings.of(6, 4).withHidden(48, 24).withLooking(32)
            .withBatch(64, 5e-3);

    private static void trained(VaeSettings settings, TableRows rows, int epochs, Consumer<TrainedVae> use) {
        try (var training = new GradientTraining<>(new VaeTraining(settings, rows, epochs));
                TrainedVae vae = training.result(training.finish(training.init(Seed.of(1))))) {
            use.accept(vae);
        }
    }

    /** Of some cells of a column: the share of wrong ones of words, the mean squared error of numbers. */
    private static double error(Column column, double[] truth, double[] guessed) {
        return IntStream.range(0, truth.length).mapToDouble(i -> switch (column.kind()) {
            case BERNOULLI, CATEGORICAL -> truth[i] == guessed[i] ? 0 : 1;
            case GAUSSIAN, POISSON -> (truth[i] - guessed[i]) * (truth[i] - guessed[i]);
        }).average().orElseThrow();
    }

    /** The mode or the mean of the known cells. */
    private static double usual(Column column, double[] known) {
        if (column.kind() == ColumnKind.GAUSSIAN || column.kind() == ColumnKind.POISSON) {
            return Arrays.stream(known).average().orElseThrow();
        }
        return Arrays.stream(known).distinct().boxed().max((a, b) -> Long.compare(
                Arrays.stream(known).filter(v -> v == a).count(),
                Arrays.stream(known).filter(v -> v == b).count())).orElseThrow();
    }

    /** A tenth of the cells of 5,000 rows, 500 of every column, is missing and filled. */
    @Test
    @Tag("slow")
    void missingCellsAreFilledBetterThanByModeAndMean() throws Exception {
        List<List<String>> whole = People.rows(ROWS, Seed.of(1));
        CsvFile file = People.file(whole, 0.1, Seed.of(2));
        TableSchema schema = TableSchema.guess(file, Map.of(), Set.of());
        double[][] truth = schema.cells(People.file(whole, 0, Seed.of(2)));
        TableRows rows = TableRows.of(schema, file);
        trained(SMALL, rows, 8, vae -> {
            double[][] filled = new TableVae(vae).filled(rows, 20, Seed.of(4));
            for (int c = 0; c < schema.columns().size(); c++) {
                int at = c;
                Column column = schema.columns().get(c);
                double[] known = IntStream.range(0, ROWS).mapToDouble(r -> rows.cell(r, at))
                        .filter(v -> !Double.isNaN(v)).toArray();
                int[] missing = IntStream.range(0, ROWS).filter(r -> Double.isNaN(rows.cell(r, at))).toArray();
                double[] right = Arrays.stream(missing).mapToDouble(r -> truth[r][at]).toArray();
                double[] plain = new double[right.length];
                Arrays.fill(plain, usual(column, known));
                double ours = error(column, right, Arrays.stream(missing).mapToDouble(r -> filled[r][at]).toArray());
                // at least a quarter less error; nothing else in a row tells more of an age than young or not
                assertThat(ours / error(column, right, plain)).as(column.name())
                        .isLessThan(column.name().equals("age") ? 0.85 : 0.75);
            }
        });
    }

    /** Few codes, so that log p(x) is known: of all rows, those with missing cells too. */
    @Test
    @Tag("slow")
    void boundsOfATableAreBoundsOfItsExactLikelihood() throws Exception {
        CsvFile file = People.file(People.rows(300, Seed.of(1)), 0.2, Seed.of(2));
        TableRows rows = TableRows.of(TableSchema.guess(file, Map.of(), Set.of()), file);
        VaeSettings few = VaeSettings.of(3, 4).withHidden(24, 12).withLooking(8).withBatch(50, 1e-2);
        for (VaeSettings settings : List.of(few, few.withMethod(LatentMethod.MDNF, 1).withPosterior(Posterior.EXACT),
                VaeSettings.plain(LatentMethod.SUMMED, 3, 4, 1).withHidden(24, 12).withBatch(50, 1e-2))) {
            trained(settings, rows, 5, vae -> {
                VaeEvaluation found = vae.evaluate(rows, Seed.of(3), 20, 20, true);
                double truth = found.logLikelihood().orElseThrow().value();
                double elbo = found.elbo().value();
                double weighted = found.importanceWeighted().orElseThrow().value();
                // means over 300 rows of 20 codes; their error is below 0.05
                assertThat(elbo).isLessThan(truth + 0.1).isGreaterThan(truth - 5);
                assertThat(weighted).isBetween(elbo - 0.1, truth + 0.1);
                if (settings.posterior() == Posterior.EXACT) {
                    assertThat(elbo).isCloseTo(truth, within(1e-3));
                }
            });
        }
    }

    @Test
    @Tag("slow")
    void drawnRowsLookLikeTheTable() throws Exception {
        CsvFile file = People.file(People.rows(2000, Seed.of(1)), 0.05, Seed.of(2));
        TableSchema schema = TableSchema.guess(file, Map.of(), Set.of());
        TableRows rows = TableRows.of(schema, file);
        trained(SMALL, rows, 8, vae -> {
            double[][] drawn = new TableVae(vae).sample(2000, Seed.of(5), 1);
            // every drawn row is one that the table could hold
            TableRows.of(schema, drawn);
            for (int c = 0; c < schema.columns().size(); c++) {
                int at = c;
                Column column = schema.columns().get(c);
                double[] known = IntStream.range(0, rows.count()).mapToDouble(r -> rows.cell(r, at))
                        .filter(v -> !Double.isNaN(v)).toArray();
                double[] some = Arrays.stream(drawn).mapToDouble(row -> row[at]).toArray();
                double deviation = Math.sqrt(Arrays.stream(known).map(v -> v * v).average().orElseThrow()
                        - Math.pow(Arrays.stream(known).average().orElseThrow(), 2));
                // sampling alone gives 0.03 deviations
                assertThat(Arrays.stream(some).average().orElseThrow()).as(column.name())
                        .isCloseTo(Arrays.stream(known).average().orElseThrow(), within(0.25 * deviation));
            }
            // married people are the husbands and wives
            int married = 4;
            Column relationship = schema.columns().get(5);
            double agree = Arrays.stream(drawn).filter(row -> (row[married] == 1) == List.of("husband", "wife")
                    .contains(relationship.text(row[5]))).count() / 2000.0;
            assertThat(agree).isGreaterThan(0.9);
        });
    }

    @Test
    void imagesAndTablesAreToldApart() throws Exception {
        CsvFile file = People.file(People.rows(20, Seed.of(1)), 0, Seed.of(2));
        TableRows rows = TableRows.of(TableSchema.guess(file, Map.of(), Set.of()), file);
        trained(Patterns.best(), rows, 0, vae -> assertThatThrownBy(
                () -> vae.evaluate(Patterns.images(3), Seed.of(1), 1, 0, false))
                .hasMessageContaining("of a table, not"));
        assertThatThrownBy(() -> new VaeTraining(Patterns.best().withPixels(PixelKind.DYNAMIC), rows, 1))
                .hasMessageContaining("a table has none");
    }
}
