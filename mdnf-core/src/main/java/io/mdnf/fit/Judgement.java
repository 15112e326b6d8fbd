package io.mdnf.fit;

import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Marginals;
import io.mdnf.distribution.Product;
import io.mdnf.distribution.WeightedCode;
import io.mdnf.evaluation.ImportanceDiagnostics;
import io.mdnf.evaluation.ImportanceDiagnostics.Verdict;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.search.Effort;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * How far to trust a fit.
 *
 * <p>Importance weights see only what q samples, so they say nothing about a q that leaves codes out: to 100 atoms the
 * rest of the posterior is invisible. For atoms and products this looks one step further, at codes that q cannot draw
 * and that differ from one it draws in one variable. Their mass M is missing for certain, and so are at least
 * log(1 + M / exp(ELBO)) nats of the bound.
 *
 * @param marginals of the fit, with their accuracy
 * @param diagnostics of its importance weights
 * @param missing nats that the bound is known to miss, at least; 0 if nothing is known to be missing
 * @param kl KL(q || p) where the truth is known
 * @param verdict in a word
 * @param sentence in a sentence for a person
 */
public record Judgement(Marginals marginals, ImportanceDiagnostics diagnostics, double missing, OptionalDouble kl,
        Verdict verdict, String sentence) {

    /** Nats that may be missing from what is trusted: by Pinsker no probability is then off by more than 0.16. */
    static final double TOLERATED = 0.05;
    /** Codes whose neighbours are looked at: enough to find mass that is missing everywhere, at the cost of a bound. */
    private static final int LOOKED_AROUND = 200;

    /** What is known of a posterior: log p(D), and the marginals p(x_d = k | D), [D][K_d]. */
    public record Truth(double logEvidence, double[][] marginals) {}

    static Judgement of(TargetModel target, Fit fit, Optional<Truth> truth, Effort.Fitting effort, Seed seed) {
        CodeDistribution q = fit.distribution();
        Marginals marginals = q.marginals(effort.marginalSamples(), seed.fold("marginals"));
        ImportanceDiagnostics diagnostics = ImportanceDiagnostics.of(
                Bound.logWeights(target, q, effort.weightSamples(), seed.fold("judge")));
        boolean exact = fit.family() == Family.EXACT;
        double missing = exact ? 0 : missing(target, q, fit.bound().value(), seed.fold("around"));
        OptionalDouble kl = exact ? OptionalDouble.of(0) : truth.isEmpty() ? OptionalDouble.empty()
                : OptionalDouble.of(truth.get().logEvidence() - fit.bound().value());
        Verdict verdict = kl.isPresent() ? kl.getAsDouble() <= TOLERATED ? Verdict.TRUSTED : Verdict.UNRELIABLE
                : missing > TOLERATED ? Verdict.UNRELIABLE
                : q instanceof Atoms ? Verdict.DOUBTFUL : diagnostics.verdict();
        return new Judgement(marginals, diagnostics, missing, kl, verdict,
                sentence(fit, truth, marginals, diagnostics, missing));
    }

    private static String sentence(Fit fit, Optional<Truth> truth, Marginals marginals,
            ImportanceDiagnostics diagnostics, double missing) {
        if (fit.family() == Family.EXACT) {
            return "All " + fit.components() + " possible codes were listed: this is the posterior itself.";
        }
        if (truth.isPresent()) {
            return String.format(Locale.ROOT, "Exact inference is feasible here and says: the fit is %s nats from the "
                    + "posterior, and its marginals are off by at most %.4f.",
                    nats(truth.get().logEvidence() - fit.bound().value()), marginals.distance(truth.get().marginals()));
        }
        if (missing > TOLERATED) {
            return String.format(Locale.ROOT, "The fit cannot be trusted: codes that it leaves out hold so much of the "
                    + "posterior that its bound is at least %.2f nats too low.", missing);
        }
        return fit.distribution() instanceof Atoms atoms
                ? "The fit is " + atoms.size() + " codes with weights: codes next to them hold little, but what the "
                        + "posterior holds elsewhere cannot be seen from it, so only the bound speaks for it."
                : diagnostics.sentence();
    }

    /** A KL with six digits, never as minus zero. */
    private static String nats(double kl) {
        return Double.isInfinite(kl) ? "infinitely many"
                : String.format(Locale.ROOT, "%.6f", Math.abs(kl) < 5e-7 ? 0 : kl);
    }

    /** How many nats the bound misses at least for codes that q cannot draw, next to some that it draws. */
    private static double missing(TargetModel target, CodeDistribution q, double elbo, Seed seed) {
        boolean everywhere = q instanceof Product product && product.supportSize() == q.space().size();
        if (everywhere || !(q instanceof Atoms || q instanceof Product) || elbo == Double.NEGATIVE_INFINITY) {
            return 0;
        }
        Set<List<Integer>> seen = new HashSet<>();
        List<int[]> outside = new ArrayList<>();
        List<Double> logJoint = new ArrayList<>();
        int[][] inside = q instanceof Product ? q.sample(LOOKED_AROUND, seed)
                : q.mostProbable(LOOKED_AROUND).stream().map(WeightedCode::code).toArray(int[][]::new);
        for (int[] code : inside) {
            double[][] around = target.neighbours(code);
            for (int d = 0; d < around.length; d++) {
                for (int k = 0; k < around[d].length; k++) {
                    int[] neighbour = code.clone();
                    neighbour[d] = k;
                    if (around[d][k] > Double.NEGATIVE_INFINITY
                            && seen.add(Arrays.stream(neighbour).boxed().toList())) {
                        outside.add(neighbour);
                        logJoint.add(around[d][k]);
                    }
                }
            }
        }
        double[] logQ = q.logProb(outside.toArray(int[][]::new));
        double[] terms = new double[logQ.length + 1];
        for (int i = 0; i < logQ.length; i++) {
            terms[i] = logQ[i] == Double.NEGATIVE_INFINITY ? logJoint.get(i) : Double.NEGATIVE_INFINITY;
        }
        terms[logQ.length] = elbo;
        return LogSpace.sumExp(terms) - elbo;
    }
}
