package io.mdnf.cli;

import io.mdnf.bn.Evidence;
import io.mdnf.file.CsvFile;
import io.mdnf.fit.Family;
import io.mdnf.fit.Fit;
import io.mdnf.report.Block;
import io.mdnf.report.CsvTable;
import io.mdnf.report.HtmlReport;
import io.mdnf.report.Report;
import io.mdnf.report.ReportSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
        return folder.resolve("metrics-" + BnMethod.lower(family) + ".csv");
    }

    void finish(BnFitted fitted) throws IOException {
        List<BnPlots.Curve> curves = joinMetrics();
        folder.result(fitted.answer());
        HtmlReport.write(folder.resolve("report.html"), report(fitted, curves));
    }

    /** One file of figures from those of the families. */
    private List<BnPlots.Curve> joinMetrics() throws IOException {
        List<BnPlots.Curve> curves = new ArrayList<>();
        CsvTable all = new CsvTable("structure", "step", "temperature", "elbo", "bestElbo", "components");
        for (Family family : Family.values()) {
            if (Files.exists(metrics(family))) {
                List<List<String>> figures = CsvFile.read(metrics(family)).rows().stream().skip(1).toList();
                figures.forEach(row -> all.row(BnMethod.lower(family), row.get(0), row.get(1), row.get(2), row.get(3),
                        row.get(4)));
                curves.add(new BnPlots.Curve(BnMethod.lower(family), column(figures, 0), column(figures, 2)));
            }
        }
        all.write(folder.resolve("metrics.csv"));
        return curves;
    }

    private static double[] column(List<List<String>> rows, int field) {
        return rows.stream().mapToDouble(row -> Double.parseDouble(row.get(field))).toArray();
    }

    private Report report(BnFitted fitted, List<BnPlots.Curve> curves) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("structure", fitted.structure());
        facts.put("components", fitted.fit().components());
        facts.put("found by", fitted.fit().algorithm());
        facts.putAll(fitted.figures());
        Block.Table families = Block.Table.of("What each family reached, in nats", Block.Column.text("family"),
                Block.Column.number("ELBO"), Block.Column.number("steps"), Block.Column.number("seconds"));
        for (Fit.Attempt attempt : fitted.fit().attempts()) {
            families = families.row(BnMethod.lower(attempt.family()), BnFitted.bound(attempt.bound()),
                    Long.toString(attempt.steps()), String.format(Locale.ROOT, "%.1f", attempt.seconds()));
        }
        Optional<BnMarginals> exact = fitted.exact().map(BnMarginals::of);
        ReportSection section = ReportSection.of("bn-fit", "Posterior")
                .with(Block.Facts.of("", facts))
                .with(new Block.Paragraph(String.join(" ", fitted.sentences())))
                .with(families);
        Optional<Block.Figure> training = BnPlots.training(curves, fitted);
        section = training.isPresent() ? section.with(training.get()) : section;
        for (Block.Figure figure : BnPlots.marginals(fitted.marginals(), fitted.exact())) {
            section = section.with(figure);
        }
        section = section.with(fitted.marginals().table("Marginals of the latent variables", "q", exact))
                .with(Block.Facts.of("How it was made", folder.manifest().configuration()));
        String observed = fitted.target().evidence().toString();
        return new Report("Posterior of " + fitted.target().evidence().network().name(),
                observed.isEmpty() ? "Nothing was observed." : "Observed: " + observed + ".", List.of(section));
    }
}
