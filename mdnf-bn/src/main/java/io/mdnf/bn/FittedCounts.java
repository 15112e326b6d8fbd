package io.mdnf.bn;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.JunctionTree;
import io.mdnf.fit.Answers;
import io.mdnf.fit.Budget;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Expected counts of cases where no junction tree fits into memory: of each by weighted samples x_s of the posterior q
 * that {@link Answers} fits to it, bounded messages with a learned correction.
 *
 * <pre>{@code
 * w_s = p(x_s, case) / q(x_s),  n(row, k) = sum_s w_s [x_s has (row, k)] / sum_s w_s
 * E log mean_s w_s <= log p(case)
 * }</pre>
 *
 * The same seed gives a case the same samples at every step, so that steps differ by their tables and little else.
 */
final class FittedCounts {

    /** Of a case; what they add to the error of the tables is a 256th of what its missing cells do. */
    private static final int SAMPLES = 256;
    /** Work of so many seconds for a case, or less. */
    private static final double SECONDS = 0.1;

    private final BayesianNetwork network;
    private final NamedFactors model;
    private final Budget budget;
    private final int[] order;
    private final Seed seed;

    FittedCounts(BayesianNetwork network, long bytes, int[] order, Seed seed) {
        this.network = network;
        this.model = NamedFactors.of(network);
        this.budget = new Budget(SECONDS, bytes, Double.POSITIVE_INFINITY).asCounted();
        this.order = order;
        this.seed = seed;
    }

    /** An order of elimination for all networks of a structure. */
    static int[] order(BayesianNetwork structure) {
        NamedFactors model = NamedFactors.of(structure);
        return EliminationPlan.searched(model.space(), model.factors()).order();
    }

    /** Adds what a case, seen so often, counts for each family; returns a lower bound of log p(case), estimated. */
    double add(int[] observed, double count, double[][] expected) {
        FactorTarget target = model.target(observed);
        Seed own = seed.fold(Arrays.hashCode(observed));
        try (CodeDistribution q = new Answers(target, budget).ordered(order).ask(own).distribution()) {
            int[][] codes = q.sample(SAMPLES, own.fold("counts"));
            double[] logWeights = target.logJoint(codes);
            double[] logQ = q.logProb(codes);
            Arrays.setAll(logWeights, s -> logWeights[s] - logQ[s]);
            double bound = LogSpace.meanExp(logWeights);
            Check.that(bound > Double.NEGATIVE_INFINITY, "case ", Arrays.toString(observed), " has probability 0, or "
                    + "no sample avoids the zeros; a prior above 0 makes every case possible");
            double[] weights = LogSpace.normalise(logWeights);
            for (int s = 0; s < SAMPLES; s++) {
                int[] states = codes[s];
                IntStream.range(0, states.length).filter(v -> observed[v] != JunctionTree.LATENT)
                        .forEach(v -> states[v] = observed[v]);
                for (int i = 0; i < states.length; i++) {
                    expected[i][network.row(i, states) * network.cardinality(i) + states[i]] += count * weights[s];
                }
            }
            return bound;
        }
    }
}
