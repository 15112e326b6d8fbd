package io.mdnf.vae;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * The likelihood of a table's rows, one for every column, all of exponential families:
 * <pre>
 *   log p(x | z) = sum over known cells of  T(x_c) . eta_c(z) - A(eta_c(z)) + h(x_c)
 * </pre>
 * <table>
 * <caption>By the decoder's output l of a column</caption>
 * <tr><th>kind</th><th>T</th><th>eta</th><th>A</th><th>h</th></tr>
 * <tr><td>Bernoulli</td><td>x</td><td>l</td><td>softplus(l)</td><td>0</td></tr>
 * <tr><td>Poisson of rate r e^l</td><td>x</td><td>l</td><td>r e^l</td><td>x log r - log x!</td></tr>
 * <tr><td>Gaussian</td><td>u, u^2</td><td>l / v, -1 / 2v</td><td>l^2 / 2v + log(v) / 2</td>
 *     <td>-log(scale) - log(2 pi) / 2</td></tr>
 * <tr><td>categorical</td><td>one-hot x</td><td>l</td><td>log sum exp l</td><td>0</td></tr>
 * </table>
 * with u = (x - centre) / scale, the column's own variance v, and r = e^centre. A missing cell has zeros for T and h
 * and takes no A. So all rows against all codes are two matrix products. A Gaussian's part is a log density in the
 * units of the table, which may be above 0.
 *
 * <p>A row is [seen | T | h]: the encoder sees what is known, scaled, and which cells are, [values | known]. Columns
 * stand in the order of their kinds; categorical ones have as many places as the longest.
 */
final class TableLikelihood implements Likelihood {

    /** The parameter log sqrt(v) of Gaussian columns, and the least v: finer than a hundredth of the deviation, a
     * density would only praise rounding. */
    static final String DEVIATIONS = "deviations";
    private static final double LEAST_VARIANCE = 1e-4;
    /** Levels rarer than this start as if they were not. */
    private static final double LEAST_SHARE = 1e-3;
    private static final double HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

    private final TableSchema schema;
    /** Columns by kind, each by its place in the schema. */
    private final int[] bernoulli;
    private final int[] poisson;
    private final int[] gaussian;
    private final int[] categorical;
    private final CodeSpace levels;
    private final int places;

    TableLikelihood(TableSchema schema) {
        this.schema = schema;
        bernoulli = of(ColumnKind.BERNOULLI);
        poisson = of(ColumnKind.POISSON);
        gaussian = of(ColumnKind.GAUSSIAN);
        categorical = of(ColumnKind.CATEGORICAL);
        levels = categorical.length == 0 ? null
                : CodeSpace.of(IntStream.of(categorical).map(c -> column(c).levels().size()).toArray());
        places = levels == null ? 0 : levels.width();
    }

    private int[] of(ColumnKind kind) {
        return IntStream.range(0, schema.columns().size()).filter(c -> column(c).kind() == kind).toArray();
    }

    private Column column(int c) {
        return schema.columns().get(c);
    }

    @Override
    public Optional<TableSchema> schema() {
        return Optional.of(schema);
    }

    @Override
    public int outputs() {
        return bernoulli.length + poisson.length + gaussian.length + categorical.length * places;
    }

    @Override
    public int seen() {
        return outputs() + schema.columns().size();
    }

    private int statistics() {
        return outputs() + gaussian.length;
    }

    @Override
    public int size() {
        return seen() + statistics() + 1;
    }

    /** Where the output of a column starts. */
    int output(int column) {
        int at = 0;
        for (int[] kind : new int[][] {bernoulli, poisson, gaussian, categorical}) {
            int step = kind == categorical ? places : 1;
            for (int c : kind) {
                if (c == column) {
                    return at;
                }
                at += step;
            }
        }
        throw new IllegalArgumentException("there is no column " + column);
    }

    /** The place of a Gaussian column among its like. */
    int gaussian(int column) {
        return Arrays.binarySearch(gaussian, column);
    }

