package io.mdnf.cli;

import io.mdnf.checkpoint.CheckpointFolder;
import io.mdnf.checkpoint.RunManifest;
import io.mdnf.file.AtomicFiles;
import io.mdnf.file.CsvFile;
import io.mdnf.plot.Axis;
import io.mdnf.plot.DigitGrid;
import io.mdnf.plot.LinePlot;
import io.mdnf.plot.PngImage;
import io.mdnf.plot.Series;
import io.mdnf.random.Seed;
import io.mdnf.report.Block;
import io.mdnf.report.CsvTable;
import io.mdnf.report.ReportSection;
import io.mdnf.space.Check;
import io.mdnf.training.Algorithm;
import io.mdnf.training.RunListener;
import io.mdnf.training.TrainingState;
import io.mdnf.vae.Column;
import io.mdnf.vae.ImageRows;
import io.mdnf.vae.ImageShape;
import io.mdnf.vae.TableSchema;
import io.mdnf.vae.TableVae;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeEvaluation;
import io.mdnf.vae.VaeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The folder of one {@code vae train}: {@code manifest.json}, {@code metrics.csv} with a row per epoch,
 * {@code checkpoints/}, {@code samples.png} and {@code reconstructions.png}, or {@code samples.csv} of a table, and
 * {@code report.html}.
 */
final class VaeRun {

    static final String WHAT = "mdnf vae train";
    private static final int COLUMNS_OF_DIGITS = 10;
    private static final int SAMPLED_ROWS = 100;
    private static final int SHOWN_ROWS = 20;

    private VaeRun() {}

    static Path checkpoints(Path folder) {
        return folder.resolve("checkpoints");
    }

    /** The rows of metrics.csv: those of a resumed run up to its step, then new ones. */
    static final class Metrics implements RunListener {
        private final Path file;
        private final List<String> columns;
        private final List<String[]> rows = new ArrayList<>();

        /** Of images or of rows. */
        Metrics(Path folder, String unit) {
            file = folder.resolve("metrics.csv");
            String count = unit.substring(0, 1).toUpperCase(Locale.ROOT) + unit.substring(1) + "s";
            columns = List.of("epoch", "step", "temperature", "objective", "trainElbo", "trainKl",
                    "trainReconstruction", "train" + count, "testElbo", "testKl", "testReconstruction", "test" + count,
                    "samples", "seconds");
        }

        @Override
        public void onResume(Algorithm.Info info) throws IOException {
            if (info.step() > 0 && Files.exists(file)) {
                List<List<String>> old = CsvFile.read(file).rows();
                try {
                    Check.that(old.get(0).equals(columns), "its columns are others");
                    for (List<String> row : old.subList(1, old.size())) {
                        Check.that(row.size() == columns.size(), "a row is too short or too long");
                        row.forEach(Double::parseDouble);
                        if (Long.parseLong(row.get(1)) <= info.step()) {
                            rows.add(row.toArray(String[]::new));
                        }
                    }
                } catch (IllegalArgumentException e) {
                    throw new UsageProblem(file + ": damaged (" + e.getMessage() + "); remove it to go on, without the "
                            + "figures of the epochs before", e);
                }
            }
        }

        void add(long epoch, TrainingState at, double temperature, double objective, VaeEvaluation train,
                VaeEvaluation test) throws IOException {
            Object[] cells = {epoch, at.step(), temperature, objective, train.elbo().value(), train.kl(),
                train.reconstruction(), train.images(), test.elbo().value(), test.kl(), test.reconstruction(),
                test.images(), test.samples(), at.nanos() * 1e-9};
            rows.add(Arrays.stream(cells).map(String::valueOf).toArray(String[]::new));
            CsvTable csv = new CsvTable(columns.toArray(String[]::new));
            rows.forEach(r -> csv.row((Object[]) r));
            csv.write(file);
        }

        /** The last epoch's bound on training images, NaN before the first. */
        double lastElbo() {
            double[] all = column("trainElbo");
            return all.length == 0 ? Double.NaN : all[all.length - 1];
        }

        private double[] column(String name) {
            int at = columns.indexOf(name);
            return rows.stream().mapToDouble(row -> Double.parseDouble(row[at])).toArray();
        }

        LinePlot plot() {
            double[] epochs = column("epoch");
            return new LinePlot("ELBO over epochs", "Valid ELBO on training and test data, nats per image or row.",
                    Axis.linear("epoch", ""), Axis.linear("ELBO", "nats"),
                    List.of(Series.line("training data", epochs, column("trainElbo")),
                            Series.line("test data", epochs, column("testElbo"))), List.of());
        }

        boolean isEmpty() {
            return rows.isEmpty();
        }
    }

    /** The manifest of a run of this command. */
    static RunManifest manifest(Path folder) throws IOException {
        if (!Files.exists(folder.resolve(RunManifest.NAME))) {
            throw new UsageProblem(folder + ": there is no run; 'mdnf vae train --out " + folder + "' makes one");
        }
        RunManifest manifest = RunManifest.read(folder);
        if (!manifest.what().equals(WHAT)) {
            throw new UsageProblem(folder + ": this is a run of '" + manifest.what() + "', not of '" + WHAT + "'");
        }
        return manifest;
    }

