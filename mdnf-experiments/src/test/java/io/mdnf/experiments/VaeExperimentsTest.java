package io.mdnf.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.report.Block;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.report.SectionFolder;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.mixture.Estimator;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.FlowHead;
import io.mdnf.vae.VaeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiments on VAEs at a tiny size, on images of four pixels, of which two bits are chosen at random. */
@Tag("slow")
class VaeExperimentsTest {

    private static final VaeSize TINY = new VaeSize(2, 2);
    private static final VaeSize OTHER = new VaeSize(2, 3);
    private static final UnaryOperator<VaeSettings> SMALL = s -> s.withHidden(8).withBatch(16, 1e-2);

    @TempDir
    Path folder;

    private Workplace workplace;

    @BeforeEach
    void open() {
        workplace = new Workplace(folder, Scale.QUICK, Seed.of(1), Optional.empty(), true, notice -> { });
    }

    /** Images of 2 x 2 pixels: one of the two upper and one of the two lower pixels is white. */
    private static DigitImages images(int count, long seed) {
        int[] choices = new Draws(Seed.of(seed)).uniform("choices", 2 * count, 2);
        byte[] pixels = new byte[4 * count];
        for (int i = 0; i < 2 * count; i++) {
            pixels[2 * i + choices[i]] = (byte) 255;
        }
        return DigitImages.of(2, 2, pixels);
    }

    private static VaeElbo.Plan plan(int seeds, VaeMethod... methods) {
        return new VaeElbo.Plan(List.of(TINY, OTHER), List.of(methods), seeds,
                new VaeFit.Course(images(160, 1), images(64, 2), 3, 32), SMALL);
    }

    private static List<Block.Table> tables(ReportSection section) {
        return section.blocks().stream().filter(Block.Table.class::isInstance).map(Block.Table.class::cast).toList();
    }

    @Test
    void everyMethodsGradientHasItsNoise() throws IOException {
        ReportSection section = GradientNoise.run(workplace, List.of(PaperCases.CANCER_TRUE),
                List.of(VaeMethod.MDNF, VaeMethod.SUMMED, VaeMethod.GUMBEL), images(64, 1), List.of(0, 5), 10, SMALL);
        new SectionFolder(folder).save(section);

        List<Block.Table> tables = tables(section);
        assertThat(tables).hasSize(2);
        // equal atoms of deltas are dealt out evenly, and a sum over all codes draws none
        assertThat(tables.get(0).rows()).filteredOn(row -> row.get(0).equals("joint, published"))
                .containsExactly(List.of("joint, published", "0.000", "0.000", "0.000", "0.000"));
        assertThat(tables.get(1).rows()).filteredOn(row -> row.get(0).equals("summed"))
                .containsExactly(List.of("summed", "0.000", "0.000"));
        assertThat(tables).flatExtracting(Block.Table::rows)
                .filteredOn(row -> !row.get(0).equals("summed") && !row.get(0).equals("joint, published"))
                .hasSize(12).allSatisfy(row -> {
                    assertThat(Double.parseDouble(row.get(1))).isNotNegative();
                    assertThat(Double.parseDouble(row.get(2))).isPositive();
                });
    }

    @Test
    void everyMethodIsTrainedAtEverySizeAndNoBoundPassesTheTruth() throws IOException {
        ReportSection section = VaeElbo.run(workplace, plan(2, VaeMethod.values()));
        new SectionFolder(folder).save(section);

        List<String[]> rows = Files.readAllLines(folder.resolve("fits.csv")).stream().skip(1).map(r -> r.split(","))
                .toList();
        // 2 sizes x 12 methods x 2 seeds
        assertThat(rows).hasSize(48);
        for (String[] row : rows) {
            double elbo = Double.parseDouble(row[6]);
            double error = Double.parseDouble(row[7]);
            double truth = Double.parseDouble(row[9]);
            // the standard error over images covers the noise of sampled codes; the best model has -log 4
            assertThat(elbo).isLessThan(truth + 4 * error + 1e-4);
            assertThat(truth).isLessThan(-Math.log(4) + 0.2);
        }
        FindingsOf.areFinite(section, 3);
        // so few images of so few pixels compare with nothing published
        assertThat(section.findings()).extracting(Finding::paper).containsOnly(Finding.NONE);
        Finding test = section.findings().get(1);
        // rounded to 0.01, and sampled as above
        double noise = 0.01 + 4 * rows.stream().filter(row -> row[2].equals("mdnf")).mapToDouble(
                row -> Double.parseDouble(row[7])).max().orElseThrow();
        assertThat(Double.parseDouble(test.ours())).isLessThan(Double.parseDouble(test.limit()) + noise);
        // header, and 48 trainings x 3 epochs
        assertThat(Files.readAllLines(folder.resolve("epochs.csv"))).hasSize(145);
        // summary, one for each size, published
        assertThat(tables(section)).hasSize(4);
        assertThat(tables(section).get(3).rows()).allSatisfy(row -> {
            assertThat(row.get(5)).startsWith("not a bound");
            assertThat(row.get(6)).isEqualTo("–");
        });
        assertThat(tables(section).get(1).rows()).hasSize(12).allSatisfy(row ->
                assertThat(row.get(9)).isEqualTo(row.get(0).matches("MDNF.*|summed") ? "a bound" : "not a bound"));
        for (String figure : List.of("elbo-unrelaxed", "elbo-relaxed", "elbo-straight-through", "claims-relaxed",
                "claims-straight-through", "epochs-2-2-relaxed", "epochs-2-3-straight-through")) {
            assertThat(folder.resolve(figure + ".svg")).exists();
        }
    }

