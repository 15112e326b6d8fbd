package io.mdnf.experiments;

import io.mdnf.report.Block;
import io.mdnf.report.ReportSection;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** How much the divergence depends on the temperatures, against the exact limit of the family. */
final class BnTemperature {

    private BnTemperature() {}

    static ReportSection run(Workplace workplace) throws IOException {
        return run(workplace, TemperatureGrid.at(workplace.scale(), false));
    }

    static ReportSection run(Workplace workplace, TemperatureGrid grid) throws IOException {
        GridReport report = new GridReport(grid, grid.run(workplace));
        return ReportSection.of("bn-temperature", "KL over temperatures")
                .with(new Block.Paragraph("Gumbel-Softmax trains an objective of a relaxed model, with a temperature τ"
                        + " of its posterior and another, τₚ, of its relaxed prior; which pair is good differs between"
                        + " networks, and the objective cannot tell. Factorised MDNF, which has the same family of"
                        + " posteriors, trains the bound itself: every τ of at least 1 ends at the best"
                        + " product there is."), report.reliability(), facts(grid))
                .withAll(report.heatMaps()).found(report.gaps());
    }

    static Block.Facts facts(TemperatureGrid grid) {
        Map<String, Object> facts = new LinkedHashMap<>();
        int flows = grid.flows().first() + grid.flows().then();
        facts.put("iterations", grid.iterations() + " (Gumbel), " + flows + " (MDNF)");
        facts.put("optimiser", "RMSprop, rate 0.01");
        facts.put("samples per step", "100 (Gumbel); MDNF's gradient is exact");
        facts.put("temperature", grid.annealed() ? "falls by e^-10 over the iterations, not below 0.001" : "constant");
        facts.put("fits", grid.cases().size() * grid.temperatures().length * (2 * grid.temperatures().length + 1));
        return Block.Facts.of("", facts);
    }
}
