package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.file.CsvFile;
import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import java.util.ArrayList;
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

    private static void trained(VaeSettings settings, TableRows rows, int epochs, Seed seed,
            Consumer<TrainedVae> use) {
        try (var training = new GradientTraining<>(new VaeTraining(settings, rows, epochs));
                TrainedVae vae = training.result(training.finish(training.init(seed)))) {
            use.accept(vae);
        }
    }

    /** Of a word whether it is wrong, of a number the squared error. */
    private static double error(Column column, double truth, double guess) {
        return switch (column.kind()) {
            case BERNOULLI, CATEGORICAL -> truth == guess ? 0 : 1;
            case GAUSSIAN, POISSON -> (truth - guess) * (truth - guess);
        };
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

    /** The errors over the missing cells of every column: of its mode or mean, of what is filled, and the least
     * possible, that of {@link PeopleTruth}, which is 0 where it is not asked for. */
    private static double[][] errors(List<List<String>> whole, CsvFile file, TableRows rows, double[][] filled,
            boolean least) throws Exception {
        TableSchema schema = rows.schema().orElseThrow();
        double[][] truth = schema.cells(People.file(whole, 0, Seed.of(12)));
        List<PeopleTruth> given = least ? file.rows().stream().skip(1).map(PeopleTruth::given).toList() : List.of();
        double[][] errors = new double[schema.columns().size()][3];
        for (int c = 0; c < errors.length; c++) {
            int at = c;
            Column column = schema.columns().get(c);
            double usual = usual(column, IntStream.range(0, rows.count()).mapToDouble(r -> rows.cell(r, at))
                    .filter(v -> !Double.isNaN(v)).toArray());
            for (int r = 0; r < rows.count(); r++) {
                if (Double.isNaN(rows.cell(r, c))) {
                    errors[c][0] += error(column, truth[r][c], usual);
                    errors[c][1] += error(column, truth[r][c], filled[r][c]);
                    errors[c][2] += least ? error(column, truth[r][c], given.get(r).guess(c, column)) : 0;
                }
            }
        }
        return errors;
    }

    /**
     * A tenth of the cells of 5,000 rows, 500 of every column, is missing and filled. What is asked for was fixed
     * before it was measured, on seeds never used before: at least half of the way from the error of the column's mode
     * or mean to the least possible one, that of {@link PeopleTruth}, on the same cells. The ways were 0.72 (hours) to
     * 1.02 (sex), their standard errors over the cells at most 0.05: four of them lie between hours and a half, so that
     * with other cells missing this fails once in 30,000 seeds.
     *
     * <p>The same model fills other rows of which nine cells in ten are missing, 1,800 of every column, though it never
     * learned from such: its errors were 0.88 (relationship) to 0.99 (sex) of those of the mode or mean, and 1.05 is
     * allowed; by q's codes alone children were at 1.055, which fails.
     */
    @Test
    @Tag("slow")
    void missingCellsAreFilledHalfOfTheWayToTheBestPossible() throws Exception {
        List<List<String>> whole = People.rows(ROWS, Seed.of(11));
        CsvFile file = People.file(whole, 0.1, Seed.of(12));
        TableSchema schema = TableSchema.guess(file, Map.of(), Set.of());
        TableRows rows = TableRows.of(schema, file);
        List<List<String>> others = People.rows(2000, Seed.of(15));
        CsvFile bare = People.file(others, 0.9, Seed.of(16));
        TableRows bareRows = TableRows.of(schema, bare);
        List<double[][]> filled = new ArrayList<>();
        trained(SMALL, rows, 8, Seed.of(13), vae -> {
            TableVae table = new TableVae(vae);
            filled.add(table.filled(rows, 20, Seed.of(14)));
            filled.add(table.filled(bareRows, 20, Seed.of(17)));
        });
        double[][] errors = errors(whole, file, rows, filled.get(0), true);
        double[][] bareErrors = errors(others, bare, bareRows, filled.get(1), false);
        for (int c = 0; c < errors.length; c++) {
            String name = schema.columns().get(c).name();
            assertThat((errors[c][0] - errors[c][1]) / (errors[c][0] - errors[c][2])).as(name).isGreaterThan(0.5);
            assertThat(bareErrors[c][1]).as(name + ", hardly a cell known").isLessThan(1.05 * bareErrors[c][0]);
        }
    }

    /**
     * Few codes, so that p(z | x) is known by Bayes' rule, and rows with hardly a cell: what weighed codes say of every
     * variable is within 5 standard errors of it, one false alarm in 7,000 seeds. q alone is somewhere further from it
     * than 5 of its own, at most 0.025 each.
     */
    @Test
    @Tag("slow")
    void weighedCodesAreThoseOfBayesRule() throws Exception {
        CsvFile file = People.file(People.rows(200, Seed.of(1)), 0.1, Seed.of(2));
        TableSchema schema = TableSchema.guess(file, Map.of(), Set.of());
        VaeSettings few = VaeSettings.of(3, 4).withHidden(24, 12).withLooking(8).withBatch(20, 1e-2);
        VaeTraining task = new VaeTraining(few, TableRows.of(schema, file), 10);
        TableRows bare = TableRows.of(schema, People.file(People.rows(20, Seed.of(3)), 0.8, Seed.of(4)));
        try (var training = new GradientTraining<>(task)) {
            TrainingState end = training.finish(training.init(Seed.of(1)));
            Map<String, double[]> learned =
                    BatchStatistics.folded(task.plan().layout(), end.parameters(), end.parts());
            VaeSettings summed = few.withAlgorithm(LatentAlgorithm.MDNF, 1).withPosterior(Posterior.EXACT);
            try (TrainedVae vae = new TrainedVae(few, Likelihood.of(bare), learned);
                    TrainedVae bayes = new TrainedVae(summed, Likelihood.of(bare), learned);
                    ImportanceCodes weighed = new ImportanceCodes(vae)) {
                double[] truth = Arrays.stream(bayes.posteriors(bare, Seed.of(5)))
                        .flatMap(q -> Arrays.stream(q.marginals(0, Seed.of(5)).probabilities()))
                        .flatMapToDouble(Arrays::stream).toArray();
                ImportanceCodes.Drawn drawn = weighed.draw(bare, 400, Seed.of(6));
                double[] plain = new double[truth.length];
                for (int i = 0; i < truth.length; i++) {
                    int row = i / 12;
                    int variable = i / 4 % 3;
                    int category = i % 4;
                    double[] is = IntStream.range(0, 800)
                            .mapToDouble(s -> drawn.codes()[s][row][variable] == category ? 1 : 0).toArray();
                    plain[i] = Arrays.stream(is, 0, 400).average().orElseThrow();
                    double mean = IntStream.range(0, 800).mapToDouble(s -> drawn.weights()[s][row] * is[s]).sum();
                    double error = Math.sqrt(IntStream.range(0, 800)
                            .mapToDouble(s -> Math.pow(drawn.weights()[s][row] * (is[s] - mean), 2)).sum());
                    assertThat(mean).isCloseTo(truth[i], within(5 * error + 1e-3));
                }
                assertThat(IntStream.range(0, truth.length).mapToDouble(i -> Math.abs(plain[i] - truth[i])).max()
                        .orElseThrow()).isGreaterThan(5 * 0.025);
            }
        }
    }

    /** On average over missing cells: within 5 standard errors, one false alarm in 200,000 seeds over nine columns. */
    @Test
    @Tag("slow")
    void theBestPossibleGuessErrsAsMuchAsItExpectsTo() throws Exception {
        List<List<String>> whole = People.rows(1000, Seed.of(21));
        CsvFile file = People.file(whole, 0.3, Seed.of(22));
        TableSchema schema = TableSchema.guess(file, Map.of(), Set.of());
        double[][] truth = schema.cells(People.file(whole, 0, Seed.of(22)));
        List<PeopleTruth> given = file.rows().stream().skip(1).map(PeopleTruth::given).toList();
        for (int c = 0; c < schema.columns().size(); c++) {
            int at = c;
            Column column = schema.columns().get(c);
            double[] beyond = IntStream.range(0, whole.size())
                    .filter(r -> Column.isMissing(file.rows().get(r + 1).get(at)))
                    .mapToDouble(r -> error(column, truth[r][at], given.get(r).guess(at, column))
                            - given.get(r).error(at, column)).toArray();
            double deviation = Math.sqrt(Arrays.stream(beyond).map(v -> v * v).sum()) / beyond.length;
            assertThat(Arrays.stream(beyond).average().orElseThrow()).as(column.name())
                    .isCloseTo(0, within(5 * deviation));
        }
    }

    /** Few codes, so that log p(x) is known: of all rows, those with missing cells too. */
    @Test
    @Tag("slow")
    void boundsOfATableAreBoundsOfItsExactLikelihood() throws Exception {
        CsvFile file = People.file(People.rows(300, Seed.of(1)), 0.2, Seed.of(2));
        TableRows rows = TableRows.of(TableSchema.guess(file, Map.of(), Set.of()), file);
        VaeSettings few = VaeSettings.of(3, 4).withHidden(24, 12).withLooking(8).withBatch(50, 1e-2);
        for (VaeSettings settings : List.of(few,
                few.withAlgorithm(LatentAlgorithm.MDNF, 1).withPosterior(Posterior.EXACT),
                VaeSettings.plain(LatentAlgorithm.SUMMED, 3, 4, 1).withHidden(24, 12).withBatch(50, 1e-2))) {
            trained(settings, rows, 5, Seed.of(1), vae -> {
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
        trained(SMALL, rows, 8, Seed.of(1), vae -> {
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
        trained(Patterns.best(), rows, 0, Seed.of(1), vae -> assertThatThrownBy(
                () -> vae.evaluate(Patterns.images(3), Seed.of(1), 1, 0, false))
                .hasMessage("the model knows rows of a table of 9 columns, not 3 images of 4 x 4"));
        assertThatThrownBy(() -> new VaeTraining(Patterns.best().withPixels(PixelKind.DYNAMIC), rows, 1))
                .hasMessageContaining("a table has none");
    }
}