    /** A finished or unfinished run's model, from its manifest and its latest checkpoint. */
    static TrainedVae open(Path folder) throws IOException {
        RunManifest manifest = manifest(folder);
        var latest = CheckpointFolder.look(checkpoints(folder)).latest();
        if (latest.isEmpty()) {
            throw new UsageProblem(folder + ": the run has no checkpoint yet; '--resume' goes on with it");
        }
        try {
            VaeSettings settings = VaeSettings.of(manifest.configuration());
            if (manifest.configuration().containsKey("columns")) {
                return TrainedVae.of(settings, TableSchema.of(manifest.configuration()), latest.get().checkpoint());
            }
            DigitGrid grid = grid(manifest);
            return TrainedVae.of(settings, new ImageShape(grid.height(), grid.width()), latest.get().checkpoint());
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(folder + ": " + e.getMessage(), e);
        }
    }

    /** A picture of images drawn from the model. */
    static PngImage samples(TrainedVae vae, DigitGrid grid, int count, Seed seed) {
        return grid.draw(vae.sample(count, seed.fold("samples")));
    }

    /** Rows of originals, each over the row of its reconstructions. */
    static PngImage reconstructions(TrainedVae vae, DigitGrid grid, ImageRows images, Seed seed) {
        return grid.drawPairs(images.floats(), vae.reconstruct(images, seed.fold("reconstructions")));
    }

    /** How the pictures of a run are laid out. */
    static DigitGrid grid(RunManifest manifest) {
        Map<String, String> configuration = manifest.configuration();
        return new DigitGrid(COLUMNS_OF_DIGITS, Integer.parseInt(configuration.getOrDefault("height", "28")),
                Integer.parseInt(configuration.getOrDefault("width", "28")), 2, 2);
    }

    /** Writes pictures or a table, and the report, after the last epoch. */
    static void report(RunFolder folder, TrainedVae vae, VaeData data, Seed seed,
            VaeEvaluation train, VaeEvaluation tested, Metrics metrics) throws IOException {
        String per = " " + data.units() + ", nats per " + data.unit();
        ReportSection section = ReportSection.of("vae-train", "What the model is worth")
                .with(Block.Facts.of("Training" + per, VaeFigures.facts(train, data.unit())),
                        Block.Facts.of("Test" + per, VaeFigures.facts(tested, data.unit())))
                .withAll(VaeFigures.gap(tested).map(Block.Paragraph::new).stream().toList());
        if (!metrics.isEmpty()) {
            section = section.with(new Block.Figure("elbo", metrics.plot(),
                    "Hard samples in every term; both curves are lower bounds of log p(x)."));
        }
        folder.report("Discrete VAE " + (data.schema().isPresent() ? "of a table" : "on MNIST"),
                VaeFigures.title(vae.settings()) + ", seed " + folder.manifest().seed() + ".",
                data.schema().isPresent() ? table(section, folder, vae, seed)
                        : pictures(section, folder, vae, data.test().first(50), seed));
    }

    private static ReportSection pictures(ReportSection section, RunFolder folder, TrainedVae vae, ImageRows test,
            Seed seed) throws IOException {
        DigitGrid grid = grid(folder.manifest());
        PngImage samples = samples(vae, grid, 100, seed);
        PngImage pairs = reconstructions(vae, grid, test, seed);
        AtomicFiles.write(folder.resolve("samples.png"), samples.bytes());
        AtomicFiles.write(folder.resolve("reconstructions.png"), pairs.bytes());
        return section.with(new Block.Picture("samples", samples, "100 digits drawn from the model",
                        "Drawn from the prior."),
                new Block.Picture("reconstructions", pairs, "50 test digits over their reconstructions",
                        "Test images, each over its reconstruction."));
    }

    /** The columns, and some rows that the model draws. */
    private static ReportSection table(ReportSection section, RunFolder folder, TrainedVae vae, Seed seed)
            throws IOException {
        TableVae model = new TableVae(vae);
        List<String[]> rows = rows(model, SAMPLED_ROWS, seed, 1);
        csv(model, rows).write(folder.resolve("samples.csv"));
        Block.Table drawn = Block.Table.of("Rows drawn from the model", model.schema().columns().stream()
                .map(column -> Block.Column.text(column.name())).toArray(Block.Column[]::new));
        for (String[] row : rows.subList(0, SHOWN_ROWS)) {
            drawn = drawn.row(row);
        }
        return section.with(VaeTable.columns(model.schema()), drawn);
    }

    /** Rows drawn from the model, as text. */
    static List<String[]> rows(TableVae model, int count, Seed seed, double temperature) {
        List<Column> columns = model.schema().columns();
        return Arrays.stream(model.sample(count, seed.fold("samples"), temperature)).map(cells -> IntStream
                .range(0, cells.length).mapToObj(c -> columns.get(c).text(cells[c])).toArray(String[]::new)).toList();
    }

    /** Rows under the names of the columns. */
    static CsvTable csv(TableVae model, List<String[]> rows) {
        CsvTable csv = new CsvTable(model.schema().columns().stream().map(Column::name).toArray(String[]::new));
        rows.forEach(row -> csv.row((Object[]) row));
        return csv;
    }
}
