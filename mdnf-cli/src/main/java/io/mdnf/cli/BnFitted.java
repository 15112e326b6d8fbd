package io.mdnf.cli;

import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.distribution.Atoms;
import io.mdnf.evaluation.ImportanceDiagnostics;
import io.mdnf.fit.Fit;
import io.mdnf.fit.FitOptions;
import io.mdnf.fit.Fitter;
import io.mdnf.objective.Bound;
import io.mdnf.random.Seed;
import io.mdnf.space.Estimate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The best of one or several fits, judged.
 *
 * @param target what was fitted to
 * @param attempts every family tried, in order
 * @param best the fit with the best bound; closed by {@link #close}
 * @param options how it was fitted
 * @param marginals of the best fit
 * @param diagnostics of its importance weights
 * @param exact the truth where it is feasible
 * @param seconds of all fits
 */
record BnFitted(NetworkTarget target, List<Attempt> attempts, Fit best, FitOptions options, BnMarginals marginals,
        ImportanceDiagnostics diagnostics, Optional<ExactPosterior> exact, double seconds) implements AutoCloseable {

    private static final int MARGINAL_SAMPLES = 20_000;
    private static final int JUDGING_SAMPLES = 2_000;

    /**
     * What one family reached.
     *
     * @param structure the family
     * @param bound its ELBO
     * @param steps gradient steps
     * @param seconds wall-clock time
     */
    record Attempt(String structure, Estimate bound, long steps, double seconds) { }

    static BnFitted fit(NetworkTarget target, Optional<ExactPosterior> exact, List<FitOptions> plan, Seed seed)
            throws IOException {
        Fitter fitter = new Fitter(target, target.order());
        List<Attempt> attempts = new ArrayList<>();
        Fit best = null;
        FitOptions how = null;
        try {
            for (FitOptions options : plan) {
                Fit fit = fitter.fit(options, seed);
                attempts.add(new Attempt(BnMethod.lower(fit.family()), fit.bound(), fit.steps(), fit.seconds()));
                if (best == null || fit.bound().value() > best.bound().value()) {
                    if (best != null) {
                        best.distribution().close();
                    }
                    best = fit;
                    how = options;
                } else {
                    fit.distribution().close();
                }
            }
            double seconds = attempts.stream().mapToDouble(Attempt::seconds).sum();
            BnMarginals marginals = new BnMarginals(target.evidence(), best.distribution()
                    .marginals(MARGINAL_SAMPLES, seed.fold("marginals")).probabilities());
            ImportanceDiagnostics diagnostics = ImportanceDiagnostics.of(
                    Bound.logWeights(target, best.distribution(), JUDGING_SAMPLES, seed.fold("judge")));
            return new BnFitted(target, attempts, best, how, marginals, diagnostics, exact, seconds);
        } catch (IOException | RuntimeException e) {
            if (best != null) {
                best.distribution().close();
            }
            throw e;
        }
    }

    String structure() {
        return BnMethod.lower(best.family());
    }

    int components() {
        return best.components();
    }

    /** KL(q || p) where the truth is known; infinity where q has mass on impossible codes. */
    Optional<Double> kl() {
        return exact.map(truth -> truth.logEvidence() - best.bound().value());
    }

    /** How far to trust the fit, in one sentence. */
    String trust() {
        if (exact.isPresent()) {
            return String.format(Locale.ROOT, "Exact inference is feasible here and says: the fit is %s nats from the "
                    + "posterior, and its marginals are off by at most %.4f.", number(kl().orElseThrow()),
                    marginals.distance(BnMarginals.of(exact.get())));
        }
        if (best.distribution() instanceof Atoms atoms) {
            return "The fit is " + atoms.size() + " codes with weights: what the posterior holds "
                    + "elsewhere cannot be seen from it, so only the bound speaks for it.";
        }
        return diagnostics.sentence();
    }

    /** One object for a machine. */
    Map<String, Object> answer() {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("network", target.evidence().network().name());
        answer.put("evidence", BnCase.observed(target.evidence()));
        answer.put("structure", structure());
        answer.put("algorithm", BnMethod.lower(options.method()));
        answer.put("method", best.algorithm());
        answer.put("components", components());
        answer.put("elbo", finite(best.bound().value()));
        if (!best.bound().isExact()) {
            answer.put("elboStandardError", finite(best.bound().standardError()));
        }
        exact.ifPresent(truth -> {
            answer.put("logEvidence", truth.logEvidence());
            answer.put("kl", finite(kl().orElseThrow()));
        });
        answer.put("marginals", marginals.byName());
        answer.put("paretoK", finite(diagnostics.paretoK()));
        answer.put("effectiveSampleSize", finite(diagnostics.effectiveSampleSize()));
        answer.put("trust", trust());
        answer.put("steps", best.steps());
        answer.put("seconds", seconds);
        Map<String, Object> families = new LinkedHashMap<>();
        for (Attempt attempt : attempts) {
            Map<String, Object> family = new LinkedHashMap<>();
            family.put("elbo", finite(attempt.bound().value()));
            family.put("steps", attempt.steps());
            family.put("seconds", attempt.seconds());
            families.put(attempt.structure(), family);
        }
        answer.put("families", families);
        return answer;
    }

    /** JSON has no infinities: null stands for them. */
    private static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    static String number(double value) {
        if (Double.isInfinite(value)) {
            return value < 0 ? "-infinity" : "infinity";
        }
        String text = String.format(Locale.ROOT, "%.6f", value);
        return text.equals("-0.000000") ? "0.000000" : text;
    }

    static String bound(Estimate bound) {
        return number(bound.value()) + (bound.isExact() ? ""
                : String.format(Locale.ROOT, " +- %.6f", bound.standardError()));
    }

    @Override
    public void close() {
        best.distribution().close();
    }
}
