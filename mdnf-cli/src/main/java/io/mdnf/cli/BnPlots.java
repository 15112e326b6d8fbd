package io.mdnf.cli;

import io.mdnf.bn.ExactPosterior;
import io.mdnf.plot.Axis;
import io.mdnf.plot.BarPlot;
import io.mdnf.plot.LinePlot;
import io.mdnf.plot.Reference;
import io.mdnf.plot.Series;
import io.mdnf.report.Block;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The pictures of a {@code bn fit}: the bound while it was trained, and the marginals beside the exact ones. */
final class BnPlots {

    /** Bars that fit beside each other. */
    private static final int BARS = 14;

    private BnPlots() {}

    /**
     * A family's bound at the steps where it was reported.
     *
     * @param structure the family
     * @param steps increasing
     * @param elbo the bound at each; not finite where it was not known
     */
    record Curve(String structure, double[] steps, double[] elbo) {

        private Optional<Series> series() {
            int[] known = IntStream.range(0, steps.length).filter(i -> Double.isFinite(elbo[i])).toArray();
            return known.length == 0 ? Optional.empty() : Optional.of(Series.line(structure,
                    Arrays.stream(known).mapToDouble(i -> steps[i]).toArray(),
                    Arrays.stream(known).mapToDouble(i -> elbo[i]).toArray()));
        }
    }

    /** The bound over steps, if any was known on the way. */
    static Optional<Block.Figure> training(List<Curve> curves, BnFitted fitted) {
        List<Series> series = curves.stream().flatMap(curve -> curve.series().stream()).toList();
        if (series.isEmpty()) {
            return Optional.empty();
        }
        List<Reference> levels = new ArrayList<>();
        fitted.exact().ifPresent(truth -> levels.add(Reference.across("log evidence", truth.logEvidence())));
        if (Double.isFinite(fitted.fit().bound().value())) {
            levels.add(Reference.across("bound of what was kept", fitted.fit().bound().value()));
        }
        return Optional.of(new Block.Figure("training", new LinePlot("Bound while training",
                "ELBO of each family over gradient steps, with the log evidence where it is known.",
                Axis.linear("step", ""), Axis.linear("ELBO", "nats"), series, levels),
                "Estimates along the way. What was kept may be better: a search follows training."));
    }

    /** The probability of every state, exact ones beside; of a binary variable its second state. */
    static List<Block.Figure> marginals(BnMarginals q, Optional<ExactPosterior> exact) {
        Map<String, Map<String, Double>> fitted = q.byName();
        Map<String, Map<String, Double>> truth = exact.map(BnMarginals::of).map(BnMarginals::byName).orElse(Map.of());
        List<String> names = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        List<Double> exactValues = new ArrayList<>();
        fitted.forEach((variable, states) -> {
            List<String> shown = states.size() == 2 ? List.copyOf(states.keySet()).subList(1, 2)
                    : List.copyOf(states.keySet());
            for (String state : shown) {
                names.add(variable + " = " + state);
                values.add(states.get(state));
                exactValues.add(truth.isEmpty() ? Double.NaN : truth.get(variable).get(state));
            }
        });
        List<Block.Figure> figures = new ArrayList<>();
        for (int from = 0; from < names.size(); from += BARS) {
            int to = Math.min(names.size(), from + BARS);
            List<BarPlot.Bars> bars = new ArrayList<>();
            bars.add(BarPlot.Bars.of("q", unboxed(values.subList(from, to))));
            if (!truth.isEmpty()) {
                bars.add(BarPlot.Bars.of("exact", unboxed(exactValues.subList(from, to))));
            }
            String part = names.size() <= BARS ? "" : String.format(" %d to %d of %d", from + 1, to, names.size());
            figures.add(new Block.Figure("marginals-" + (from / BARS + 1), new BarPlot("Marginals" + part,
                    "Probabilities of states under the fit and by exact inference.", "", names.subList(from, to),
                    Axis.linear("probability", "").between(0, 1), bars, List.of()), ""));
        }
        return figures;
    }

    private static double[] unboxed(List<Double> values) {
        return values.stream().mapToDouble(v -> v).toArray();
    }
}
