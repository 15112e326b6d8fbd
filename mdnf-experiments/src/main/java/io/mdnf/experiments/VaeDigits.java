package io.mdnf.experiments;

import com.fasterxml.jackson.core.type.TypeReference;
import io.mdnf.plot.ImageGrid;
import io.mdnf.plot.PngImage;
import io.mdnf.report.Block;
import io.mdnf.report.Block.Column;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Finding;
import io.mdnf.report.Progress;
import io.mdnf.report.ReportSection;
import io.mdnf.random.Seed;
import io.mdnf.vae.DigitGrid;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.Mnist;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Pictures of digits drawn from VAEs of three methods, and of test digits as each sees them. */
final class VaeDigits implements Experiment {

    private static final List<VaeMethod> METHODS = List.of(VaeMethod.MDNF, VaeMethod.GUMBEL, VaeMethod.EXACT);
    private static final int SAMPLES = 64;
    private static final int RECONSTRUCTED = 32;
    private static final int ACROSS = 8;

    /**
     * What a trained model draws.
     *
     * @param method how it was trained
     * @param test valid ELBO on test images, nats per image
     * @param samples from the prior
     * @param reconstructions rows of test images, each over the row of their reconstructions
     */
    record Drawn(VaeMethod method, double test, PngImage samples, PngImage reconstructions) { }

    @Override
    public String name() {
        return "vae-digits";
    }

    @Override
    public String paper() {
        return "supplement, figure 'vae': digits drawn from VAEs";
    }

    @Override
    public double minutes(Scale scale) {
        return scale == Scale.QUICK ? 0.9 : 7;
    }

    @Override
    public ReportSection run(Workplace workplace) throws IOException {
        Mnist mnist = MnistData.load(workplace.data(), workplace.quiet());
        return report(workplace, VaeSize.PAPER.get(0), mnist.train().images(), mnist.test().images(),
                workplace.pick(3, 20), UnaryOperator.identity());
    }

    ReportSection report(Workplace workplace, VaeSize size, DigitImages train, DigitImages test, int epochs,
            UnaryOperator<VaeSettings> change) throws IOException {
        KeptParts<Drawn> parts = workplace.parts("drawn", new TypeReference<>() { });
        List<Callable<Drawn>> calls = new ArrayList<>();
        Seed seed = workplace.seed().fold("vae-digits");
        for (VaeMethod method : METHODS.stream().sorted(Comparator.comparingDouble(m -> -m.work(size))).toList()) {
            VaeSettings settings = change.apply(method.settings(size));
            calls.add(() -> parts.part(method.id(), () -> draw(method, settings, train, test, epochs, seed)));
        }
        List<Drawn> all;
        try (Progress progress = workplace.progress("train VAEs", calls.size())) {
            all = new ArrayList<>(FitPool.run(calls, progress));
        }
        all.sort(Comparator.comparing(drawn -> METHODS.indexOf(drawn.method())));
        CsvTable csv = new CsvTable("method", "test elbo");
        Block.Table table = Block.Table.of("Valid ELBO on test images, nats per image", Column.text("method"),
                Column.number("ELBO").emphasised());
        for (Drawn drawn : all) {
            csv.row(drawn.method.id(), drawn.test);
            table = table.row(drawn.method.title(), String.format(Locale.ROOT, "%.2f", drawn.test));
        }
        csv.write(workplace.folder().resolve("digits.csv"));
        List<Finding> findings = all.stream().map(drawn -> new Finding(String.format(Locale.ROOT,
                "ELBO on test images, %s, %s, %d epochs (nats per image, ↑)", drawn.method.title(), size.title(),
                epochs), String.format(Locale.ROOT, "%.2f", drawn.test), Finding.NONE, Finding.NONE)).toList();
        return ReportSection.of(name(), "Digits drawn from VAEs")
                .with(findings)
                .with(new Block.Paragraph(String.format(Locale.ROOT, "%s, %d epochs on %,d images: what the decoder"
                        + " makes of codes drawn from the prior, and of codes drawn from q given test images. Shown"
                        + " are means of pixels.", size.title(), epochs, train.count())))
                .with(table)
                .with(new Block.Figure("samples", grid("Drawn from the prior",
                        "Digits drawn from each model.", all, Drawn::samples), ""))
                .with(new Block.Figure("reconstructions", grid("Test images and reconstructions",
                        "Rows of test digits, each over the row of their reconstructions.", all,
                        Drawn::reconstructions), "Rows of test images, each over the row of their reconstructions."));
    }

    private static ImageGrid grid(String title, String description, List<Drawn> all,
            Function<Drawn, PngImage> picture) {
        return new ImageGrid(title, description, all.size(), 1, all.stream()
                .map(drawn -> new ImageGrid.Tile(drawn.method.title(), picture.apply(drawn))).toList());
    }

    private static Drawn draw(VaeMethod method, VaeSettings settings, DigitImages train, DigitImages test, int epochs,
            Seed seed) {
        try (VaeTraining training = new VaeTraining(settings, train, seed)) {
            while (training.epoch() < epochs) {
                training.step();
            }
            try (TrainedVae vae = training.model()) {
                DigitGrid grid = new DigitGrid(ACROSS, train.height(), train.width(), 1, 1);
                DigitImages shown = test.first(RECONSTRUCTED);
                return new Drawn(method, vae.evaluate(test, seed.fold("evaluation"), 1, 0, false).elbo().value(),
                        PngImage.of(grid.draw(vae.sample(SAMPLES, seed.fold("samples")))),
                        PngImage.of(grid.draw(pairs(shown, vae.reconstruct(shown, seed.fold("codes"))))));
            }
        }
    }

    /** Rows of originals, each over the row of what became of them. */
    private static float[] pairs(DigitImages images, float[] seen) {
        int size = images.size();
        float[] both = new float[2 * seen.length];
        for (int i = 0; i < images.count(); i++) {
            int row = i / ACROSS * 2;
            int original = (row * ACROSS + i % ACROSS) * size;
            for (int p = 0; p < size; p++) {
                both[original + p] = images.get(i, p) / 255f;
            }
            System.arraycopy(seen, i * size, both, original + ACROSS * size, size);
        }
        return both;
    }
}
