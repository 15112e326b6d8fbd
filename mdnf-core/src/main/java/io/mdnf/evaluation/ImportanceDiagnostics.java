package io.mdnf.evaluation;

import io.mdnf.space.CompensatedSum;
import io.mdnf.space.LogSpace;
import java.util.Locale;

/**
 * Whether samples of q, weighted by w = p(D, x) / q(x), can stand for the posterior; for targets whose codes cannot be
 * listed.
 *
 * <p>It sees only what q samples: a part of the posterior that q never visits stays invisible.
 *
 * @param samples n
 * @param paretoK the shape of the weights' tail, see {@link ParetoK}
 * @param effectiveSampleSize how many equally weighted samples they are worth, (sum w)^2 / sum w^2, from 1 to n; 0 if
 *     no weight is positive
 */
public record ImportanceDiagnostics(int samples, double paretoK, double effectiveSampleSize) {

    /** How far figures can be trusted. */
    public enum Verdict {
        /** Estimates from the weighted samples are reliable. */
        TRUSTED,
        /** They converge, but slowly and with an error that is hard to tell. */
        DOUBTFUL,
        /** Their error cannot be told: a few samples carry everything. */
        UNRELIABLE,
        /** Too few samples of positive weight to judge. */
        TOO_FEW
    }

    /** Judges weights log p(D, x_s) - log q(x_s) of samples x_s from q, up to a common constant. */
    public static ImportanceDiagnostics of(double... logWeights) {
        double k = ParetoK.of(logWeights);
        boolean none = LogSpace.sumExp(logWeights) == Double.NEGATIVE_INFINITY;
        return new ImportanceDiagnostics(logWeights.length, k,
                none ? 0 : effectiveSampleSize(LogSpace.normalise(logWeights)));
    }

    private static double effectiveSampleSize(double[] w) {
        return 1 / CompensatedSum.over(w.length, i -> w[i] * w[i]);
    }

    /** Returns the largest k that n samples can bear: min(1 - 1 / log10 n, 0.7), by Vehtari et al. (2024). */
    public double threshold() {
        return Math.min(1 - 1 / Math.log10(samples), 0.7);
    }

    /** Returns the verdict by Pareto k. */
    public Verdict verdict() {
        if (paretoK == Double.POSITIVE_INFINITY) {
            return Verdict.TOO_FEW;
        }
        if (paretoK <= threshold()) {
            return Verdict.TRUSTED;
        }
        return paretoK < 1 ? Verdict.DOUBTFUL : Verdict.UNRELIABLE;
    }

    /** Returns the verdict, on the weights and not on q, in one sentence for a person. */
    public String sentence() {
        String worth = String.format(Locale.ROOT, "%d samples are worth %.0f exact ones", samples,
                Math.max(1, effectiveSampleSize));
        String k = paretoK == Double.NEGATIVE_INFINITY ? "no tail of large weights"
                : String.format(Locale.ROOT, "Pareto k = %.2f, limit %.2f", paretoK, threshold());
        return switch (verdict()) {
            case TRUSTED -> "Weights are even: " + worth + " (" + k + ").";
            case DOUBTFUL -> "Some weights are far larger than others, so figures computed with them converge slowly: "
                    + worth + " (" + k + ").";
            case UNRELIABLE -> "A few samples carry all the weight, since q misses probable codes: " + worth + " (" + k
                    + ").";
            case TOO_FEW -> "Weights cannot be judged: too few of the " + samples
                    + " samples have a positive weight; take at least 25 samples, better 1000.";
        };
    }
}