    @Test
    void finishedTrainingsAreKeptAndOthersMade() throws IOException {
        VaeElbo.Plan some = plan(1, VaeMethod.SUMMED, VaeMethod.MDNF, VaeMethod.JANG);
        ReportSection first = VaeElbo.run(workplace, some);
        Path parts = folder.resolve("parts").resolve("vae-elbo");
        Path lost = parts.resolve("2-3-jang-0.json");
        Files.delete(lost);
        Path kept = parts.resolve("2-2-mdnf-0.json");
        String before = Files.readString(kept);
        // a mark that only a part that was read can leave
        Files.writeString(kept, before.replaceFirst("\"seconds\":[^}]*", "\"seconds\":12345.0"));
        assertThat(VaeElbo.run(workplace, some)).isEqualTo(first);
        assertThat(lost).exists();
        assertThat(Files.readString(folder.resolve("fits.csv"))).contains("12345.0");
        try (Stream<Path> files = Files.list(parts)) {
            // 2 sizes x 3 methods
            assertThat(files).hasSize(6);
        }
    }

    @Test
    void aTrainingThatDivergesIsSaidToHave() throws IOException {
        VaeElbo.Plan wild = new VaeElbo.Plan(List.of(TINY), List.of(VaeMethod.SUMMED, VaeMethod.MADDISON_22), 1,
                plan(1).course(), s -> s.straightThrough() || s.algorithm().isRelaxed()
                        ? s.withHidden(8).withBatch(16, 1e30) : SMALL.apply(s));
        List<List<String>> summary = tables(VaeElbo.run(workplace, wild)).get(0).rows();
        assertThat(summary.get(0).get(1)).matches("-\\d+\\.\\d\\d");
        assertThat(summary.get(1)).containsExactly("Maddison Eq. 22", "diverged");
    }

    @Test
    void theRowOfThePaperHasItsHeadAndItsGradient() {
        VaeSettings paper = VaeMethod.MDNF_PAPER.settings(TINY);
        assertThat(paper.head()).isEqualTo(FlowHead.PAPER);
        assertThat(paper.estimator()).isEqualTo(Estimator.CHOSEN);
        assertThat(paper.temperature().tau()).isEqualTo(100);
        assertThat(VaeMethod.MDNF.settings(TINY).estimator()).isEqualTo(Estimator.SECOND_ORDER);
    }

    @Test
    void methodsThatCannotBeAffordedAreLeftOut() {
        // the paper's head: (D K 40)^2 weights; exact: at most 4096 codes
        assertThat(VaeSize.PAPER).filteredOn(VaeMethod.MDNF_PAPER::allows).hasSize(4);
        assertThat(VaeSize.PAPER).filteredOn(VaeMethod.SUMMED::allows)
                .containsExactly(new VaeSize(10, 2), new VaeSize(2, 10));
    }

    @Test
    void varianceIsThatOfRepeatedObjectives() throws IOException {
        VaeVariance.Spread spread = new VaeVariance.Spread(new double[] {-2, -4});
        // mean 3, deviation sqrt(2)
        assertThat(spread.ratio()).isEqualTo(Math.sqrt(2) / 3);

        ReportSection section = VaeVariance.run(workplace, List.of(TINY, OTHER), images(160, 1), 2, 5, SMALL);
        new SectionFolder(folder).save(section);
        // header, and 2 sizes x 2 methods x 2 seeds
        assertThat(Files.readAllLines(folder.resolve("variance.csv"))).hasSize(9);
        assertThat(tables(section).get(0).rows()).allSatisfy(row -> {
            assertThat(Double.parseDouble(row.get(1))).isPositive();
            assertThat(Double.parseDouble(row.get(2))).isGreaterThanOrEqualTo(Double.parseDouble(row.get(1)));
            assertThat(row.get(3)).isEqualTo("–");
        });
        assertThat(folder.resolve("variance.svg")).exists();
        FindingsOf.areFinite(section, 1);
        assertThat(section.findings().get(0).paper()).isEqualTo("below 0.35");
    }

    @Test
    void digitsOfThreeMethodsArePainted() throws IOException {
        ReportSection section = VaeDigits.run(workplace, TINY, images(160, 1), images(64, 2), 2, SMALL);
        new SectionFolder(folder).save(section);
        assertThat(tables(section).get(0).rows()).extracting(row -> row.get(0))
                .containsExactly("MDNF", "Gumbel", "summed");
        FindingsOf.areFinite(section, 3);
        assertThat(folder.resolve("samples.svg")).exists();
        assertThat(folder.resolve("reconstructions.svg")).exists();
    }

    @Test
    void estimatorsAreComparedOnOneModelAndNoBoundPassesTheTruth() throws IOException {
        ReportSection section = VaeEstimators.run(workplace, new VaeEstimators.Plan(List.of(TINY, OTHER), 1,
                plan(1).course(), SMALL));
        new SectionFolder(folder).save(section);
        List<String[]> rows = Files.readAllLines(folder.resolve("fits.csv")).stream().skip(1).map(r -> r.split(","))
                .toList();
        // 12 methods, and 11 at three categories, where DisARM has nothing to say
        assertThat(rows).hasSize(23).allSatisfy(row -> assertThat(Double.parseDouble(row[5]))
                .isLessThan(Double.parseDouble(row[8]) + 4 * Double.parseDouble(row[6]) + 1e-4));
        assertThat(tables(section).get(0).rows()).hasSize(12);
        FindingsOf.areFinite(section, 2);
        assertThat(folder.resolve("elbo-straight-through.svg")).exists();
        assertThat(folder.resolve("elbo-others.svg")).exists();
    }

    @Test
    void allAreRegistered() {
        assertThat(Experiment.all()).extracting(Experiment::name)
                .contains("vae-elbo", "vae-estimators", "vae-variance", "vae-digits");
    }
}
