package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.GradientCheck;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TableLikelihoodTest {

    private static final double NO = Double.NaN;
    private static final Column CODE = Column.plain("code", ColumnKind.CATEGORICAL, List.of("a", "b", "c"));
    private static final Column SIZE = new Column("size", ColumnKind.GAUSSIAN, List.of(), 10, 4, 1);
    private static final Column TWO = Column.plain("two", ColumnKind.CATEGORICAL, List.of("x", "y"));
    private static final Column FLAG = Column.plain("flag", ColumnKind.BERNOULLI, List.of());
    private static final Column COUNT = new Column("count", ColumnKind.POISSON, List.of(), 0.9, 0.5, 0);
    private static final Column WEIGHT = new Column("weight", ColumnKind.GAUSSIAN, List.of(), -1, 0.3, 2);
    private static final TableSchema MIXED = new TableSchema(List.of(CODE, SIZE, TWO, FLAG, COUNT, WEIGHT));
    private static final double[][] CELLS = {
        {2, 12.5, 1, 1, 3, -0.8}, {0, NO, 0, 0, 0, -1.2}, {NO, 3, NO, NO, NO, NO}, {1, NO, 1, NO, 12, NO},
        {NO, NO, NO, NO, NO, NO}};
    private static final int ROWS = CELLS.length;

    private static double[] written(TableSchema schema, double[][] cells) {
        TableRows rows = TableRows.of(schema, cells);
        float[] all = rows.floats();
        return IntStream.range(0, all.length).mapToDouble(i -> all[i]).toArray();
    }

    /** log p of one cell by the textbook, from the decoder's outputs from an offset on. */
    private static double logCell(Column column, double cell, double[] out, int at, double variance) {
        return switch (column.kind()) {
            case BERNOULLI -> Math.log(cell == 1 ? 1 / (1 + Math.exp(-out[at])) : 1 / (1 + Math.exp(out[at])));
            case CATEGORICAL -> out[at + (int) cell] - Math.log(IntStream.range(0, column.levels().size())
                    .mapToDouble(k -> Math.exp(out[at + k])).sum());
            case POISSON -> {
                double rate = Math.exp(column.centre() + out[at]);
                yield cell * Math.log(rate) - rate - IntStream.rangeClosed(1, (int) cell).mapToDouble(Math::log).sum();
            }
            case GAUSSIAN -> {
                double mean = column.centre() + column.scale() * out[at];
                double v = variance * column.scale() * column.scale();
                yield -0.5 * Math.log(2 * Math.PI * v) - (cell - mean) * (cell - mean) / (2 * v);
            }
        };
    }

    @Test
    void everyColumnHasItsTextbookLikelihoodAndMissingCellsHaveNone() {
        TableLikelihood likelihood = new TableLikelihood(MIXED);
        int codes = 3;
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor rows = graph.placeholder("rows", ROWS, likelihood.size());
        Tensor decoded = graph.placeholder("decoded", codes, likelihood.outputs());
        Tensor all = likelihood.logLikelihoods(graph, decoded, rows);
        double[] out = new Draws(Seed.of(1)).normal("out", decoded.size());
        double[] logDeviations = {0.2, -0.4};
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, all)) {
            plan.load(logDeviations);
            plan.write(rows, written(MIXED, CELLS));
            plan.write(decoded, out);
            plan.run();
            double[] found = plan.read(all);
            for (int r = 0; r < ROWS; r++) {
                for (int z = 0; z < codes; z++) {
                    double expected = 0;
                    for (int c = 0; c < CELLS[r].length; c++) {
                        Column column = MIXED.columns().get(c);
                        double deviation = column.kind() == ColumnKind.GAUSSIAN
                                ? TableLikelihood.deviation(logDeviations[likelihood.gaussian(c)]) : 0;
                        expected += Double.isNaN(CELLS[r][c]) ? 0 : logCell(column, CELLS[r][c], out,
                                z * likelihood.outputs() + likelihood.output(c), deviation * deviation);
                    }
                    // rows are floats: 1e-7 of terms up to 20
                    assertThat(found[r * codes + z]).isCloseTo(expected, within(1e-5));
                }
            }
        }
    }

    @Test
    void rowsAgainstTheirOwnCodesAreTheDiagonalOfRowsAgainstAll() {
        TableLikelihood likelihood = new TableLikelihood(MIXED);
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor rows = graph.placeholder("rows", ROWS, likelihood.size());
        Tensor decoded = graph.placeholder("decoded", ROWS, likelihood.outputs());
        Tensor own = likelihood.logLikelihood(graph, decoded, rows);
        Tensor all = likelihood.logLikelihoods(graph, decoded, rows);
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, own, all)) {
            plan.load(new double[] {0.5, -0.5});
            plan.write(rows, written(MIXED, CELLS));
            plan.write(decoded, new Draws(Seed.of(1)).normal("out", decoded.size()));
            plan.run();
            double[] every = plan.read(all);
            assertThat(plan.read(own)).containsExactly(
                    IntStream.range(0, ROWS).mapToDouble(r -> every[r * ROWS + r]).toArray(), within(1e-12));
        }
    }

    /** Of several columns, and of one kind alone, also of one level. */
    @Test
    void gradientsAreThoseOfCentralDifferences() {
        Column constant = Column.plain("constant", ColumnKind.CATEGORICAL, List.of("only"));
        for (TableSchema schema : List.of(MIXED, new TableSchema(List.of(CODE)), new TableSchema(List.of(SIZE)),
                new TableSchema(List.of(FLAG)), new TableSchema(List.of(COUNT)), new TableSchema(List.of(constant)),
                new TableSchema(List.of(constant, TWO)))) {
            TableLikelihood likelihood = new TableLikelihood(schema);
            double[][] cells = {IntStream.range(0, schema.columns().size()).mapToDouble(c -> 0).toArray(),
                IntStream.range(0, schema.columns().size()).mapToDouble(c -> c == 1 ? NO : 0).toArray()};
            double[] rows = written(schema, cells);
            GradientCheck.check(graph -> {
                Tensor row = graph.constant(rows, 2, likelihood.size());
                Tensor decoded = graph.parameter(new Parameter("decoded", Initialiser.normal(1), 2,
                        likelihood.outputs()));
                Tensor both = likelihood.logLikelihoods(graph, decoded, row);
                return likelihood.logLikelihood(graph, decoded, row).sum()
                        .plus(both.times(graph.constant(new double[] {1, 2, -0.5, 3}, 2, 2)).sum());
            });
        }
    }

    @ParameterizedTest
    @EnumSource(ColumnKind.class)
    void aDecoderStartsAtWhatRowsAreOnAverage(ColumnKind kind) {
        boolean words = kind == ColumnKind.CATEGORICAL;
        Column column = ColumnGuess.of("c", List.of("0", "1", "1", "", "1"), kind);
        TableRows rows = TableRows.of(new TableSchema(List.of(column)), new double[][] {{0}, {1}, {1}, {NO}, {1}});
        TableLikelihood likelihood = new TableLikelihood(new TableSchema(List.of(column)));
        Graph graph = new Graph(Precision.DOUBLE);
        Tensor decoded = graph.placeholder("decoded", 1, likelihood.outputs());
        Tensor means = likelihood.means(decoded);
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, means)) {
            plan.write(decoded, likelihood.first(rows));
            plan.run();
            double found = plan.read(means)[words ? 1 : 0];
            double mean = kind == ColumnKind.GAUSSIAN ? column.centre() + column.scale() * found : found;
            assertThat(mean).isCloseTo(0.75, within(1e-6));
        }
    }

    /** Every hidden cell is one that would be missing, and about a tenth of them are. */
    @Test
    void aStepHidesATenthOfTheCells() {
        int columns = MIXED.columns().size();
        int count = 2000;
        double[][] cells = new double[count][];
        Arrays.fill(cells, CELLS[0]);
        TableRows rows = TableRows.of(MIXED, cells);
        TableLikelihood likelihood = new TableLikelihood(MIXED);
        float[] shown = rows.shown(Seed.of(5)).floats();
        assertThat(rows.shown(Seed.of(5)).floats()).isEqualTo(shown);
        double hidden = 0;
        for (int r = 0; r < count; r++) {
            for (int c = 0; c < columns; c++) {
                hidden += 1 - shown[r * likelihood.size() + likelihood.outputs() + c];
            }
        }
        // 12,000 cells: a deviation of 0.0027, of which 5 are exceeded once in a million seeds
        assertThat(hidden / count / columns).isCloseTo(TableRows.HIDDEN, within(0.0135));
    }
}
