package io.mdnf.experiments;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.mnist.Mnist;
import io.mdnf.plot.DigitGrid;
import io.mdnf.plot.ImageGrid;
import io.mdnf.plot.PngImage;
import io.mdnf.random.Seed;
import io.mdnf.report.Block;
import io.mdnf.report.Block.Column;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.training.GradientTraining;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Pictures of digits drawn from VAEs of three methods, and of test digits as each sees them. */
final class VaeDigits {

    private static final List<VaeMethod> METHODS = List.of(VaeMethod.MDNF, VaeMethod.GUMBEL, VaeMethod.SUMMED);
    private static final int SAMPLES = 64;
    private static final int RECONSTRUCTED = 32;
    private static final int ACROSS = 8;

    /** What a trained model draws, and its valid ELBO on test images in nats per image. */
    record Drawn(double test, PngImage samples, PngImage reconstructions) { }

    private VaeDigits() {}

    static ReportSection run(Workplace workplace) throws IOException {
        Mnist mnist = workplace.mnist();
        return run(workplace, VaeSize.PAPER.get(0), mnist.train().images(), mnist.test().images(),
                workplace.pick(3, 20), UnaryOperator.identity());
    }

    static ReportSection run(Workplace workplace, VaeSize size, DigitImages train, DigitImages test, int epochs,
            UnaryOperator<VaeSettings> change) throws IOException {
        Results<VaeSize, VaeMethod, Drawn> results = Study.of(List.of(size), METHODS, 1)
                .run(workplace, "vae-digits", Drawn.class, trial -> trial.method().work(size),
                        trial -> draw(change.apply(trial.method().settings(size)), train, test, epochs,
                                workplace.seed().fold("vae-digits")));
        results.write(workplace.file("digits.csv"), List.of("method", "test elbo"),
                (trial, drawn) -> List.of(trial.method().id(), drawn.test));
        Map<VaeMethod, Drawn> all = new LinkedHashMap<>();
        results.all().forEach((trial, drawn) -> all.put(trial.method(), drawn));
        return ReportSection.of("vae-digits", "Digits drawn from VAEs")
                .with(new Block.Paragraph(String.format(Locale.ROOT, "%s, %d epochs on %,d images: what the decoder"
                        + " makes of codes drawn from the prior, and of codes drawn from q given test images. Shown"
                        + " are means of pixels.", size.title(), epochs, train.count())),
                        Block.Table.of("Valid ELBO on test images, nats per image", Column.text("method"),
                                Column.number("ELBO").emphasised())
                                .rows(all.entrySet(), e -> List.of(e.getKey().title(), fixed(e.getValue().test, 2))),
                        new Block.Figure("samples", grid("Drawn from the prior", "Digits drawn from each model.", all,
                                Drawn::samples), ""),
                        new Block.Figure("reconstructions", grid("Test images and reconstructions",
                                "Rows of test digits, each over the row of their reconstructions.", all,
                                Drawn::reconstructions), "Rows of test images, each over the row of their"
                                        + " reconstructions."))
                .found(all.entrySet().stream().map(e -> new Finding("ELBO on test images, " + e.getKey().title() + ", "
                        + size.title() + ", " + epochs + " epochs (nats per image, ↑)", fixed(e.getValue().test, 2),
                        Finding.NONE, Finding.NONE)).toList());
    }

    private static ImageGrid grid(String title, String description, Map<VaeMethod, Drawn> all,
            Function<Drawn, PngImage> picture) {
        return new ImageGrid(title, description, all.size(), 1, all.entrySet().stream().map(e ->
                new ImageGrid.Tile(e.getKey().title(), picture.apply(e.getValue()))).toList());
    }

    private static Drawn draw(VaeSettings settings, DigitImages train, DigitImages test, int epochs, Seed seed) {
        try (var training = new GradientTraining<>(new VaeTraining(settings, train, epochs))) {
            try (TrainedVae vae = training.result(training.finish(training.init(seed)))) {
                DigitGrid grid = new DigitGrid(ACROSS, train.height(), train.width(), 1, 1);
                DigitImages shown = test.first(RECONSTRUCTED);
                return new Drawn(vae.evaluate(test, seed.fold("evaluation"), 1, 0, false).elbo().value(),
                        grid.draw(vae.sample(SAMPLES, seed.fold("samples"))),
                        grid.drawPairs(shown.floats(), vae.reconstruct(shown, seed.fold("codes"))));
            }
        }
    }
}
