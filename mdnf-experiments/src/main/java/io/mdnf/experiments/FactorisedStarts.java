package io.mdnf.experiments;

import io.mdnf.bn.FactorisedVif;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.ProductFigures;
import io.mdnf.training.TemperatureSchedule;
import io.mdnf.random.Seed;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;

/**
 * Factorised MDNF as this project runs it: several starts are trained for a while by RMSprop, and the one with the best
 * bound is trained on in four rounds, each from fresh logits of the same posterior, with plain gradients and a rate
 * that falls to 0. The bound is exact, so no truth is looked at.
 *
 * @param flows B
 * @param first steps of every start
 * @param then steps of the best one after that
 */
record FactorisedStarts(int flows, int starts, int first, int then) {

    private static final int ROUNDS = 4;

    /** 32 starts of 100 flows; the one that is kept gets so many iterations in all. */
    static FactorisedStarts of(int first, int iterations) {
        return new FactorisedStarts(100, 32, first, iterations - first);
    }

    FactorisedVif.Best fit(NetworkTarget target, TemperatureSchedule temperature, Seed seed, int every,
            FactorisedVif.Watch watch) {
        FactorisedVif.Best best;
        try (FactorisedVif vif = new FactorisedVif(target, flows, Collections.nCopies(starts, temperature))) {
            double[][] logits = new double[starts][];
            Arrays.setAll(logits, s -> vif.start(seed.fold("start").fold(s)));
            best = Arrays.stream(vif.run(logits, first, every, false, (step, now) -> watch.at(step,
                            new ProductFigures[] {Collections.max(Arrays.asList(now))})))
                    .max(Comparator.comparing(FactorisedVif.Best::figures)).orElseThrow();
        }
        if (then == 0) {
            return best;
        }
        for (int round = 0; round < ROUNDS; round++) {
            int before = first + round * (then / ROUNDS);
            TemperatureSchedule later = step -> temperature.at(step + before);
            try (FactorisedVif vif = new FactorisedVif(target, flows, Collections.nCopies(1, later))) {
                double[][] start = {vif.refreshed(best.logits(), seed.fold("round").fold(round))};
                FactorisedVif.Best last = vif.run(start, then / ROUNDS, every, true,
                        (step, now) -> watch.at(step + before, now))[0];
                if (last.figures().compareTo(best.figures()) > 0) {
                    best = new FactorisedVif.Best(last.step() + before, last.logits(), last.figures());
                }
            }
        }
        return best;
    }
}
