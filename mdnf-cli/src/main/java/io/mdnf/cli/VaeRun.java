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
import io.mdnf.training.Algorithm;
import io.mdnf.training.RunListener;
import io.mdnf.training.TrainingState;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeEvaluation;
import io.mdnf.vae.VaeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The folder of one {@code vae train}: {@code manifest.json}, {@code metrics.csv} with a row per epoch,
 * {@code checkpoints/}, {@code samples.png}, {@code reconstructions.png} and {@code report.html}.
 */
final class VaeRun {

    static final String WHAT = "mdnf vae train";
    private static final String[] COLUMNS = {"epoch", "step", "temperature", "objective", "trainElbo", "trainKl",
        "trainReconstruction", "trainImages", "testElbo", "testKl", "testReconstruction", "testImages", "samples",
        "seconds"};
    private static final int COLUMNS_OF_DIGITS = 10;

    private VaeRun() {}

    static Path checkpoints(Path folder) {
        return folder.resolve("checkpoints");
    }

    /** The rows of metrics.csv: those of a resumed run up to its step, then new ones. */
    static final class Metrics implements RunListener {
        private final Path file;
        private final List<String[]> rows = new ArrayList<>();

        Metrics(Path folder) {
            file = folder.resolve("metrics.csv");
        }

        @Override
        public void onResume(Algorithm.Info info) throws IOException {
            if (info.step() > 0 && Files.exists(file)) {
                List<List<String>> old = CsvFile.read(file).rows();
                int at = old.get(0).indexOf("step");
                old.stream().skip(1).filter(row -> Long.parseLong(row.get(at)) <= info.step())
                        .forEach(row -> rows.add(row.toArray(String[]::new)));
            }
        }

        void add(long epoch, TrainingState at, double temperature, double objective, VaeEvaluation train,
                VaeEvaluation test) throws IOException {
            Object[] cells = {epoch, at.step(), temperature, objective, train.elbo().value(), train.kl(),
                train.reconstruction(), train.images(), test.elbo().value(), test.kl(), test.reconstruction(),
                test.images(), test.samples(), at.nanos() * 1e-9};
            rows.add(Arrays.stream(cells).map(String::valueOf).toArray(String[]::new));
            CsvTable csv = new CsvTable(COLUMNS);
            rows.forEach(r -> csv.row((Object[]) r));
            csv.write(file);
        }

        /** The last epoch's bound on training images, NaN before the first. */
        double lastElbo() {
            double[] all = column("trainElbo");
            return all.length == 0 ? Double.NaN : all[all.length - 1];
        }

        private double[] column(String name) {
            int at = List.of(COLUMNS).indexOf(name);
            return rows.stream().mapToDouble(row -> Double.parseDouble(row[at])).toArray();
        }

        LinePlot plot() {
            double[] epochs = column("epoch");
            return new LinePlot("ELBO over epochs", "Valid ELBO on training and test images, nats per image.",
                    Axis.linear("epoch", ""), Axis.linear("ELBO", "nats per image"),
                    List.of(Series.line("training images", epochs, column("trainElbo")),
                            Series.line("test images", epochs, column("testElbo"))), List.of());
        }

        boolean isEmpty() {
            return rows.isEmpty();
        }
    }

    /** A finished or unfinished run's model, from its manifest and its latest checkpoint. */
    static TrainedVae open(Path folder) throws IOException {
        if (!Files.exists(folder.resolve(RunManifest.NAME))) {
            throw new UsageProblem(folder + ": there is no run; 'mdnf vae train --out " + folder + "' makes one");
        }
        RunManifest manifest = RunManifest.read(folder);
        if (!manifest.what().equals(WHAT)) {
            throw new UsageProblem(folder + ": this is a run of '" + manifest.what() + "', not of '" + WHAT + "'");
        }
        DigitGrid grid = grid(manifest);
        var latest = CheckpointFolder.look(checkpoints(folder)).latest();
        if (latest.isEmpty()) {
            throw new UsageProblem(folder + ": the run has no checkpoint yet; '--resume' goes on with it");
        }
        try {
            return TrainedVae.of(VaeSettings.of(manifest.configuration()), grid.height() * grid.width(),
                    latest.get().checkpoint());
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(folder + ": " + e.getMessage(), e);
        }
    }

    /** A picture of images drawn from the model. */
    static PngImage samples(TrainedVae vae, DigitGrid grid, int count, Seed seed) {
        return grid.draw(vae.sample(count, seed.fold("samples")));
    }

    /** Rows of originals, each over the row of its reconstructions. */
    static PngImage reconstructions(TrainedVae vae, DigitGrid grid, DigitImages images, Seed seed) {
        return grid.drawPairs(images.floats(), vae.reconstruct(images, seed.fold("reconstructions")));
    }

    /** The settings of a run as its manifest has them. */
    static Map<String, String> configuration(VaeSettings settings, DigitImages train) {
        Map<String, String> configuration = new LinkedHashMap<>(settings.toMap());
        configuration.put("images", Integer.toString(train.count()));
        configuration.put("height", Integer.toString(train.height()));
        configuration.put("width", Integer.toString(train.width()));
        return configuration;
    }

    /** How the pictures of a run are laid out. */
    static DigitGrid grid(RunManifest manifest) {
        Map<String, String> configuration = manifest.configuration();
        return new DigitGrid(COLUMNS_OF_DIGITS, Integer.parseInt(configuration.getOrDefault("height", "28")),
                Integer.parseInt(configuration.getOrDefault("width", "28")), 2, 2);
    }

    /** Writes pictures and report, after the last epoch. */
    static void report(RunFolder folder, TrainedVae vae, DigitImages test, Seed seed,
            VaeEvaluation train, VaeEvaluation tested, Metrics metrics) throws IOException {
        DigitGrid grid = grid(folder.manifest());
        PngImage samples = samples(vae, grid, 100, seed);
        PngImage pairs = reconstructions(vae, grid, test.first(50), seed);
        AtomicFiles.write(folder.resolve("samples.png"), samples.bytes());
        AtomicFiles.write(folder.resolve("reconstructions.png"), pairs.bytes());
        ReportSection section = ReportSection.of("vae-train", "What the model is worth")
                .with(Block.Facts.of("Training images, nats per image", VaeFigures.facts(train)),
                        Block.Facts.of("Test images, nats per image", VaeFigures.facts(tested)))
                .withAll(VaeFigures.gap(tested).map(Block.Paragraph::new).stream().toList());
        if (!metrics.isEmpty()) {
            section = section.with(new Block.Figure("elbo", metrics.plot(),
                    "Hard samples in every term; both curves are lower bounds of log p(x)."));
        }
        VaeSettings settings = vae.settings();
        folder.report("Discrete VAE on MNIST", VaeFigures.title(settings) + ", seed " + folder.manifest().seed() + ".",
                section.with(new Block.Picture("samples", samples, "100 digits drawn from the model",
                                "Drawn from the prior."),
                        new Block.Picture("reconstructions", pairs, "50 test digits over their reconstructions",
                                "Test images, each over its reconstruction.")));
    }
}
