package io.mdnf.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.report.SectionFolder;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    void gaussianMixturesStandBesideTheNotebook() throws IOException {
        ReportSection section = GaussianMixtures.run(workplace, 1, new int[] {5, 10}, List.of());
        new SectionFolder(folder).save(section);
        FindingsOf.areFinite(section, 3);
        assertThat(section.findings()).extracting(Finding::paper).containsExactly("13.00", Finding.NONE, Finding.NONE);
        assertThat(section.findings().get(1).what()).contains("VIF, B=10");
        assertThat(section.findings().get(2).what()).contains("gradients alone, B=10");
    }
}
