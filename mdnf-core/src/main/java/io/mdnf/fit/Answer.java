package io.mdnf.fit;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.evaluation.ImportanceDiagnostics;
import io.mdnf.evaluation.LogEvidence;
import java.util.Optional;

/**
 * What is known of a posterior after a while: bounds of log p(D), marginals, and how far to trust them.
 *
 * @param logEvidence log p(D) between bounds
 * @param marginals p(x_d = k | D), [D][K_d]
 * @param standardErrors of the marginals, [D][K_d]; 0 if exact
 * @param distribution q, whose weighted samples say so; the posterior itself if exact
 * @param diagnostics of its importance weights; empty if exact
 * @param algorithm what found it, in words
 * @param seconds of wall-clock time
 */
public record Answer(LogEvidence logEvidence, double[][] marginals, double[][] standardErrors,
        CodeDistribution distribution, Optional<ImportanceDiagnostics> diagnostics, String algorithm,
        double seconds) {

    /** Returns whether nothing was estimated. */
    public boolean isExact() {
        return diagnostics.isEmpty();
    }

    /** Returns how far to trust it, in a sentence for a person. */
    public String sentence() {
        return diagnostics.map(ImportanceDiagnostics::sentence)
                .orElse("Every variable was eliminated exactly: this is the posterior itself.");
    }
}