    /** Writes a row from its cells, NaN where missing. */
    void write(double[] cells, float[] target, int offset) {
        Arrays.fill(target, offset, offset + size(), 0);
        int values = offset;
        int known = offset + outputs();
        int statistics = offset + seen();
        double base = 0;
        for (int c : bernoulli) {
            put(target, values++, statistics++, known++, cells[c], cells[c]);
        }
        for (int c : poisson) {
            Column own = column(c);
            base += put(target, values++, statistics++, known++, (Math.log1p(cells[c]) - own.centre()) / own.scale(),
                    cells[c]) ? cells[c] * own.centre() - LogGamma.value(cells[c] + 1) : 0;
        }
        for (int c : gaussian) {
            Column own = column(c);
            double u = (cells[c] - own.centre()) / own.scale();
            boolean there = put(target, values++, statistics++, known++, u, u);
            target[statistics - 1 + gaussian.length] = there ? (float) (u * u) : 0;
            base -= there ? Math.log(own.scale()) + HALF_LOG_2PI : 0;
        }
        statistics += gaussian.length;
        for (int c : categorical) {
            int level = Double.isNaN(cells[c]) ? 0 : (int) cells[c];
            double one = Double.isNaN(cells[c]) ? Double.NaN : 1;
            put(target, values + level, statistics + level, known++, one, one);
            values += places;
            statistics += places;
        }
        target[offset + size() - 1] = (float) base;
    }

    /** Writes a known cell; returns whether it is one. */
    private static boolean put(float[] target, int value, int statistic, int known, double seen, double counted) {
        boolean there = !Double.isNaN(counted);
        if (there) {
            target[value] = (float) seen;
            target[statistic] = (float) counted;
            target[known] = 1;
        }
        return there;
    }

    @Override
    public Tensor seen(Tensor rows) {
        return rows.slice(1, 0, seen());
    }

    private Tensor known(Tensor rows) {
        return rows.slice(1, outputs(), schema.columns().size());
    }

    private Tensor statistics(Tensor rows) {
        return rows.slice(1, seen(), statistics());
    }

    private Tensor base(Tensor rows) {
        return rows.slice(1, size() - 1, 1).reshape(rows.extent(0));
    }

    /** The parts of outputs [n, outputs] by kind; null where there is no such column. */
    private record Outputs(Tensor bernoulli, Tensor poisson, Tensor gaussian, Tensor categorical) {}

    private Outputs outputs(Tensor decoded) {
        int[] widths = {bernoulli.length, poisson.length, gaussian.length, categorical.length * places};
        Tensor[] parts = new Tensor[widths.length];
        int at = 0;
        for (int i = 0; i < widths.length; i++) {
            parts[i] = widths[i] == 0 ? null : decoded.slice(1, at, widths[i]);
            at += widths[i];
        }
        // levels that a column does not have are impossible
        Tensor logits = parts[3] == null ? null : StraightThrough.restrict(
                parts[3].reshape(decoded.extent(0), categorical.length, places), levels);
        return new Outputs(parts[0], parts[1], parts[2], logits);
    }

    /** The natural parameters eta [n, statistics] and the normalisers A [n, columns] of decoded codes. */
    private record Natural(Tensor eta, Tensor normaliser) {}

    private Natural natural(Graph graph, Tensor decoded) {
        long n = decoded.extent(0);
        Outputs out = outputs(decoded);
        List<Tensor> eta = new ArrayList<>();
        List<Tensor> normaliser = new ArrayList<>();
        if (out.bernoulli() != null) {
            eta.add(out.bernoulli());
            normaliser.add(out.bernoulli().softplus());
        }
        if (out.poisson() != null) {
            eta.add(out.poisson());
            normaliser.add(out.poisson().exp().times(rates(graph, n)));
        }
        if (out.gaussian() != null) {
            Tensor logVariance = logVariance(graph);
            Tensor precision = logVariance.times(-1).exp().repeatLeading(n);
            Tensor scaled = out.gaussian().times(precision);
            eta.add(scaled);
            eta.add(precision.times(-0.5));
            normaliser.add(scaled.times(out.gaussian()).plus(logVariance.repeatLeading(n)).times(0.5));
        }
        if (out.categorical() != null) {
            eta.add(out.categorical().reshape(n, (long) categorical.length * places));
            normaliser.add(out.categorical().logSumExp());
        }
        return new Natural(joined(eta), joined(normaliser));
    }

