package io.mdnf.gmm;

import io.mdnf.file.CsvFile;
import io.mdnf.space.Check;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

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

    /** Data from points [N, D], at least one, all finite, with columns called "column 1", "column 2" and so on. */
    public static GaussianMixtureData of(double[][] rows) {
        Check.that(rows.length != 0 && rows[0].length != 0, "the table of points is empty");
        int dimension = rows[0].length;
        double[] values = flat(rows);
        for (int at = 0; at < values.length; at++) {
            if (!Double.isFinite(values[at])) {
                throw new IllegalArgumentException("entry [" + at / dimension + ", " + at % dimension + "] is "
                        + values[at] + "; it must be finite");
            }
        }
        return new GaussianMixtureData(IntStream.rangeClosed(1, dimension).mapToObj(CsvFile::unnamed).toList(), values);
    }

    /** A table as one array, row after row; all rows must be as long as the first. */
    static double[] flat(double[][] rows) {
        for (int n = 0; n < rows.length; n++) {
            Check.that(rows[n].length == rows[0].length, "row ", n, " has ", rows[n].length, " entries; row 0 has ",
                    rows[0].length);
        }
        return Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
    }

    /** The inverse of {@link #flat}. */
    static double[][] rows(double[] values, int columns) {
        return IntStream.range(0, values.length / columns)
                .mapToObj(n -> Arrays.copyOfRange(values, n * columns, (n + 1) * columns)).toArray(double[][]::new);
    }

    /** Reads all columns of a CSV file; see {@link #readCsv(Path, Set)}. */
    public static GaussianMixtureData readCsv(Path file) throws IOException {
        return readCsv(file, Set.of());
    }

    /**
     * Reads a CSV file, plain or gzip (told by its content). A first row without any number is taken for a header. A
     * last column without name and without a single entry, as a comma at the end of every line makes it, is dropped.
     *
     * @param ignored columns to leave out, by name or by number from 1, such as an identifier
     * @throws io.mdnf.file.InvalidFileException if a cell is missing or not a finite number, naming row and column, if
     *     rows differ in length, or if there is nothing to read
     * @throws IOException if it cannot be read
     */
    public static GaussianMixtureData readCsv(Path file, Set<String> ignored) throws IOException {
        CsvFile.Numbers table = CsvFile.read(file).numbers(ignored);
        return new GaussianMixtureData(table.columns(), table.values());
    }

    /**
     * Returns the paper's simulated data: 100 points [2] around each of three centres, with unit covariance; the
     * centres lie at distance 2 from the origin, 120 degrees apart, the first at (0, 2). Row n belongs to cluster n /
     * 100.
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

    /** Returns column d of point n. */
    public double get(int n, int d) {
        return values[n * columns.size() + d];
    }

    /** Returns a copy of point n [D]. */
    public double[] row(int n) {
        return Arrays.copyOfRange(values, n * columns.size(), (n + 1) * columns.size());
    }

    /** {@return a copy of all points [N, D]} */
    public double[][] toArray() {
        return rows(values, dimension());
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
        return IntStream.range(0, dimension())
                .filter(d -> IntStream.range(1, size()).allMatch(n -> get(n, d) == get(0, d)))
                .mapToObj(columns::get).toList();
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
