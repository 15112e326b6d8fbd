package io.mdnf.cli;

import io.mdnf.report.Decimals;
import io.mdnf.vae.LatentAlgorithm;
import io.mdnf.vae.TableSchema;
import io.mdnf.vae.VaeEvaluation;
import io.mdnf.vae.VaeSettings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** How the figures of a VAE are written, for machines and for people. */
final class VaeFigures {

    private VaeFigures() {}

    /** The model in a few words. */
    static String title(VaeSettings settings) {
        String flows = settings.algorithm() != LatentAlgorithm.MDNF ? settings.algorithm().toString()
                : "flows " + settings.values().get("components");
        return String.format(Locale.ROOT, "D = %d, K = %d, posterior %s, prior %s, %s", settings.latents(),
                settings.categories(), settings.posterior(), settings.prior(), flows);
    }

    /** The kind of every column of a table. */
    static Map<String, Object> answer(TableSchema schema) {
        Map<String, Object> answer = new LinkedHashMap<>();
        schema.columns().forEach(column -> answer.put(column.name(), column.kind().toString()));
        return answer;
    }

    /** By name, in nats per image, or what else they are called. */
    static Map<String, Object> answer(VaeEvaluation found, String unit) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put(unit + "s", found.images());
        answer.put("samples", found.samples());
        answer.put("elbo", found.elbo().value());
        answer.put("elboStandardError", found.elbo().standardError());
        answer.put("reconstruction", found.reconstruction());
        answer.put("kl", found.kl());
        found.importanceWeighted().ifPresent(bound -> {
            answer.put("importance", found.importance());
            answer.put("importanceWeighted", bound.value());
            answer.put("importanceWeightedStandardError", bound.standardError());
        });
        found.logLikelihood().ifPresent(truth -> {
            answer.put("logLikelihood", truth.value());
            answer.put("logLikelihoodStandardError", truth.standardError());
        });
        return answer;
    }

    /** By name, as a person reads them. */
    static Map<String, String> facts(VaeEvaluation found, String unit) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(unit + "s", found.images() + ", " + found.samples()
                + (found.samples() == 1 ? " sample each" : " samples each"));
        facts.put("ELBO", bound(found.elbo().value(), found.elbo().standardError()));
        facts.put("reconstruction", number(found.reconstruction()));
        facts.put("KL(q || prior)", number(found.kl()));
        found.importanceWeighted().ifPresent(bound -> facts.put(
                "importance-weighted bound", bound(bound.value(), bound.standardError()) + ", " + found.importance()
                        + " samples each"));
        found.logLikelihood().ifPresent(truth -> facts.put(
                "log p(x), the limit of bounds", bound(truth.value(), truth.standardError()) + ", all codes summed"));
        return facts;
    }

    /** What the gap between the ELBO and log p(x) is, where that is known. */
    static Optional<String> gap(VaeEvaluation found) {
        return found.logLikelihood().map(truth -> truth.value() - found.elbo().value() < 1e-3
                ? "The ELBO is log p(x) itself: q is the posterior p(z | x)."
                : "The ELBO lies " + number(truth.value() - found.elbo().value())
                + " nats below log p(x): that is KL(q(z | x) || p(z | x)), what the encoder's q misses of the true"
                + " posterior. What a better decoder or prior could gain is not in it.");
    }

    static String number(double value) {
        return Decimals.fixed(value, 2);
    }

    private static String bound(double value, double standardError) {
        return String.format(Locale.ROOT, "%.2f ± %.2f", value, standardError);
    }

    /** Lines "name  value", and a sentence on the gap to log p(x). */
    static String text(VaeEvaluation found, String unit) {
        Map<String, String> facts = facts(found, unit);
        int width = facts.keySet().stream().mapToInt(String::length).max().orElse(0);
        StringBuilder text = new StringBuilder();
        facts.forEach((name, value) -> text.append(String.format(Locale.ROOT, "%-" + width + "s  %s%n", name, value)));
        gap(found).ifPresent(sentence -> text.append(sentence).append(System.lineSeparator()));
        return text.toString();
    }
}