    private static Tensor joined(List<Tensor> parts) {
        return Tensor.concat(1, parts.toArray(Tensor[]::new));
    }

    /** e^centre of the counts, [n, columns]. */
    private Tensor rates(Graph graph, long n) {
        double[] row = IntStream.of(poisson).mapToDouble(c -> Math.exp(column(c).centre())).toArray();
        return graph.constant(row, row.length).repeatLeading(n);
    }

    /** log v of the Gaussian columns, [columns]. */
    private Tensor logVariance(Graph graph) {
        return graph.under("decoder").parameter(new Parameter(DEVIATIONS, Initialiser.constant(0), gaussian.length))
                .times(2).exp().log(LEAST_VARIANCE);
    }

    /** sqrt(v) of a column, from its parameter. */
    static double deviation(double parameter) {
        return Math.sqrt(Math.exp(2 * parameter) + LEAST_VARIANCE);
    }

    @Override
    public Tensor logLikelihood(Graph graph, Tensor decoded, Tensor rows) {
        Natural natural = natural(graph, decoded);
        return statistics(rows).times(natural.eta()).sum(1).minus(known(rows).times(natural.normaliser()).sum(1))
                .plus(base(rows));
    }

    @Override
    public Tensor logLikelihoods(Graph graph, Tensor decoded, Tensor rows) {
        Natural natural = natural(graph, decoded);
        return statistics(rows).matmulTransposed(natural.eta())
                .minus(known(rows).matmulTransposed(natural.normaliser()))
                .plus(base(rows).repeatAt(1, decoded.extent(0)));
    }

    /** Probabilities of Bernoulli columns, rates, scaled means, probabilities of levels. */
    @Override
    public Tensor means(Tensor decoded) {
        long n = decoded.extent(0);
        Outputs out = outputs(decoded);
        return joined(Stream.of(out.bernoulli() == null ? null : out.bernoulli().sigmoid(),
                out.poisson() == null ? null : out.poisson().exp().times(rates(decoded.graph(), n)), out.gaussian(),
                out.categorical() == null ? null
                        : out.categorical().softmax().reshape(n, (long) categorical.length * places))
                .filter(part -> part != null).toList());
    }

    @Override
    public double[] first(ImageRows rows) {
        double[] sums = new double[statistics()];
        double[] known = new double[schema.columns().size()];
        float[] row = new float[size()];
        for (int i = 0; i < rows.count(); i++) {
            rows.read(i, row, 0);
            for (int s = 0; s < sums.length; s++) {
                sums[s] += row[seen() + s];
            }
            for (int c = 0; c < known.length; c++) {
                known[c] += row[outputs() + c];
            }
        }
        double[] first = new double[outputs()];
        for (int i = 0; i < bernoulli.length; i++) {
            first[i] = PixelLikelihood.logit(sums[i] / Math.max(1, known[i]));
        }
        for (int i = 0; i < poisson.length; i++) {
            int at = bernoulli.length + i;
            double mean = Math.max(LEAST_SHARE, sums[at] / Math.max(1, known[at]));
            first[at] = Math.log(mean) - column(poisson[i]).centre();
        }
        // of Gaussian columns 0 is the mean, by their scaling
        int start = outputs() - categorical.length * places;
        for (int i = 0; i < categorical.length * places; i++) {
            double share = sums[start + gaussian.length + i] / Math.max(1, known[start + i / places]);
            first[start + i] = Math.log(Math.max(LEAST_SHARE, share));
        }
        return first;
    }
}
