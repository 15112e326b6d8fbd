package io.mdnf.cli;

import io.mdnf.plot.Axis;
import io.mdnf.plot.BarPlot;
import io.mdnf.plot.LinePlot;
import io.mdnf.plot.Reference;
import io.mdnf.plot.Series;
import io.mdnf.report.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The pictures of a {@code bn fit}: the bound while it was trained, and the marginals beside the exact ones. */
final class BnPlots {

    private BnPlots() {}

    /**
     * A family's bound at the steps where it was reported.
     *
     * @param structure the family
     * @param steps increasing
     * @param elbo the bound at each; not finite where it was not known, repeated where it was not evaluated anew
     */
    record Curve(String structure, double[] steps, double[] elbo) {

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
            return x.isEmpty() ? Optional.empty() : Optional.of(new Series(structure, x, y, List.of(), List.of()));
        }
    }

    /** The bound over steps, if any was known on the way; a family kept without training is a point at step 0. */
    static Optional<Block.Figure> training(List<Curve> curves, String kept, double bound,
            Optional<Double> logEvidence) {
        List<Series> series = new ArrayList<>();
        for (Curve curve : curves) {
            curve.series(Optional.of(bound).filter(b -> curve.structure().equals(kept) && Double.isFinite(b)))
                    .ifPresent(series::add);
        }
        if (series.isEmpty()) {
            return Optional.empty();
        }
        if (series.stream().noneMatch(s -> s.name().equals(kept)) && Double.isFinite(bound)) {
            series.add(Series.line(kept + ", found without training", new double[] {0}, new double[] {bound}));
        }
        return Optional.of(new Block.Figure("training", new LinePlot("Bound while training",
                "ELBO of each family over gradient steps, with the log evidence where it is known.",
                Axis.linear("step", ""), Axis.linear("ELBO", "nats"), series,
                logEvidence.map(value -> Reference.across("log evidence", value)).stream().toList()),
                "Estimates along the way; what was kept, " + kept + ", ends at its bound after training and search."));
    }

    /** The probability of every state, exact ones beside; the states of a variable stand together. */
    static List<Block.Figure> marginals(Map<String, Map<String, Double>> fitted,
            Map<String, Map<String, Double>> truth) {
        List<String> variables = new ArrayList<>();
        List<String> names = new ArrayList<>();
        fitted.forEach((variable, states) -> states.keySet().forEach(state -> {
            variables.add(variable);
            names.add(variable + ": " + state);
        }));
        List<BarPlot.Bars> bars = new ArrayList<>(List.of(bars("q", fitted)));
        if (!truth.isEmpty()) {
            bars.add(bars("exact", truth));
        }
        List<BarPlot> parts = new BarPlot("Marginals", "Probabilities of states under the fit and by exact inference.",
                "", names, Axis.linear("probability", "").between(0, 1), bars, List.of()).parts(variables);
        return IntStream.range(0, parts.size())
                .mapToObj(i -> new Block.Figure("marginals-" + (i + 1), parts.get(i), "")).toList();
    }

    private static BarPlot.Bars bars(String name, Map<String, Map<String, Double>> probabilities) {
        return BarPlot.Bars.of(name, probabilities.values().stream().flatMap(states -> states.values().stream())
                .mapToDouble(v -> v).toArray());
    }
}
