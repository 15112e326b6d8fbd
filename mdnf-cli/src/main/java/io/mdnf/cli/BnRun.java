package io.mdnf.cli;

import io.mdnf.bn.Evidence;
import io.mdnf.bn.ExactPosterior;
import io.mdnf.file.CsvFile;
import io.mdnf.fit.Family;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BarPlot;
import io.mdnf.plot.LinePlot;
import io.mdnf.plot.Reference;
import io.mdnf.plot.ScatterPlot;
import io.mdnf.plot.Series;
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
import java.util.stream.IntStream;

/**
 * The folder of one {@code bn fit}: {@code manifest.json}, {@code metrics.csv}, {@code checkpoints/} with a folder per
 * family, the posterior itself, {@code result.json} and {@code report.html}.
 */
record BnRun(RunFolder folder) {

    /** A new run, or with resume the one that is there, which must have been asked for the same. */
    static BnRun open(RunOptions run, BnCase asked, Evidence evidence, BnPlan plan) throws IOException {
        Map<String, String> configuration = plan.configuration();
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

    /** What bounded messages know while they go. */
    BoundsCsv bounds() {
        return new BoundsCsv(folder.resolve("metrics-bounds.csv"));
    }

    void finish(BnFitted fitted) throws IOException {
        List<Curve> curves = joinMetrics();
        if (fitted.exact().isPresent()) {
            folder.truth(fitted.exact().get().logEvidence());
        }
        fitted.posterior().save(folder.resolve(""));
        folder.result(fitted.answer());
        String observed = fitted.target().evidence().toString();
        folder.report("Posterior of " + fitted.target().evidence().network().name(),
                observed.isEmpty() ? "Nothing was observed." : "Observed: " + observed + ".", section(fitted, curves));
    }

    /** One file of figures from those of the families. */
    private List<Curve> joinMetrics() throws IOException {
        List<Curve> curves = new ArrayList<>();
        CsvTable all = new CsvTable("family", "step", "temperature", "elbo", "bestElbo", "components");
        for (Family family : Family.values()) {
            if (Files.exists(metrics(family))) {
                List<List<String>> figures = CsvFile.read(metrics(family)).rows().stream().skip(1).toList();
                figures.forEach(row -> all.row(Manual.word(family), row.get(0), row.get(1), row.get(2), row.get(3),
                        row.get(4)));
                curves.add(new Curve(Manual.word(family), column(figures, 0), column(figures, 2)));
            }
        }
        all.write(folder.resolve("metrics.csv"));
        return curves;
    }

    private static double[] column(List<List<String>> rows, int field) {
        return rows.stream().mapToDouble(row -> Double.parseDouble(row.get(field))).toArray();
    }

    private static ReportSection section(BnFitted fitted, List<Curve> curves) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("family", fitted.family());
        facts.put("size", fitted.size());
        facts.put("found by", fitted.fit().algorithm());
        facts.putAll(fitted.figures());
        Block.Table families = Block.Table.numbers("What each family reached, in nats", "family",
                List.of("ELBO", "steps", "seconds")).rows(fitted.fit().attempts(), attempt -> List.of(
                        Manual.word(attempt.family()), attempt.bound().toString(),
                        Long.toString(attempt.steps()), Decimals.fixed(attempt.seconds(), 1)));
        Optional<BnMarginals> truth = fitted.exact().map(BnMarginals::of);
        return ReportSection.of("bn-fit", "Posterior")
                .with(Block.Facts.of("", facts), new Block.Paragraph(String.join(" ", fitted.sentences())), families)
                .withAll(picture(fitted).stream().toList())
                .withAll(training(curves, fitted.family(), fitted.fit().bound().value(),
                        fitted.exact().map(ExactPosterior::logEvidence)).stream().toList())
                .withAll(marginals(fitted.marginals().byName(),
                        truth.map(BnMarginals::byName).orElse(Map.of())).stream().toList())
                .with(fitted.marginals().table("Marginals of the latent variables", "q", truth));
    }

    /** The network with the most probable state of each variable, if that many can be read. */
    private static Optional<Block.Figure> picture(BnFitted fitted) {
        Evidence evidence = fitted.target().evidence();
        return evidence.network().size() > BnPicture.READABLE ? Optional.empty()
                : Optional.of(new Block.Figure("network", BnPicture.of(evidence, fitted.marginals().byName()),
                "What was observed is filled; beside the others stands their most probable state, each by itself."));
    }

