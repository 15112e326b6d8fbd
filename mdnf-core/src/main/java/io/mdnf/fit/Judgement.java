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
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * How far to trust a fit.
 *
 * <p>The mean of importance weights w = p(D, x) / q(x) estimates the evidence of the codes that q draws, from below on
 * the logarithm's average, so log mean w - ELBO is what the bound misses among them, at least. Of codes that q cannot
 * draw weights say nothing: to 100 atoms the rest of the posterior is invisible. For atoms and products this looks one
 * step further, at codes that differ from one that q draws in one variable. Their mass M is missing for certain, and
 * with it log(M + mean w) - ELBO nats. And where a search found codes of mass F, however far from those that q draws,
 * log F - ELBO nats are missing for certain: so a product on one of two islands is found out.
 *
 * @param marginals of the fit, with their accuracy
 * @param diagnostics of its importance weights
 * @param missing nats that the bound is estimated to miss, at least; infinite if it is -infinity
 * @param truth what is known of the posterior
 * @param kl KL(q || p) where the truth is known, as accurate as the bound
 * @param verdict in a word
 * @param sentence in a sentence for a person
 */
public record Judgement(Marginals marginals, ImportanceDiagnostics diagnostics, double missing, Optional<Truth> truth,
        Optional<Estimate> kl, Verdict verdict, String sentence) {

    /** What is known of a posterior: log p(D), and the marginals p(x_d = k | D), [D][K_d]. */
    public record Truth(double logEvidence, double[][] marginals) {

        /** What an exact answer says; nothing of another. */
        static Optional<Truth> of(Answer answer) {
            return Optional.of(answer).filter(Answer::isExact)
                    .map(exact -> new Truth(exact.logEvidence().lower(), exact.marginals()));
        }
    }

    static Judgement of(TargetModel target, Fitter.Found fit, double logFound, Optional<Truth> truth,
            Effort.Fitting effort, Seed seed) {
        if (fit.answer().isPresent() && !fit.answer().get().isExact()) {
            return of(fit.answer().get(), fit.bound(), truth);
        }
        CodeDistribution q = fit.q();
        Estimate bound = fit.bound();
        boolean exact = fit.family() == Family.EXACT || fit.answer().isPresent();
        Marginals marginals = exact ? new Marginals(fit.truth().orElseThrow().marginals(), 0)
                : q.marginals(effort.marginalSamples(), seed.fold("marginals"));
        // weights of the posterior itself are equal
        double[] logWeights = exact ? new double[effort.weightSamples()]
                : Bound.logWeights(target, q, effort.weightSamples(), seed.fold("judge"));
        ImportanceDiagnostics diagnostics = ImportanceDiagnostics.of(logWeights);
        double seen = exact ? 0 : missing(target, q, logWeights, effort.lookedAround(), seed.fold("around"));
        double missing = exact || logFound == Double.NEGATIVE_INFINITY ? seen
                : Math.max(seen, logFound - bound.value());
        Optional<Estimate> kl = exact ? Optional.of(Estimate.exact(0))
                : truth.map(t -> new Estimate(t.logEvidence() - bound.value(), bound.standardError()));
        double gap = kl.map(Estimate::value).orElse(missing);
        Verdict verdict = gap > effort.tolerated() ? Verdict.UNRELIABLE : kl.isPresent() ? Verdict.TRUSTED
                : q instanceof Atoms ? Verdict.DOUBTFUL : diagnostics.verdict();
        return new Judgement(marginals, diagnostics, missing, truth, kl, verdict, exact
                ? (q instanceof Atoms atoms ? "All " + atoms.size() + " possible codes were listed"
                        : "All " + q.space().variables() + " variables were eliminated exactly")
                        + ": this is the posterior itself."
                : sentence(q, kl, truth.map(t -> marginals.distance(t.marginals())), diagnostics, seen, missing,
                        effort));
    }

    /** By what weighted samples say, of which there are many more than could be drawn here. */
    private static Judgement of(Answer answer, Estimate bound, Optional<Truth> truth) {
        ImportanceDiagnostics diagnostics = answer.diagnostics().orElseThrow();
        Marginals marginals = new Marginals(answer.marginals(),
                Math.max(1, (int) Math.round(diagnostics.effectiveSampleSize())));
        double missing = Math.max(0, answer.logEvidence().estimate().value() - bound.value());
        Optional<Estimate> kl = truth.map(t -> new Estimate(t.logEvidence() - bound.value(), bound.standardError()));
        return new Judgement(marginals, diagnostics, missing, truth, kl, diagnostics.verdict(), String.format(
                Locale.ROOT, "The log evidence is at least %.4f and at most %.4f. %s", answer.logEvidence().lower(),
                answer.logEvidence().upper(), diagnostics.sentence()));
    }

    private static String sentence(CodeDistribution q, Optional<Estimate> kl, Optional<Double> off,
            ImportanceDiagnostics diagnostics, double seen, double missing, Effort.Fitting effort) {
        if (missing == Double.POSITIVE_INFINITY) {
            return "The fit cannot be trusted: it gives mass to impossible codes, so it is infinitely far from the "
                    + "posterior.";
        }
        if (kl.isPresent()) {
            return String.format(Locale.ROOT, "Exact inference is feasible here and says: the fit is %s nats from the "
                    + "posterior, and its marginals are off by at most %.4f.", kl.get(), off.orElseThrow());
        }
        if (missing > effort.tolerated()) {
            return String.format(Locale.ROOT,
                    "The fit cannot be trusted: by %s its bound is at least %.2f nats too low.",
                    missing > seen ? "the most probable codes, which a search found,"
                            : "its own samples and the codes next to them", missing);
        }
        if (q instanceof Atoms atoms) {
            return "The fit is " + atoms.size() + " codes with weights: codes next to them hold little, but what the "
                    + "posterior holds elsewhere cannot be seen from it, so only the bound speaks for it.";
        }
        return String.format(Locale.ROOT, "%s By its own samples the bound is %.3f nats too low. %s",
                switch (diagnostics.verdict()) {
                    case TRUSTED -> "The fit can be trusted as far as it sees.";
                    case DOUBTFUL -> "The fit is doubtful.";
                    default -> "The fit cannot be trusted.";
                }, missing, diagnostics.sentence());
    }

    /** log(M + mean w) - mean log w, where M is the mass of codes that q cannot draw, next to some that it draws. */
    private static double missing(TargetModel target, CodeDistribution q, double[] logWeights, int around, Seed seed) {
        double elbo = Estimate.of(logWeights).value();
        if (elbo == Double.NEGATIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        double inside = LogSpace.meanExp(logWeights);
        boolean everywhere = q instanceof Product product && product.supportSize() == q.space().size();
        return everywhere || !(q instanceof Atoms || q instanceof Product) ? inside - elbo
                : LogSpace.sumExp(inside, logMassAround(target, q, around, seed)) - elbo;
    }

    /** The log mass of codes that q cannot draw, next to some that it draws. */
    private static double logMassAround(TargetModel target, CodeDistribution q, int count, Seed seed) {
        Set<IntBuffer> seen = new HashSet<>();
        List<int[]> outside = new ArrayList<>();
        List<Double> logJoint = new ArrayList<>();
        int[][] inside = q instanceof Product ? q.sample(count, seed)
                : q.mostProbable(count).stream().map(WeightedCode::code).toArray(int[][]::new);
        for (int[] code : inside) {
            double[][] around = target.neighbours(code);
            for (int d = 0; d < around.length; d++) {
                for (int k = 0; k < around[d].length; k++) {
                    int[] neighbour = code.clone();
                    neighbour[d] = k;
                    if (around[d][k] > Double.NEGATIVE_INFINITY && seen.add(CodeSpace.key(neighbour))) {
                        outside.add(neighbour);
                        logJoint.add(around[d][k]);
                    }
                }
            }
        }
        double[] logQ = q.logProb(outside.toArray(int[][]::new));
        return LogSpace.sumExp(IntStream.range(0, logQ.length).filter(i -> logQ[i] == Double.NEGATIVE_INFINITY)
                .mapToDouble(logJoint::get).toArray());
    }
}
