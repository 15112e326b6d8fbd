package io.mdnf.cli;

import io.mdnf.bn.Evidence;
import io.mdnf.bn.ExactPosterior;
import io.mdnf.file.CsvFile;
import io.mdnf.fit.Family;
import io.mdnf.report.Block;
import io.mdnf.report.CsvTable;
import io.mdnf.report.Decimals;
import io.mdnf.report.ReportSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The folder of one {@code bn fit}: {@code manifest.json}, {@code metrics.csv}, {@code checkpoints/} with a folder per
 * family, {@code result.json} and {@code report.html}.
 *
 * @param folder with the manifest
 */
record BnRun(RunFolder folder) {

    /** A new run, or with resume the one that is there, which must have been asked for the same. */
    static BnRun open(RunOptions run, BnCase asked, Evidence evidence, BnMethod method) throws IOException {
        Map<String, String> configuration = method.configuration();
        configuration.put("network", asked.name());
        configuration.put("evidence", evidence.toString());
        return new BnRun(run.open("mdnf bn fit", configuration, List.of(asked.input())));
    }

    /** Gets a folder for each family. */
    Path checkpoints() {
        return folder.resolve("checkpoints");
    }

    Path metrics(Family family) {
        return folder.resolve("metrics-" + Manual.word(family) + ".csv");
    }

    void finish(BnFitted fitted) throws IOException {
        List<BnPlots.Curve> curves = joinMetrics();
        folder.result(fitted.answer());
        String observed = fitted.target().evidence().toString();
        folder.report("Posterior of " + fitted.target().evidence().network().name(),
                observed.isEmpty() ? "Nothing was observed." : "Observed: " + observed + ".", section(fitted, curves));
    }

    /** One file of figures from those of the families. */
    private List<BnPlots.Curve> joinMetrics() throws IOException {
        List<BnPlots.Curve> curves = new ArrayList<>();
        CsvTable all = new CsvTable("structure", "step", "temperature", "elbo", "bestElbo", "components");
        for (Family family : Family.values()) {
            if (Files.exists(metrics(family))) {
                List<List<String>> figures = CsvFile.read(metrics(family)).rows().stream().skip(1).toList();
                figures.forEach(row -> all.row(Manual.word(family), row.get(0), row.get(1), row.get(2), row.get(3),
                        row.get(4)));
                curves.add(new BnPlots.Curve(Manual.word(family), column(figures, 0), column(figures, 2)));
            }
        }
        all.write(folder.resolve("metrics.csv"));
        return curves;
    }

    private static double[] column(List<List<String>> rows, int field) {
        return rows.stream().mapToDouble(row -> Double.parseDouble(row.get(field))).toArray();
    }

    private static ReportSection section(BnFitted fitted, List<BnPlots.Curve> curves) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("structure", fitted.structure());
        facts.put("components", fitted.fit().components());
        facts.put("found by", fitted.fit().algorithm());
        facts.putAll(fitted.figures());
        Block.Table families = Block.Table.numbers("What each family reached, in nats", "family",
                List.of("ELBO", "steps", "seconds")).rows(fitted.fit().attempts(), attempt -> List.of(
                        Manual.word(attempt.family()), BnFitted.bound(attempt.bound()),
                        Long.toString(attempt.steps()), Decimals.fixed(attempt.seconds(), 1)));
        Optional<BnMarginals> truth = fitted.exact().map(BnMarginals::of);
        return ReportSection.of("bn-fit", "Posterior")
                .with(Block.Facts.of("", facts), new Block.Paragraph(String.join(" ", fitted.sentences())), families)
                .withAll(BnPlots.training(curves, fitted.structure(), fitted.fit().bound().value(),
                        fitted.exact().map(ExactPosterior::logEvidence)).stream().toList())
                .withAll(BnPlots.marginals(fitted.marginals().byName(),
                        truth.map(BnMarginals::byName).orElse(Map.of())))
                .with(fitted.marginals().table("Marginals of the latent variables", "q", truth));
    }
}