    /**
     * A family's bound at the steps where it was reported.
     *
     * @param steps increasing
     * @param elbo the bound at each; not finite where it was not known, repeated where it was not evaluated anew
     */
    record Curve(String family, double[] steps, double[] elbo) {

        /** Through the bounds along the way, and through that of what was kept where this family was. */
        private Optional<Series> series(Optional<Double> kept) {
            List<Double> x = new ArrayList<>();
            List<Double> y = new ArrayList<>();
            for (int i = 0; i < steps.length; i++) {
                boolean last = i == steps.length - 1;
                if (last && kept.isPresent() || Double.isFinite(elbo[i]) && (i == 0 || elbo[i] != elbo[i - 1])) {
                    x.add(steps[i]);
                    y.add(last ? kept.orElse(elbo[i]) : elbo[i]);
                }
            }
            return x.isEmpty() ? Optional.empty() : Optional.of(new Series(family, x, y, List.of(), List.of()));
        }
    }

    /** The bound over steps, if any was known on the way; a family kept without training is a point at step 0. */
    static Optional<Block.Figure> training(List<Curve> curves, String kept, double bound,
            Optional<Double> logEvidence) {
        List<Series> series = new ArrayList<>();
        for (Curve curve : curves) {
            curve.series(Optional.of(bound).filter(b -> curve.family().equals(kept) && Double.isFinite(b)))
                    .ifPresent(series::add);
        }
        if (series.isEmpty()) {
            return Optional.empty();
        }
        if (series.stream().noneMatch(s -> s.name().equals(kept)) && Double.isFinite(bound)) {
            series.add(Series.line(kept + ", found without training", new double[] {0}, new double[] {bound}));
        }
        return Optional.of(new Block.Figure("training", new LinePlot("Bound while training",
                "Estimated ELBO of each family over gradient steps, with the log evidence where it is known.",
                Axis.linear("step", ""), Axis.linear("ELBO, estimated", "nats"), series,
                logEvidence.map(value -> Reference.across("log evidence", value)).stream().toList()),
                "Estimates from samples along the way, which may lie above the log evidence by chance; what was kept, "
                        + kept + ", ends at its bound after training and search."));
    }

    /**
     * The probability of every state, exact ones beside. Of more states than one plot holds the table has the bars, and
     * the plot is of the fit against the truth, if that is known.
     */
    static Optional<Block.Figure> marginals(Map<String, Map<String, Double>> fitted,
            Map<String, Map<String, Double>> truth) {
        List<String> names = fitted.entrySet().stream().flatMap(variable -> variable.getValue().keySet().stream()
                .map(state -> variable.getKey() + ": " + state)).toList();
        List<BarPlot.Bars> bars = new ArrayList<>(List.of(bars("q", fitted)));
        if (!truth.isEmpty()) {
            bars.add(bars("exact", truth));
        }
        Axis probability = Axis.linear("probability", "").between(0, 1);
        BarPlot plot = new BarPlot("Marginals", "Probabilities of states under the fit and by exact inference.", "",
                names, probability, bars, List.of());
        if (plot.fits()) {
            return Optional.of(new Block.Figure("marginals", plot, ""));
        }
        if (truth.isEmpty()) {
            return Optional.empty();
        }
        List<List<Double>> points = IntStream.range(0, names.size())
                .mapToObj(i -> List.of(bars.get(1).values().get(i), bars.get(0).values().get(i))).toList();
        return Optional.of(new Block.Figure("marginals", new ScatterPlot("Marginals",
                "Probabilities under the fit against those of exact inference, a point for each state.",
                Axis.linear("exact", "").between(0, 1), Axis.linear("q", "").between(0, 1),
                List.of(new ScatterPlot.Cloud("states", points, List.of(List.of(0.0, 0.0), List.of(1.0, 1.0))))),
                "A point for each state; on the line both agree."));
    }

    private static BarPlot.Bars bars(String name, Map<String, Map<String, Double>> probabilities) {
        return BarPlot.Bars.of(name, probabilities.values().stream().flatMap(states -> states.values().stream())
                .mapToDouble(v -> v).toArray());
    }
}
