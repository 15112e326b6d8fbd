package io.mdnf.vae;

import io.mdnf.file.CsvFile;
import io.mdnf.file.InvalidFileException;
import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.datavec.api.records.reader.RecordReader;
import org.deeplearning4j.datasets.datavec.RecordReaderDataSetIterator;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.adapter.MultiDataSetIteratorAdapter;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;

/**
 * Training rows from DL4J's iterators and DataVec's readers: the features of every example, flattened, read once into
 * memory; grey images, features [n, 1, height, width], keep their shape. From then on minibatches are drawn as from any
 * rows, so an iterator's own shuffling does not matter and training resumes bit for bit.
 *
 * <pre>{@code
 * CSVRecordReader reader = new CSVRecordReader();
 * reader.initialize(new FileSplit(new File("pixels.csv")));
 * VaeTraining task = new VaeTraining(settings, DataSetRows.of(reader), 10);
 * }</pre>
 */
public final class DataSetRows {

    /** The most numbers held in memory: 1 GB. */
    public static final long MOST_NUMBERS = 1L << 28;

    private static final int BATCH = 1024;

    private DataSetRows() {
    }

    /**
     * All features of an iterator, which is reset first if it can be; labels are left out. A number outside [0, 1] is
     * refused by row and column, from 1, as are examples of different sizes and more than {@link #MOST_NUMBERS}
     * numbers.
     */
    public static ImageRows of(DataSetIterator iterator) {
        return of(iterator, MOST_NUMBERS);
    }

    /** All features of an iterator, those of an example one after the other, checked as by {@link
     * #of(DataSetIterator)}. */
    public static ImageRows of(MultiDataSetIterator iterator) {
        return images(iterator, MOST_NUMBERS);
    }

    /** All columns of an initialised reader, checked as by {@link #of(DataSetIterator)}; where a label is among them,
     * give that method an iterator which knows the column. */
    public static ImageRows of(RecordReader reader) {
        return of(new RecordReaderDataSetIterator(reader, BATCH));
    }

    /** The features of an iterator as cells of a table, column after column: numbers, indices of levels, NaN where a
     * value is missing. */
    public static TableRows of(DataSetIterator iterator, TableSchema schema) {
        return of(new MultiDataSetIteratorAdapter(iterator), schema);
    }

    /** The same of several arrays of features, those of an example one after the other. */
    public static TableRows of(MultiDataSetIterator iterator, TableSchema schema) {
        float[][] rows = read(iterator, MOST_NUMBERS).rows;
        return TableRows.of(schema, Arrays.stream(rows).map(row -> IntStream.range(0, row.length)
                .mapToDouble(i -> row[i]).toArray()).toArray(double[][]::new));
    }

    /** The records of an initialised reader from its position on as cells of a table, column after column: words,
     * numbers, missing ones empty or as {@link Column#isMissing} knows them. */
    public static TableRows of(RecordReader reader, TableSchema schema) throws InvalidFileException {
        List<List<String>> rows = new ArrayList<>();
        rows.add(schema.columns().stream().map(Column::name).toList());
        while (reader.hasNext()) {
            rows.add(reader.next().stream().map(cell -> cell.toString().strip()).toList());
        }
        return TableRows.of(schema, new CsvFile("records, after a row of names", rows));
    }

    static ImageRows of(DataSetIterator iterator, long most) {
        return images(new MultiDataSetIteratorAdapter(iterator), most);
    }

    private static ImageRows images(MultiDataSetIterator iterator, long most) {
        Features all = read(iterator, most);
        ImageRows rows = ImageRows.of(all.rows);
        return all.shape.<ImageRows>map(shape -> new ShapedRows(rows, shape)).orElse(rows);
    }

    /** Features of every example, [rows][numbers], and the shape of grey images. */
    private record Features(float[][] rows, Optional<ImageShape> shape) {}

    /** The features of every example, flattened and joined, [rows][numbers]. */
    private static Features read(MultiDataSetIterator iterator, long most) {
        if (iterator.resetSupported()) {
            iterator.reset();
        }
        List<float[]> rows = new ArrayList<>();
        Optional<ImageShape> shape = Optional.empty();
        long numbers = 0;
        while (iterator.hasNext()) {
            INDArray[] features = iterator.next().getFeatures();
            int count = Math.toIntExact(features[0].size(0));
            int size = Math.toIntExact(Arrays.stream(features).mapToLong(part -> part.length() / count).sum());
            numbers += (long) count * size;
            shape = features.length == 1 && features[0].rank() == 4 && features[0].size(1) == 1
                    ? Optional.of(new ImageShape((int) features[0].size(2), (int) features[0].size(3)))
                    : Optional.empty();
            Check.that(numbers <= most, "the iterator gives more than ", most, " numbers, ", rows.size(), " rows of ",
                    size, " so far: that many are held in memory; take fewer rows or smaller images");
            float[][] joined = new float[count][size];
            int at = 0;
            for (INDArray part : features) {
                float[] values = part.dup('c').data().asFloat();
                int width = values.length / count;
                for (int r = 0; r < count; r++) {
                    System.arraycopy(values, r * width, joined[r], at, width);
                }
                at += width;
            }
            rows.addAll(List.of(joined));
        }
        return new Features(rows.toArray(float[][]::new), shape);
    }
}
