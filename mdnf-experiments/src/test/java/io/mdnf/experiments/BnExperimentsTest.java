package io.mdnf.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.bn.Evidence;
import io.mdnf.report.Block;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.evaluation.KlLimits;
import io.mdnf.mixture.Weighting;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table and the comparison put ours beside the limits, and the limits are right. */
class BnExperimentsTest {

    @Test
    void limitsFromTheMostProbableCodesAreThoseOfEnumeration() {
        KlLimits limits = PaperCases.ASIA_XRAY.limits();
        Evidence evidence = PaperCases.ASIA_XRAY.evidence();

        assertThat(BnAlgorithms.limit(evidence, 20, Weighting.EQUAL))
                .isCloseTo(limits.equalAtoms(20).kl(), within(1e-12));
        assertThat(BnAlgorithms.limit(evidence, 20, Weighting.FREE))
                .isCloseTo(limits.freeAtoms(20).kl(), within(1e-12));
    }

    /** What np.random.RandomState(0).normal(size=5) prints, and the best atoms of its fields. */
    @Test
    void fieldsAreThoseThatNumPyDraws() {
        DoubleSupplier normal = TernaryField.normals(0);
        assertThat(DoubleStream.generate(normal).limit(5)).containsExactly(1.764052345967664, 0.4001572083672233,
                0.9787379841057392, 2.240893199201458, 1.8675579901499675);
        assertThat(TernaryField.limits(TernaryField.FULL.draw(1)).equalAtoms(100).kl()).isCloseTo(0.0984, within(5e-5));
        assertThat(TernaryField.limits(TernaryField.GRID.draw(0)).equalAtoms(100).kl()).isCloseTo(1.1163, within(5e-5));
    }

    @Test
    @Tag("slow")
    void noFitOfTheTablePassesItsLimit(@TempDir Path folder) throws IOException {
        Workplace workplace = new Workplace(folder, Scale.QUICK, Seed.of(1), Optional.empty(), true, notice -> { });

        ReportSection section = BnTable.run(workplace, List.of(PaperCases.CANCER_TRUE), 1);

        Block.Table table = section.blocks().stream().filter(Block.Table.class::isInstance)
                .map(Block.Table.class::cast).findFirst().orElseThrow();
        List<Double> row = table.rows().get(0).stream().skip(1).map(Double::valueOf).toList();
        // Published 0.03 and 0.02; limits 0.0124 of 100 equal atoms, 0 of 40 free ones, 0.0783 of products.
        assertThat(row.subList(0, 2)).containsExactly(0.03, 0.02);
        assertThat(row.get(3)).isEqualTo(0.0124);
        assertThat(row.get(2)).isBetween(0.0124, 0.023);
        assertThat(row.get(5)).isZero();
        assertThat(row.get(4)).isBetween(0.0, 0.01);
        assertThat(row.get(7)).isEqualTo(0.0783);
        assertThat(row.get(6)).isBetween(0.0783, 0.085);
        assertThat(row.get(8)).isBetween(0.0, 0.02);
        assertThat(folder.resolve("fits.csv")).content().hasLineCount(5);
        // what stands at a glance is the row's, here of a single case
        assertThat(section.findings()).hasSize(3);
        assertThat(section.findings().get(0).what()).isEqualTo("Sum of KL over 1 cases, 100 equal atoms (nats, ↓)");
        assertThat(section.findings().get(0).paper()).isEqualTo("0.02");
        assertThat(section.findings()).extracting(f -> Double.valueOf(f.ours()))
                .containsExactly(row.get(2), row.get(6), row.get(8));
        assertThat(section.findings()).extracting(f -> Double.valueOf(f.limit())).containsExactly(0.0124, 0.0783, 0.0);
    }

    /** Last iterates: atoms at their limit, whatever the temperature, conditionals below it. */
    @Test
    @Tag("slow")
    void gradientsAloneComeToTheLimits(@TempDir Path folder) throws IOException {
        Workplace workplace = new Workplace(folder, Scale.QUICK, Seed.of(1), Optional.empty(), true, notice -> { });

        ReportSection section = BnGradients.run(workplace, List.of(PaperCases.CANCER_TRUE), 1, 500);

        Block.Table table = section.blocks().stream().filter(Block.Table.class::isInstance)
                .map(Block.Table.class::cast).findFirst().orElseThrow();
        List<Double> row = table.rows().get(0).stream().skip(1).map(Double::valueOf).toList();
        assertThat(row.get(0)).isEqualTo(0.02);
        assertThat(row.subList(2, 5)).allMatch(kl -> kl >= 0.0124 && kl <= 0.025);
        // a black box is no factor's, and settles less
        assertThat(row.get(5)).isBetween(0.0124, 0.05);
        assertThat(row.get(6)).isBetween(0.0, 0.0124);
        assertThat(row.subList(7, 9)).containsExactly(0.0124, 0.0783);
        assertThat(table.rows().get(1)).startsWith("sum", "0.02").endsWith("0.0124", "0.0783");
        assertThat(folder.resolve("fits.csv")).content().hasLineCount(7);
    }

    @Test
    @Tag("slow")
    void everyAlgorithmStandsBesideTheLimits(@TempDir Path folder) throws IOException {
        Workplace workplace = new Workplace(folder, Scale.QUICK, Seed.of(1), Optional.empty(), true, notice -> { });

        ReportSection section =
                BnAlgorithms.run(workplace, List.of(BnAlgorithms.Problem.ASIA), new int[] {1, 2}, 1, 300);

        Block.Table table = section.blocks().stream().filter(Block.Table.class::isInstance)
                .map(Block.Table.class::cast).findFirst().orElseThrow();
        assertThat(table.rows()).hasSize(8).extracting(row -> row.get(0)).startsWith("VIF, as published",
                "BVIF, as published", "BVI, weights solved", "VIF, annealed", "VIF, refined", "BVIF, refined");
        // 1.3243 and 1.2897 are the least KL of two atoms with equal and with free weights, 1.7530 of one atom.
        assertThat(table.rows().get(6)).containsExactly("limit, equal weights", "1.7530", "1.3243");
        assertThat(table.rows().get(7)).containsExactly("limit, free weights", "1.7530", "1.2897");
        // a single flow is trained alike by both, and judged at other steps
        assertThat(Double.parseDouble(table.rows().get(0).get(1)))
                .isCloseTo(Double.parseDouble(table.rows().get(1).get(1)), within(0.1));
        // a Dirichlet base is no atom and may pass their limits, but no KL is negative
        assertThat(table.rows().subList(0, 2)).allSatisfy(row ->
                assertThat(Double.parseDouble(row.get(2))).isBetween(0.0, 40.0));
        List<String> refined = table.rows().get(4);
        assertThat(Double.parseDouble(refined.get(2))).isBetween(1.3243, 1.35);
        assertThat(section.findings()).extracting(Finding::ours)
                .containsExactly(refined.get(2), table.rows().get(5).get(2));
        assertThat(section.findings()).extracting(Finding::limit).containsExactly("1.3243", "1.2897");
    }
}
