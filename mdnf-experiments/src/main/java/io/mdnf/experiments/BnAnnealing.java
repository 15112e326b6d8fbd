package io.mdnf.experiments;

import io.mdnf.report.Block;
import io.mdnf.report.ReportSection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The study of temperatures with annealing: tau_t = tau e^(-gamma t). */
final class BnAnnealing implements Experiment {

    @Override
    public String name() {
        return "bn-annealing";
    }

    @Override
    public String paper() {
        return "supplement to Sec. 6.2: the same with annealing";
    }

    @Override
    public double minutes(Scale scale) {
        return scale == Scale.QUICK ? 1 : 16;
    }

    @Override
    public ReportSection run(Workplace workplace) throws IOException {
        TemperatureGrid grid = TemperatureGrid.at(workplace.scale(), true);
        Optional<List<GridCell>> constant = TemperatureGrid.at(workplace.scale(), false)
                .written(workplace.folder().resolveSibling("bn-temperature"));
        return report(workplace, grid, constant);
    }

    ReportSection report(Workplace workplace, TemperatureGrid grid, Optional<List<GridCell>> constant)
            throws IOException {
        GridReport report = new GridReport(grid, grid.run(workplace));
        ReportSection section = ReportSection.of(name(), "KL over temperatures, annealed")
                .with(new Block.Paragraph("The paper repeats its study with annealing and shows no figures: it says"
                        + " that annealing always helps MDNF and may as well harm Gumbel-Softmax."))
                .with(report.reliability())
                .with(report.oracles(true))
                .with(report.oracles(false));
        if (constant.isPresent()) {
            section = section.with(change(report, new GridReport(grid, constant.get())));
        }
        return report.heatMaps(section.with(BnTemperature.facts(grid))).with(report.gaps());
    }

    /** In how many cells annealing helped and harmed by more than a hundredth of a nat. */
    private static Block.Table change(GridReport annealed, GridReport constant) {
        Block.Table table = Block.Table.of("Cells in which annealing lowered / raised KL by more than 0.01 nats",
                Block.Column.text("case"), Block.Column.number("ST-Gumbel"), Block.Column.number("Gumbel"),
                Block.Column.number("MDNF factorised"));
        for (PaperCases test : annealed.grid().cases()) {
            List<String> row = new ArrayList<>(List.of(test.title()));
            for (GridMethod method : GridMethod.values()) {
                List<GridCell> after = annealed.of(test, method);
                List<GridCell> before = constant.of(test, method);
                int better = 0;
                int worse = 0;
                for (int i = 0; i < after.size(); i++) {
                    double difference = after.get(i).kl() - before.get(i).kl();
                    better += difference < -0.01 ? 1 : 0;
                    worse += difference > 0.01 ? 1 : 0;
                }
                row.add(better + " / " + worse + " of " + after.size());
            }
            table = table.row(row.toArray(String[]::new));
        }
        return table;
    }
}
