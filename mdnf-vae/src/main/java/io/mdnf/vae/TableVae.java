package io.mdnf.vae;

import io.mdnf.graph.Threads;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * What an autoencoder of a table knows of its cells: missing ones filled, new rows drawn. Cells are those of {@link
 * TableRows}.
 *
 * <pre>{@code
 * double[][] filled = new TableVae(vae).filled(rows, 100, Seed.of(1));
 * }</pre>
 */
public final class TableVae {

    /** Rows whose codes are held together: 200 codes of each take 16 MB at 20 variables. */
    private static final int SLICE = 1024;

    private final TrainedVae vae;
    private final TableSchema schema;
    private final TableLikelihood layout;

    /** The model stays the caller's to close. */
    public TableVae(TrainedVae vae) {
        this.vae = vae;
        schema = vae.schema().orElseThrow(
                () -> new IllegalArgumentException("the model learned from images, not from a table"));
        layout = new TableLikelihood(schema);
    }

    /** Returns the columns. */
    public TableSchema schema() {
        return schema;
    }

    /**
     * The cells [rows][columns] with missing ones filled from their distribution given the known ones, p(x_c | known):
     * the mode of Bernoulli and categorical columns, the mean of Gaussian ones and counts. So many codes of every row
     * from q(z | known), and as many from the prior, are averaged by their weights.
     */
    public double[][] filled(TableRows rows, int codes, Seed seed) {
        return filled(rows, codes, seed, done -> { });
    }

    /** The same, which tells now and then how many rows are done. */
    public double[][] filled(TableRows rows, int codes, Seed seed, IntConsumer watch) {
        Check.that(codes >= 1, "codes = ", codes, ": at least 1");
        double[][] cells = new double[rows.count()][];
        try (Threads threads = Threads.one(); ImportanceCodes weighed = new ImportanceCodes(vae)) {
            for (int start = 0; start < cells.length; start += SLICE) {
                int[] some = IntStream.range(start, Math.min(cells.length, start + SLICE)).toArray();
                double[][] filled = filled(rows.chosen(some), weighed, codes, seed.fold(start));
                System.arraycopy(filled, 0, cells, start, filled.length);
                watch.accept(start + filled.length);
            }
        }
        return cells;
    }

    private double[][] filled(TableRows rows, ImportanceCodes weighed, int codes, Seed seed) {
        int outputs = layout.outputs();
        double[] means = new double[rows.count() * outputs];
        ImportanceCodes.Drawn drawn = weighed.draw(rows, codes, seed);
        for (int s = 0; s < drawn.codes().length; s++) {
            float[] some = vae.means(drawn.codes()[s]);
            double[] weights = drawn.weights()[s];
            Arrays.setAll(means, i -> means[i] + some[i] * weights[i / outputs]);
        }
        return cells(rows.count(), (row, column, output) -> {
            double cell = rows.cell(row, column);
            return Double.isNaN(cell) ? likeliest(column, means, row * outputs + output) : cell;
        });
    }

    private double likeliest(int c, double[] means, int at) {
        Column column = schema.columns().get(c);
        return switch (column.kind()) {
            case BERNOULLI -> means[at] >= 0.5 ? 1 : 0;
            case POISSON -> means[at];
            case GAUSSIAN -> column.centre() + column.scale() * means[at];
            case CATEGORICAL -> {
                int best = 0;
                for (int k = 1; k < column.levels().size(); k++) {
                    best = means[at + k] > means[at + best] ? k : best;
                }
                yield best;
            }
        };
    }

    /** Cells [count][columns] drawn from the model: a code from the prior at a temperature above 0, then every cell
     * given the code. */
    public double[][] sample(int count, Seed seed, double temperature) {
        float[] some = vae.sample(count, seed.fold("codes"), temperature);
        double[] means = new double[some.length];
        Arrays.setAll(means, i -> some[i]);
        UniformRandomProvider random = new Draws(seed).stream("cells");
        return cells(count, (row, column, output) -> drawn(column, means, row * layout.outputs() + output, random));
    }

    private double drawn(int c, double[] means, int at, UniformRandomProvider random) {
        Column column = schema.columns().get(c);
        return switch (column.kind()) {
            case BERNOULLI -> random.nextDouble() < means[at] ? 1 : 0;
            case POISSON -> PoissonSampler.of(random, Math.max(Float.MIN_NORMAL, means[at])).sample();
            case GAUSSIAN -> column.centre() + column.scale() * (means[at]
                    + deviation(c) * ZigguratSampler.NormalizedGaussian.of(random).sample());
            case CATEGORICAL -> Draws.category(random, means, at, column.levels().size());
        };
    }

    /** The learned deviation of a Gaussian column, in its scale. */
    private double deviation(int column) {
        double[] all = vae.parameter("decoder/" + TableLikelihood.DEVIATIONS);
        return TableLikelihood.deviation(all[layout.gaussian(column)]);
    }

    private interface Cell {
        double of(int row, int column, int output);
    }

    private double[][] cells(int count, Cell cell) {
        double[][] cells = new double[count][schema.columns().size()];
        for (int c = 0; c < schema.columns().size(); c++) {
            int output = layout.output(c);
            for (int r = 0; r < count; r++) {
                cells[r][c] = cell.of(r, c, output);
            }
        }
        return cells;
    }
}
