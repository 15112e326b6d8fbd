package io.mdnf.vae;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.datavec.api.records.reader.RecordReader;
import org.deeplearning4j.datasets.datavec.RecordReaderDataSetIterator;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * Training rows from DL4J's iterators and DataVec's readers: the features of every example, flattened, read once into
 * memory. From then on minibatches are drawn as from any rows, so an iterator's own shuffling does not matter and
 * training resumes bit for bit.
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

    /** All columns of an initialised reader, checked as by {@link #of(DataSetIterator)}; where a label is among them,
     * give that method an iterator which knows the column. */
    public static ImageRows of(RecordReader reader) {
        return of(new RecordReaderDataSetIterator(reader, BATCH));
    }

    static ImageRows of(DataSetIterator iterator, long most) {
        if (iterator.resetSupported()) {
            iterator.reset();
        }
        List<float[]> rows = new ArrayList<>();
        long numbers = 0;
        while (iterator.hasNext()) {
            INDArray features = iterator.next().getFeatures();
            float[] values = features.dup('c').data().asFloat();
            int size = Math.toIntExact(features.length() / features.size(0));
            numbers += values.length;
            Check.that(numbers <= most, "the iterator gives more than ", most, " numbers, ", rows.size(), " rows of ",
                    size, " so far: that many are held in memory; take fewer rows or smaller images");
            for (int start = 0; start < values.length; start += size) {
                rows.add(Arrays.copyOfRange(values, start, start + size));
            }
        }
        return ImageRows.of(rows.toArray(float[][]::new));
    }
}
