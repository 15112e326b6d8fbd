package io.mdnf.gmm;

import io.mdnf.file.CsvFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * N points of D finite numbers, with a name for each column. Immutable.
 *
 * <p>Constant columns are welcome, since the prior keeps every covariance positive definite; they carry no information
 * about clusters, and {@link #constantColumns} names them so that a program can say so.
 */
public final class GaussianMixtureData {
    private static final int ARTIFICIAL_CLUSTERS = 3;
    private static final int ARTIFICIAL_CLUSTER_SIZE = 100;
    private static final double ARTIFICIAL_RADIUS = 2;

    private final List<String> columns;
    private final double[] values;

    /** Takes the array over: package-private callers give it away. */
    GaussianMixtureData(List<String> columns, double[] values) {
        this.columns = List.copyOf(columns);
        this.values = values;
    }

    /**
     * Data from a table in memory, with columns called "column 1", "column 2" and so on.
     *
     * @param rows the points [N, D], at least one, all finite
     * @return the data
     */
    public static GaussianMixtureData of(double[][] rows) {
        if (rows.length == 0 || rows[0].length == 0) {
            throw new IllegalArgumentException("the table of points is empty");
        }
        int dimension = rows[0].length;
        double[] values = new double[rows.length * dimension];
        for (int n = 0; n < rows.length; n++) {
            if (rows[n].length != dimension) {
                throw new IllegalArgumentException("row " + n + " has " + rows[n].length + " entries; row 0 has "
                        + dimension);
            }
            for (int d = 0; d < dimension; d++) {
                if (!Double.isFinite(rows[n][d])) {
                    throw new IllegalArgumentException("entry [" + n + ", " + d + "] is " + rows[n][d]
                            + "; it must be finite");
                }
                values[n * dimension + d] = rows[n][d];
            }
        }
        List<String> columns = new ArrayList<>();
        for (int d = 1; d <= dimension; d++) {
            columns.add(CsvFile.unnamed(d));
        }
        return new GaussianMixtureData(columns, values);
    }

    /**
     * Reads all columns of a CSV file; see {@link #readCsv(Path, Set)}.
     *
     * @param file comma-separated, plain or gzip
     * @return the data
     * @throws io.mdnf.file.InvalidFileException if the file is not a table of numbers
     * @throws IOException if it cannot be read
     */
    public static GaussianMixtureData readCsv(Path file) throws IOException {
        return readCsv(file, Set.of());
    }

    /**
     * Reads a CSV file. A first row without any number is taken for a header. A last column without name and without
     * a single entry, as a comma at the end of every line makes it, is dropped.
     *
     * @param file comma-separated, plain or gzip (told by its content)
     * @param ignored columns to leave out, by name or by number from 1, such as an identifier
     * @return the data
     * @throws io.mdnf.file.InvalidFileException if a cell is missing or not a finite number, naming row and column,
     *     if rows differ in length, or if there is nothing to read
     * @throws IOException if it cannot be read
     */
    public static GaussianMixtureData readCsv(Path file, Set<String> ignored) throws IOException {
        CsvFile.Numbers table = CsvFile.read(file).numbers(ignored);
        return new GaussianMixtureData(table.columns(), table.values());
    }

    /**
     * The paper's simulated data: 100 points around each of three centres, with unit covariance; the centres lie at
     * distance 2 from the origin, 120 degrees apart, the first at (0, 2). Row n belongs to cluster n / 100.
     *
     * @param seed the same seed gives the same data
     * @return 300 points of 2 dimensions
     */
    public static GaussianMixtureData artificial(long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        double[] values = new double[ARTIFICIAL_CLUSTERS * ARTIFICIAL_CLUSTER_SIZE * 2];
        int at = 0;
        for (int k = 0; k < ARTIFICIAL_CLUSTERS; k++) {
            double angle = 2 * Math.PI * k / ARTIFICIAL_CLUSTERS;
            for (int i = 0; i < ARTIFICIAL_CLUSTER_SIZE; i++) {
                values[at++] = ARTIFICIAL_RADIUS * Math.sin(angle) + random.nextGaussian();
                values[at++] = ARTIFICIAL_RADIUS * Math.cos(angle) + random.nextGaussian();
            }
        }
        return new GaussianMixtureData(List.of("x", "y"), values);
    }

    /** {@return N} */
    public int size() {
        return values.length / columns.size();
    }

    /** {@return D} */
    public int dimension() {
        return columns.size();
    }

    /** {@return the names of the columns [D]} */
    public List<String> columns() {
        return columns;
    }

    /**
     * {@return column d of point n}
     *
     * @param n which point
     * @param d which column
     */
    public double get(int n, int d) {
        return values[n * columns.size() + d];
    }

    /**
     * {@return a copy of point n [D]}
     *
     * @param n which point
     */
    public double[] row(int n) {
        return Arrays.copyOfRange(values, n * columns.size(), (n + 1) * columns.size());
    }

    /** {@return a copy of all points [N, D]} */
    public double[][] toArray() {
        double[][] rows = new double[size()][];
        for (int n = 0; n < rows.length; n++) {
            rows[n] = row(n);
        }
        return rows;
    }

    /** {@return the mean of the points [D]} */
    public double[] mean() {
        double[] mean = new double[dimension()];
        for (int n = 0; n < size(); n++) {
            for (int d = 0; d < mean.length; d++) {
                // A running mean cannot overflow where a sum could.
                mean[d] += (get(n, d) - mean[d]) / (n + 1);
            }
        }
        return mean;
    }

    /** {@return the names of the columns that hold the same value in every row} */
    public List<String> constantColumns() {
        List<String> constant = new ArrayList<>();
        for (int d = 0; d < dimension(); d++) {
            boolean same = true;
            for (int n = 1; n < size() && same; n++) {
                same = get(n, d) == get(0, d);
            }
            if (same) {
                constant.add(columns.get(d));
            }
        }
        return constant;
    }

    /** The points row after row; not to be changed. */
    double[] values() {
        return values;
    }

    @Override
    public String toString() {
        return "GaussianMixtureData[N=" + size() + ", D=" + dimension() + "]";
    }
}
