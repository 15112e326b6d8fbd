package io.mdnf.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.bn.NetworkTarget;
import io.mdnf.graph.Optimiser;
import io.mdnf.graph.StraightThrough;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.objective.Elbo;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.report.SectionFolder;
import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiments of the supplement at a tiny size: files are written, what stands at a glance is what they say. */
@Tag("slow")
class SupplementExperimentsTest {

    @TempDir
    Path folder;

    private Workplace workplace;

    @BeforeEach
    void open() {
        workplace = new Workplace(folder, Scale.QUICK, Seed.of(1), Optional.empty(), true, notice -> { });
    }

    @Test
    void partialFlowsStandBesideThePaperAndTheCeiling() throws IOException {
        ReportSection section = PartialFlows.run(workplace, 2, new int[] {3});
        new SectionFolder(folder).save(section);
        FindingsOf.areFinite(section, 3);
        assertThat(section.findings()).extracting(Finding::paper).containsExactly("0.08", "0.78", Finding.NONE);
        // a sorting network reaches every order, an affine map none of these two
        assertThat(section.findings()).extracting(Finding::limit).containsExactly("0.00", "1.00", "1.00");
        assertThat(section.findings()).extracting(Finding::ours).startsWith("0.00").endsWith("1.00");
        // header, and 7 stacks x 2 K x 2 runs
        assertThat(Files.readAllLines(folder.resolve("partial-flows.csv"))).hasSize(29);
    }

    @Test
    void deltasAreNotBelowTheLimitOfTheirNumber() throws IOException {
        // two steps of EM: of the Gaussian mixture's panels only that they are there is asked
        ReportSection section = BaseDistributions.run(workplace, 1, 60, 2, new int[] {3});
        new SectionFolder(folder).save(section);
        FindingsOf.areFinite(section, 3);
        Finding deltas = section.findings().get(0);
        // the least KL of three equal atoms on Asia
        assertThat(deltas.limit()).isEqualTo("1.050");
        assertThat(Double.parseDouble(deltas.ours())).isGreaterThanOrEqualTo(1.050);
    }

    @Test
    void exponentsAreThoseOfPowers() {
        List<Growth.Size> sizes = List.of(Growth.Grown.D.times(1), Growth.Grown.D.times(2), Growth.Grown.D.times(4));
        // 3 D^1.5; and without growth at first, then D
        Growth.Curve curve = new Growth.Curve(Growth.Grown.D, sizes, Map.of(
                Growth.Work.FORWARD, sizes.stream().mapToDouble(s -> 3 * Math.pow(s.variables(), 1.5)).toArray(),
                Growth.Work.REVERSE, new double[] {5, 5, 10}));
        assertThat(curve.exponent(Growth.Work.FORWARD, 0)).isCloseTo(1.5, within(1e-12));
        assertThat(curve.exponent(Growth.Work.REVERSE, 0)).isCloseTo(0.5, within(1e-12));
        assertThat(curve.exponent(Growth.Work.REVERSE, 1)).isCloseTo(1, within(1e-12));
    }

    @Test
    void costsAreMeasuredOverWhatGrows() throws IOException {
        ReportSection section = Growth.run(workplace, List.of(Growth.Grown.B, Growth.Grown.N), 1, 1);
        new SectionFolder(folder).save(section);
        FindingsOf.areFinite(section, 1);
        // header, and 2 sizes x 4 figures of mixtures, 2 of autoencoders
        assertThat(Files.readAllLines(folder.resolve("growth.csv"))).hasSize(13);
    }

    /** On 100 and 200 variables: order, messages, draws and memory of four kinds; steps of the two that are split. */
    @Test
    void costsOfMessagesAreMeasuredOverD() throws IOException {
        ReportSection section = Sizes.run(workplace, new int[] {100, 200}, 1);
        new SectionFolder(folder).save(section);
        assertThat(Files.readAllLines(folder.resolve("sizes.csv"))).hasSizeBetween(1 + 2 * 16 + 1, 1 + 2 * 18);
        assertThat(folder.resolve("sizes-step.svg")).isNotEmptyFile();
    }

    /** The mean of 16 times as many samples has a quarter of the noise; 200 repeats know a deviation to 5 %. */
    @Test
    void noiseFallsWithTheRootOfTheSamples() {
        NetworkTarget target = PaperCases.CANCER_TRUE.target();
        Mixture mixture = Mixture.factorised(target.space(), 4);
        double[] noise = new double[2];
        for (int i = 0; i < 2; i++) {
            VifSettings settings = new VifSettings(i == 0 ? 16 : 256, Estimator.CHOSEN, StraightThrough.FIRST_ORDER,
                    new Elbo(), 0, TrainingSettings.of(new Optimiser.Adam(), 0.01));
            try (var training = new GradientTraining<>(new Vif(target, mixture, settings))) {
                noise[i] = GradientNoise.of(training.task(), training.init(Seed.of(1)), 200, Seed.of(2)).gradient();
            }
        }
        assertThat(noise[0] / noise[1]).isBetween(3.0, 5.0);
    }

    @Test
    void gaussianMixturesStandBesideTheNotebook() throws IOException {
        ReportSection section = GaussianMixtures.run(workplace, 1, new int[] {5, 10}, List.of());
        new SectionFolder(folder).save(section);
        FindingsOf.areFinite(section, 3);
        assertThat(section.findings()).extracting(Finding::paper).containsExactly("13.00", Finding.NONE, Finding.NONE);
        assertThat(section.findings().get(1).what()).contains("VIF, B=10");
        assertThat(section.findings().get(2).what()).contains("gradients alone, B=10");
    }
}
