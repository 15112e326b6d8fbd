package io.mdnf.experiments;

import io.mdnf.bn.FactorisedVif;
import io.mdnf.bn.GumbelFit;
import io.mdnf.bn.GumbelSettings;
import io.mdnf.bn.GumbelTemperatures;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.TrainingState;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Gumbel with as many starts as factorised MDNF has, from the same law, at one pair of temperatures: each is trained
 * for a while, and one is trained on. Which one, MDNF reads off its bound; Gumbel has its own objective, or an oracle.
 *
 * @param byObjective KL at the end from the start with the highest objective
 * @param byOracle KL at the end from the start with the lowest KL, which nobody knows in practice
 */
record GumbelStarts(double byObjective, double byOracle) {

    private static final int DRAWS = 4;

    static GumbelStarts fit(NetworkTarget target, GumbelTemperatures at, FactorisedStarts starts, int iterations,
            Seed seed) {
        GumbelFit fit = new GumbelFit(target, GumbelSettings.published(false),
                Collections.nCopies(starts.starts(), at));
        int size = target.space().oneHotLength();
        int first = Math.min(starts.first(), iterations);
        try (var training = new GradientTraining<>(fit)) {
            Draws draws = new Draws(seed);
            double[] logits = draws.normal("logits", starts.starts() * size);
            double[] offsets = draws.normal("offset", logits.length);
            IntStream.range(0, logits.length).forEach(i -> logits[i] += FactorisedVif.SPREAD * offsets[i]);
            TrainingState state = training.advance(training.start(seed, logits), first);
            double[] objectives = fit.objective(state, DRAWS);
            double[] minusKl = IntStream.range(0, starts.starts())
                    .mapToDouble(s -> -fit.figures(state, s).flooredKl()).toArray();
            return goOn(target, at, state, List.of(most(objectives), most(minusKl)), iterations - first);
        }
    }

    private static int most(double[] values) {
        return IntStream.range(0, values.length).reduce((a, b) -> values[b] > values[a] ? b : a).orElseThrow();
    }

    /** Two starts, trained to the end side by side. */
    private static GumbelStarts goOn(NetworkTarget target, GumbelTemperatures at, TrainingState state,
            List<Integer> chosen, int steps) {
        int size = target.space().oneHotLength();
        double[] logits = chosen.stream().flatMapToDouble(s ->
                IntStream.range(s * size, (s + 1) * size).mapToDouble(i -> state.parameters()[i])).toArray();
        GumbelFit fit = new GumbelFit(target, GumbelSettings.published(false), List.of(at, at));
        try (var training = new GradientTraining<>(fit)) {
            TrainingState end = training.advance(training.start(state.seed().fold("on"), logits), steps);
            return new GumbelStarts(fit.figures(end, 0).flooredKl(), fit.figures(end, 1).flooredKl());
        }
    }
}
