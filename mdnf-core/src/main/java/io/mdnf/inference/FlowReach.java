package io.mdnf.inference;

import io.mdnf.distribution.Conditionals;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes B flows of conditionals that keep off impossible codes: where samples are impossible, categories that are
 * unlikely enough are left out, and while some are impossible all the same, the variable that made them so leaves out
 * more. A bound needs that: one impossible code in a million makes it -infinity.
 *
 * <p>Internal: programs call {@code io.mdnf.fit.Fitter}.
 *
 * @param target what says what is impossible
 * @param components B
 */
public record FlowReach(TargetModel target, int components, Effort.Learning effort) {

    private static final Logger LOG = LoggerFactory.getLogger(FlowReach.class);

    /** Returns whether so many probes found no impossible code of q. */
    public boolean isClear(Conditionals q, Seed seed) {
        for (int probe = 0; probe < effort.cleanProbes(); probe++) {
            double[] logJoint = target.logJoint(q.sample(effort.probes(), seed.fold("clear").fold(probe)));
            if (Arrays.stream(logJoint).anyMatch(l -> l == Double.NEGATIVE_INFINITY)) {
                return false;
            }
        }
        return true;
    }

    /** Returns B flows that follow conditionals, all the way where those are clear. */
    public Conditionals of(Conditionals q, boolean clear, Seed seed) {
        double[] reach = new double[q.space().variables()];
        Arrays.fill(reach, clear ? Double.POSITIVE_INFINITY : effort.reach());
        Conditionals flows = counted(q, reach, seed);
        for (int probe = 0, clean = clear ? effort.cleanProbes() : 0; probe < effort.mostProbes()
                && clean < effort.cleanProbes(); probe++) {
            clean++;
            if (shorten(flows, flows.sample(effort.probes(), seed.fold("probe").fold(probe)), reach)) {
                clean = 0;
                flows = counted(q, reach, seed);
            }
        }
        return flows;
    }

    private Conditionals counted(Conditionals q, double[] reach, Seed seed) {
        return q.counted(components, reach, effort.examples(), seed.fold("examples"));
    }

    /** Shortens the reach of the places that made codes impossible. Returns whether there were any. */
    private boolean shorten(Conditionals q, int[][] samples, double[] reach) {
        double[] logJoint = target.logJoint(samples);
        boolean[] guilty = new boolean[reach.length];
        int impossible = 0;
        for (int i = 0; i < samples.length; i++) {
            if (logJoint[i] == Double.NEGATIVE_INFINITY) {
                impossible++;
                guilty[guilty(q, samples[i])] = true;
            }
        }
        for (int t = 0; t < reach.length; t++) {
            reach[t] = guilty[t] ? Math.max(0, Math.min(effort.reach(), reach[t]) - 1) : reach[t];
        }
        if (impossible > 0) {
            LOG.info("{} of {} samples are impossible: reach of the flows now {}", impossible, samples.length, reach);
        }
        return impossible > 0;
    }

    /** The last place in the order at which a change alone makes a code possible, or the last of all. */
    private int guilty(Conditionals q, int[] code) {
        double[][] neighbours = target.neighbours(code);
        for (int t = code.length - 1; t >= 0; t--) {
            if (Arrays.stream(neighbours[q.variable(t)]).anyMatch(l -> l > Double.NEGATIVE_INFINITY)) {
                return t;
            }
        }
        return code.length - 1;
    }
}
