package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.datavec.api.records.reader.RecordReader;
import org.datavec.api.records.reader.impl.collection.CollectionRecordReader;
import org.datavec.api.records.reader.impl.csv.CSVRecordReader;
import org.datavec.api.split.FileSplit;
import org.datavec.api.writable.FloatWritable;
import org.datavec.api.writable.IntWritable;
import org.datavec.api.writable.Writable;
import org.deeplearning4j.datasets.datavec.RecordReaderDataSetIterator;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.MultiDataSet;
import org.nd4j.linalg.dataset.adapter.SingletonMultiDataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** The autoencoder learns the same from DL4J's iterators and DataVec's readers as from the rows themselves. */
class DataSetRowsTest {
    private static final DigitImages IMAGES = Patterns.images(70);
    private static final int SIZE = IMAGES.size();

    @TempDir
    private Path folder;

    private static float[][] rows() {
        float[][] rows = new float[IMAGES.count()][SIZE];
        for (int r = 0; r < rows.length; r++) {
            IMAGES.read(r, rows[r], 0);
            rows[r][r % SIZE] = r / 100f;
        }
        return rows;
    }

    private static double[] trained(ImageRows rows) {
        VaeSettings settings = Patterns.settings(LatentAlgorithm.MDNF).withPixels(PixelKind.DYNAMIC);
        try (var training = new GradientTraining<>(new VaeTraining(settings, rows, 2))) {
            return training.finish(training.init(Seed.of(1))).parameters();
        }
    }

    /** Pixels and a label at the end, in batches that do not divide the rows. */
    private static DataSetIterator iterator(float[][] rows) {
        List<List<Writable>> records = new ArrayList<>();
        for (int r = 0; r < rows.length; r++) {
            List<Writable> record = new ArrayList<>();
            for (float value : rows[r]) {
                record.add(new FloatWritable(value));
            }
            record.add(new IntWritable(r % 3));
            records.add(record);
        }
        return new RecordReaderDataSetIterator(new CollectionRecordReader(records), 9, SIZE, 3);
    }

    private RecordReader csv(float[][] rows) throws IOException, InterruptedException {
        StringBuilder text = new StringBuilder();
        for (float[] row : rows) {
            for (int c = 0; c < row.length; c++) {
                text.append(c == 0 ? "" : ",").append(row[c]);
            }
            text.append('\n');
        }
        RecordReader reader = new CSVRecordReader();
        reader.initialize(new FileSplit(Files.writeString(folder.resolve("pixels.csv"), text).toFile()));
        return reader;
    }

    @Test
    @Tag("slow")
    void trainingFromAnIteratorOrAReaderIsTrainingFromTheirRows() throws Exception {
        double[] direct = trained(ImageRows.of(rows()));
        DataSetIterator partlyRead = iterator(rows());
        partlyRead.next();
        assertThat(trained(DataSetRows.of(partlyRead))).isEqualTo(direct);
        assertThat(trained(DataSetRows.of(csv(rows())))).isEqualTo(direct);
    }

    @Test
    void bytesAreRowsOfTheSameNumbers() {
        float[][] grey = new float[IMAGES.count()][SIZE];
        for (int r = 0; r < grey.length; r++) {
            IMAGES.read(r, grey[r], 0);
        }
        assertThat(trained(IMAGES)).isEqualTo(trained(ImageRows.of(grey)));
    }

    @Test
    void whatIsNoPixelIsRefusedWithItsPlace() throws Exception {
        float[][] rows = rows();
        rows[12][4] = 1.5f;
        assertThatThrownBy(() -> DataSetRows.of(iterator(rows)))
                .hasMessage("row 13, column 5 is 1.5: pixels lie in [0, 1]; scale them, or leave out a column that is "
                        + "no pixel");
        rows[12][4] = Float.NaN;
        assertThatThrownBy(() -> ImageRows.of(rows)).hasMessageContaining("row 13, column 5 is NaN");
        rows[12] = new float[3];
        assertThatThrownBy(() -> ImageRows.of(rows)).hasMessage("row 13 has 3 numbers; row 1 has 16");
        assertThatThrownBy(() -> ImageRows.of(new float[0][])).hasMessageContaining("there are no numbers");
    }

    @Test
    void moreThanMemoryShouldHoldIsRefused() {
        assertThat(DataSetRows.of(iterator(rows()), 70L * SIZE).count()).isEqualTo(70);
        assertThatThrownBy(() -> DataSetRows.of(iterator(rows()), 70L * SIZE - 1))
                .hasMessageContaining("more than 1119 numbers, 63 rows of 16 so far");
    }

    private static final TableSchema SCHEMA = new TableSchema(List.of(
            Column.plain("word", ColumnKind.CATEGORICAL, List.of("a", "b")),
            new Column("n", ColumnKind.GAUSSIAN, List.of(), 1, 2, 1),
            Column.plain("flag", ColumnKind.BERNOULLI, List.of())));

    @Test
    void cellsOfATableComeFromIteratorsAndReadersAlike() throws Exception {
        double[][] cells = {{0, 1.5, 1}, {1, Double.NaN, 0}, {Double.NaN, -2, Double.NaN}};
        float[] direct = TableRows.of(SCHEMA, cells).floats();
        INDArray all = Nd4j.createFromArray(cells);
        assertThat(DataSetRows.of(new ListDataSetIterator<>(new DataSet(all, all).asList(), 2), SCHEMA).floats())
                .isEqualTo(direct);
        INDArray[] parts = {all.get(NDArrayIndex.all(), NDArrayIndex.interval(0, 1)),
            all.get(NDArrayIndex.all(), NDArrayIndex.interval(1, 3))};
        MultiDataSet several = new MultiDataSet(parts, new INDArray[] {all});
        assertThat(DataSetRows.of(new SingletonMultiDataSetIterator(several), SCHEMA).floats()).isEqualTo(direct);
        RecordReader reader = new CSVRecordReader();
        reader.initialize(new FileSplit(
                Files.writeString(folder.resolve("table.csv"), "a,1.5,1\nb, ,0\n?,-2,NA\n").toFile()));
        assertThat(DataSetRows.of(reader, SCHEMA).floats()).isEqualTo(direct);
        reader.initialize(new FileSplit(Files.writeString(folder.resolve("table.csv"), "a,1,1\nc,1,0\n").toFile()));
        assertThatThrownBy(() -> DataSetRows.of(reader, SCHEMA)).hasMessageContaining("row 3, column 1 (word): 'c'");
    }

    @Test
    void greyImagesOfAnIteratorKeepTheirShape() {
        INDArray images = Nd4j.rand(5, 1, 2, 3);
        ImageRows rows = DataSetRows.of(new ListDataSetIterator<>(new DataSet(images, images).asList(), 2));
        assertThat(rows.shape()).isEqualTo(new ImageShape(2, 3)).isEqualTo(rows.first(1).shape());
        assertThat(rows.floats()).isEqualTo(images.dup('c').data().asFloat());
        assertThat(DataSetRows.of(iterator(rows())).shape()).isEqualTo(new ImageShape(1, SIZE));
    }

    @Test
    void severalArraysOfPixelsAreOneRow() {
        INDArray upper = Nd4j.createFromArray(new float[][] {{0, 1}, {1, 0}});
        INDArray lower = Nd4j.createFromArray(new float[][] {{0.5f}, {0.25f}});
        MultiDataSet both = new MultiDataSet(new INDArray[] {upper, lower}, new INDArray[] {upper});
        assertThat(DataSetRows.of(new SingletonMultiDataSetIterator(both)).floats())
                .containsExactly(0, 1, 0.5f, 1, 0, 0.25f);
    }
}
