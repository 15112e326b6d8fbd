package io.mdnf.inference;

import io.mdnf.space.Estimate;
import java.util.Optional;

/**
 * What a model with its posterior is worth on rows, in nats per row. Every bound is one of log p_theta(y): codes are
 * hard samples of the q that is scored. Standard errors are over rows.
 *
 * <p>Example: {@code double gap = bounds.logLikelihood().get().value() - bounds.elbo().value()}.
 *
 * @param rows how many
 * @param elbo E_q[log p_theta(y, x) - log q(x | y)], the lower bound; log p_theta(y) itself where all codes are summed
 * @param importanceWeighted the importance-weighted bound, at least the ELBO in expectation; nothing if no codes were
 *     asked for
 * @param logLikelihood log p_theta(y) itself, where all codes can be summed
 */
public record LatentBounds(int rows, Estimate elbo, Optional<Estimate> importanceWeighted,
        Optional<Estimate> logLikelihood) {}
