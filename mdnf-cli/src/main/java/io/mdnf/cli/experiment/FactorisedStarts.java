package io.mdnf.cli.experiment;

import io.mdnf.bn.FactorisedVif;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.ProductFigures;
import io.mdnf.inference.TemperatureSchedule;
import io.mdnf.random.Seed;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;

/**
 * Factorised MDNF as this project runs it: several starts are trained for a while, and the one with the best bound is
 * trained on, with a learning rate that falls to 0: at a high temperature all flows of a variable get the same
 * gradient, and a constant rate keeps them swinging. The bound is exact, so no truth is looked at.
 *
 * @param flows B
 * @param starts how many
 * @param first steps of every start
 * @param then steps of the best one after that
 */
record FactorisedStarts(int flows, int starts, int first, int then) {


    /** The paper's iterations in all for the one that is kept. */
    static FactorisedStarts of(int iterations) {
        int first = Math.min(1000, Math.max(1, iterations * 3 / 10));
        return new FactorisedStarts(100, 32, first, iterations - first);
    }

    FactorisedVif.Best fit(NetworkTarget target, TemperatureSchedule temperature, Seed seed, int every,
            FactorisedVif.Watcher watcher) {
        FactorisedVif.Best best;
        try (FactorisedVif vif = new FactorisedVif(target, flows, Collections.nCopies(starts, temperature))) {
            double[][] logits = new double[starts][];
            for (int s = 0; s < starts; s++) {
                logits[s] = vif.start(seed.fold("start").fold(s));
            }
            best = Arrays.stream(vif.run(logits, first, every, false, (step, now) -> watcher.at(step,
                            new ProductFigures[] {Collections.max(Arrays.asList(now))})))
                    .max(Comparator.comparing(FactorisedVif.Best::figures)).orElseThrow();
        }
        if (then == 0) {
            return best;
        }
        TemperatureSchedule later = step -> temperature.at(step + first);
        try (FactorisedVif vif = new FactorisedVif(target, flows, Collections.nCopies(1, later))) {
            FactorisedVif.Best last = vif.run(new double[][] {best.logits()}, then, every, true,
                    (step, now) -> watcher.at(step + first, now))[0];
            return last.figures().compareTo(best.figures()) > 0
                    ? new FactorisedVif.Best(last.step() + first, last.logits(), last.q(), last.figures()) : best;
        }
    }
}
