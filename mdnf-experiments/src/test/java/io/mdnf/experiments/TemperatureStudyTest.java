package io.mdnf.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.random.Seed;
import io.mdnf.report.Block;
import io.mdnf.report.Finding;
import io.mdnf.report.ReportSection;
import io.mdnf.report.SectionFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiments on temperatures at a tiny size: every file is written, and no number passes a limit. */
class TemperatureStudyTest {

    private static final TemperatureGrid TINY = new TemperatureGrid(List.of(PaperCases.CANCER_TRUE, PaperCases.ASIA),
            new double[] {0.3, 1, 10}, 60, new FactorisedStarts(20, 4, 30, 30), false);

    private static Constant constant;

    @TempDir
    Path folder;

    private Workplace workplace;

    @BeforeEach
    void open() {
        workplace = new Workplace(folder, Scale.QUICK, Seed.of(1), Optional.empty(), true, notice -> { });
    }

    /** What the grid's study says and writes, made once for all that read it. */
    private record Constant(ReportSection section, List<GridCell> cells) { }

    private Constant constant() throws IOException {
        if (constant == null) {
            ReportSection section = TemperatureStudies.constant(workplace, TINY);
            constant = new Constant(section, TINY.written(folder).orElseThrow());
        }
        return constant;
    }

    @Test
    @Tag("slow")
    void gridWritesEveryCellAndNoProductPassesTheLimit() throws IOException {
        ReportSection section = constant().section();
        List<GridCell> cells = constant().cells();
        // 2 cases x (2 Gumbel methods x 9 cells + 3 fits of MDNF)
        assertThat(cells).hasSize(42);
        for (GridCell cell : cells) {
            double limit = cell.test().bestProductKl();
            assertThat(cell.kl()).isGreaterThanOrEqualTo(limit - 1e-9);
            assertThat(cell.lowestKl()).isBetween(limit - 1e-9, cell.kl());
            // a softmax is never 0, and half of Asia's codes are impossible
            if (cell.method() != GridMethod.MDNF) {
                assertThat(Double.isInfinite(cell.exactKl())).isEqualTo(cell.test() == PaperCases.ASIA);
            }
        }
        FindingsOf.areFinite(section, 2);
        // the paper's best Gumbel of the two cases is 0.35 - 0.0783 above the limit on Cancer, 0.55 - 0.4643 on Asia
        assertThat(section.findings().get(1).paper()).isEqualTo("0.27");
        // the second table: Gumbel from several starts, as a product no better than the limit either
        List<Block> tables = section.blocks().stream().filter(Block.Table.class::isInstance).toList();
        assertThat(((Block.Table) tables.get(1)).rows()).hasSize(2).allSatisfy(row ->
                assertThat(row.subList(1, 5)).allSatisfy(kl ->
                        assertThat(Double.parseDouble(kl)).isGreaterThanOrEqualTo(Double.parseDouble(row.get(5)))));
        new SectionFolder(folder).save(section);
        assertThat(folder.resolve("grid-cancer-true.svg")).exists();
        assertThat(folder.resolve("grid-asia.svg")).exists();
    }

    @Test
    @Tag("slow")
    void sameSeedGivesTheSameGrid() throws IOException {
        TemperatureGrid one = new TemperatureGrid(List.of(PaperCases.CANCER_TRUE), new double[] {1, 10}, 30,
                new FactorisedStarts(20, 2, 20, 0), false);
        assertThat(one.run(workplace)).isEqualTo(one.run(workplace));
    }

    @Test
    @Tag("slow")
    void oraclesUseAWrittenGridAndTheWeakOneIsNoBetter() throws IOException {
        List<GridCell> cells = constant().cells();
        ReportSection section = TemperatureStudies.oracles(workplace, TINY, Optional.of(cells));
        GridReport report = new GridReport(TINY, cells);
        for (PaperCases test : TINY.cases()) {
            for (GridMethod method : GridMethod.values()) {
                assertThat(report.weak(test, method).kl()).isGreaterThanOrEqualTo(report.strong(test, method).kl());
            }
        }
        FindingsOf.areFinite(section, 3);
        // the paper's Gumbel on Cancer and on Asia: 1.38 + 0.59, 0.35 + 0.55; products: 0.0783 + 0.4643
        assertThat(section.findings()).extracting(Finding::paper).containsExactly("1.97", "0.90", Finding.NONE);
        assertThat(section.findings()).extracting(Finding::limit).containsOnly("0.5426");
        assertThat(section.blocks()).filteredOn(Block.Table.class::isInstance).hasSize(4);
        assertThat(section.blocks()).filteredOn(Block.Figure.class::isInstance).hasSize(2);
        // header, and 2 cases x 3 methods x 2 oracles
        assertThat(Files.readAllLines(folder.resolve("oracles.csv"))).hasSize(13);
        assertThat(Files.readAllLines(folder.resolve("richer.csv"))).hasSize(3);
    }

    @Test
    @Tag("slow")
    void annealingIsComparedWithConstantTemperatures() throws IOException {
        List<GridCell> constant = constant().cells();
        TemperatureGrid annealed = new TemperatureGrid(TINY.cases(), TINY.temperatures(), TINY.iterations(),
                TINY.flows(), true);
        ReportSection section = TemperatureStudies.annealed(workplace, annealed, Optional.of(constant));
        FindingsOf.areFinite(section, 2);
        assertThat(section.findings()).extracting(Finding::paper).containsOnly(Finding.NONE);
        assertThat(annealed.schedule(1, 60).at(60)).isLessThan(1e-4 * 11);
        assertThat(section.blocks()).filteredOn(Block.Table.class::isInstance).hasSize(4);
        assertThat(section.blocks()).filteredOn(Block.Figure.class::isInstance).hasSize(2);
        assertThat(TINY.written(folder).orElseThrow()).isNotEqualTo(constant);
    }

    @Test
    @Tag("slow")
    void convergenceDrawsObjectivesAndBounds() throws IOException {
        ReportSection section = BnConvergence.run(workplace, 20, 2, 2);
        FindingsOf.areFinite(section, 3);
        // log p(D) = -3.8576, the best product is 0.7533 below it, the notebook's Gumbel 1.407
        assertThat(section.findings()).extracting(Finding::limit).containsExactly("-4.6109", "-4.6109", "-3.8576");
        assertThat(section.findings()).extracting(Finding::paper).containsExactly(Finding.NONE, "-5.265", "-2.985");
        assertThat(section.blocks()).filteredOn(Block.Figure.class::isInstance).hasSize(6);
        // header, and 2 cases x 3 methods x 2 seeds x 3 evaluations
        List<String> rows = Files.readAllLines(folder.resolve("convergence.csv"));
        assertThat(rows).hasSize(37);
        // a floor of 1e-4 in log q lowers the objective by less than 1e-4 for each of at most 30 probabilities
        assertThat(rows).filteredOn(row -> row.contains(",mdnf,")).hasSize(12).allSatisfy(row -> {
            String[] cells = row.split(",");
            assertThat(Double.parseDouble(cells[5]) - Double.parseDouble(cells[4])).isBetween(1e-6, 0.003);
        });
    }

    @Test
    void allAreRegistered() {
        assertThat(Experiment.all()).extracting(Experiment::name)
                .contains("bn-convergence", "bn-temperature", "bn-oracles", "bn-annealing");
    }
}
