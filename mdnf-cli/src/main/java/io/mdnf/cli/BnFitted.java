package io.mdnf.cli;

import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.NetworkPosterior;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.distribution.Atoms;
import io.mdnf.evaluation.LogEvidence;
import io.mdnf.fit.Fit;
import io.mdnf.fit.Fitter;
import io.mdnf.fit.Judgement;
import io.mdnf.fit.Plan;
import io.mdnf.random.Seed;
import io.mdnf.report.Decimals;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A fit to a network, judged, for people and machines.
 *
 * @param fit what was found; closed by {@link #close}
 * @param exact the truth where it is known: the fit itself, if that is exact
 */
record BnFitted(NetworkTarget target, Fit fit, Optional<ExactPosterior> exact) implements AutoCloseable {

    /** What one family reached, for {@code --json}. */
    record Family(double elbo, long steps, double seconds) { }

    static BnFitted fit(Fitter fitter, NetworkTarget target, Optional<ExactPosterior> exact, Plan plan, Seed seed)
            throws IOException {
        Fitter knowing = exact.map(truth -> fitter.knowing(new Judgement.Truth(truth.logEvidence(),
                BnMarginals.of(truth).values()))).orElse(fitter);
        Fit fit = plan.findsTruth(target) ? UsageProblem.ifRefused(() -> knowing.fit(plan, seed))
                : knowing.fit(plan, seed);
        return new BnFitted(target, fit, fit.judgement().truth().map(truth ->
                ExactPosterior.of(target.evidence(), truth.logEvidence(), truth.marginals())));
    }

    String family() {
        return Manual.word(fit.family());
    }

    /** How large it is, for people. */
    String size() {
        return fit.components().isPresent() ? fit.components().getAsInt() + " components"
                : fit.distribution() instanceof Atoms atoms ? atoms.size() + " codes"
                : target.space().variables() + " variables";
    }

    BnMarginals marginals() {
        return new BnMarginals(target.evidence(), fit.judgement().marginals().probabilities());
    }

    /** The same to be kept; closed with the fit. */
    NetworkPosterior posterior() {
        return new NetworkPosterior(target.evidence(), fit.distribution(), fit.bound(), fit.judgement().marginals(),
                family(), fit.algorithm(), String.join(" ", sentences()));
    }

    /** What there is to say beyond figures: why it is not what was asked for, and how far to trust it. */
    List<String> sentences() {
        String trust = fit.judgement().sentence();
        return fit.remark().isEmpty() ? List.of(trust) : List.of(fit.remark(), trust);
    }

    /** The figures for people, by name. */
    Map<String, String> figures() {
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("ELBO", fit.bound().toString());
        exact.ifPresentOrElse(truth -> figures.put("log evidence", Decimals.fixed(truth.logEvidence(), 6)),
                () -> fit.answer().ifPresent(answer -> figures.put("log evidence", answer.logEvidence().toString())));
        fit.judgement().kl().ifPresent(kl -> figures.put("KL(q || p)", kl.toString()));
        return figures;
    }

    static Map<String, Object> between(LogEvidence known) {
        Map<String, Object> between = new LinkedHashMap<>();
        between.put("lower", known.lower());
        between.put("upper", known.upper());
        between.put("estimate", known.estimate().value());
        between.put("standardError", known.estimate().standardError());
        return between;
    }

    Map<String, Object> answer() {
        Judgement judgement = fit.judgement();
        Map<String, Object> answer = BnCase.answer(target.evidence());
        answer.put("family", family());
        answer.put("algorithm", fit.algorithm());
        fit.components().ifPresent(b -> answer.put("components", b));
        if (fit.distribution() instanceof Atoms atoms) {
            answer.put("codes", atoms.size());
        }
        answer.put("elbo", fit.bound().value());
        if (!fit.bound().isExact()) {
            answer.put("elboStandardError", fit.bound().standardError());
        }
        exact.ifPresentOrElse(truth -> answer.put("logEvidence", truth.logEvidence()),
                () -> fit.answer().ifPresent(known -> answer.put("logEvidence", between(known.logEvidence()))));
        judgement.kl().ifPresent(kl -> answer.put("kl", kl.value()));
        answer.put("marginals", marginals().byName());
        if (!judgement.marginals().isExact()) {
            answer.put("marginalSamples", judgement.marginals().samples());
        }
        answer.put("paretoK", judgement.diagnostics().paretoK());
        answer.put("effectiveSampleSize", judgement.diagnostics().effectiveSampleSize());
        answer.put("verdict", Manual.word(judgement.verdict()));
        answer.put("trust", String.join(" ", sentences()));
        answer.put("steps", fit.steps());
        answer.put("seconds", fit.seconds());
        Map<String, Object> families = new LinkedHashMap<>();
        for (Fit.Attempt attempt : fit.attempts()) {
            families.put(Manual.word(attempt.family()),
                    new Family(attempt.bound().value(), attempt.steps(), attempt.seconds()));
        }
        answer.put("families", families);
        return answer;
    }

    @Override
    public void close() {
        fit.close();
    }
}
