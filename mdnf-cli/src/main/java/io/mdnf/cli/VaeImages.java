package io.mdnf.cli;

import io.mdnf.file.CsvFile;
import io.mdnf.mnist.LabelledImages;
import io.mdnf.mnist.Mnist;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.ImageRows;
import io.mdnf.vae.TableRows;
import io.mdnf.vae.TableSchema;
import io.mdnf.vae.TrainedVae;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Mixin for commands that show images, or the rows of a table, to a trained VAE: which ones, and how many. */
final class VaeImages {

    enum Split {
        /** Those it was trained on. */
        TRAIN,
        /** Those it never saw. */
        TEST
    }

    @Option(names = "--csv", paramLabel = "FILE.csv", description = "The table, for a run that learned from one.")
    private Path csv;

    @Option(names = "--split", paramLabel = "train|test", defaultValue = "test", description = "Which images")
    private Split split;

    @Option(names = "--limit", paramLabel = "N", description = "The first N images or rows only.")
    private Integer limit;

    @Mixin
    private MnistOption mnist;

    void check() {
        UsageProblem.ifBelowOne("--limit", limit == null ? 1 : limit);
    }

    /** What is shown: the file, or the split of images. */
    String source() {
        return csv == null ? Manual.word(split) : csv.toString();
    }

    /** All images of the split, with labels. */
    LabelledImages load(VaeModel model, boolean quiet) throws IOException {
        Mnist data = model.images(mnist, quiet);
        return split == Split.TRAIN ? data.train() : data.test();
    }

    /** Those that are wanted, if the model can see them. */
    DigitImages of(TrainedVae vae, LabelledImages all) throws IOException {
        return known(vae, limit == null ? all.images() : all.images().first(limit));
    }

    /** The same images, unless they are of another size than those the model learned from. */
    static DigitImages known(TrainedVae vae, DigitImages images) throws IOException {
        return UsageProblem.ifRefused(() -> {
            vae.check(images);
            return images;
        });
    }

    /** The wanted rows of the table that a model of a table is shown. */
    TableRows rows(TableSchema schema) throws IOException {
        if (csv == null) {
            throw new UsageProblem("the run learned from a table: name one with --csv FILE.csv");
        }
        CsvFile file = VaeTable.read(csv);
        TableRows rows = UsageProblem.ifRefused(() -> TableRows.of(schema, file));
        return limit == null ? rows : rows.first(limit);
    }

    /** The wanted images or rows, whichever the model knows. */
    ImageRows of(VaeModel model, TrainedVae vae, boolean quiet) throws IOException {
        if (vae.schema().isPresent()) {
            return rows(vae.schema().get());
        }
        refuseTable();
        return of(vae, load(model, quiet));
    }

    void refuseTable() {
        if (csv != null) {
            throw new UsageProblem("--csv " + csv + ": the run learned from images, not from a table");
        }
    }
}
