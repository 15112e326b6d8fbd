package io.mdnf.experiments;

import io.mdnf.report.Block;
import io.mdnf.report.ReportSection;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The study of temperatures with annealing: tau_t = tau e^(-gamma t). */
final class BnAnnealing {

    private BnAnnealing() {}

    static ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, TemperatureGrid.at(workplace.scale(), true), TemperatureGrid.at(workplace.scale(), false)
                .written(workplace.folder().resolveSibling("bn-temperature")));
    }

    static ReportSection run(Workplace workplace, TemperatureGrid grid, Optional<List<GridCell>> constant)
            throws IOException {
        GridReport report = new GridReport(grid, grid.run(workplace));
        return ReportSection.of("bn-annealing", "KL over temperatures, annealed")
                .with(new Block.Paragraph("The paper repeats its study with annealing and shows no figures: it says"
                        + " that annealing always helps MDNF and may as well harm Gumbel-Softmax."),
                        report.reliability(), report.oracles(true), report.oracles(false))
                .withAll(constant.stream().map(cells -> change(report, new GridReport(grid, cells))).toList())
                .with(BnTemperature.facts(grid)).withAll(report.heatMaps()).found(report.gaps());
    }

    /** In how many cells annealing helped and harmed by more than a hundredth of a nat. */
    private static Block.Table change(GridReport annealed, GridReport constant) {
        return Block.Table.numbers("Cells in which annealing lowered / raised KL by more than 0.01 nats", "case",
                Arrays.stream(GridMethod.values()).map(GridMethod::title).toList())
                .rows(annealed.grid().cases(), test -> Stream.concat(Stream.of(test.title()),
                        Arrays.stream(GridMethod.values()).map(method ->
                                change(annealed.of(test, method), constant.of(test, method)))).toList());
    }

    private static String change(List<GridCell> after, List<GridCell> before) {
        double[] differences = IntStream.range(0, after.size())
                .mapToDouble(i -> after.get(i).kl() - before.get(i).kl()).toArray();
        return Arrays.stream(differences).filter(d -> d < -0.01).count() + " / "
                + Arrays.stream(differences).filter(d -> d > 0.01).count() + " of " + differences.length;
    }
}
