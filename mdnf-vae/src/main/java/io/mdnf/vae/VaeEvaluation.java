package io.mdnf.vae;

import io.mdnf.space.Estimate;
import java.util.Optional;

/**
 * What a VAE is worth on a set of images, in nats per image. Every bound is a bound: codes are hard samples of the q
 * that is scored, and KL(q || prior) is summed exactly. Standard errors are over images.
 *
 * @param images how many
 * @param samples codes drawn per image for the ELBO
 * @param elbo the lower bound of log p(x), reconstruction - kl
 * @param reconstruction E_q[log p(x | z)]
 * @param kl KL(q(z | x) || p(z))
 * @param importance how many codes per image the importance-weighted bound used; 0 if it was not asked for
 * @param importanceWeighted the importance-weighted bound of log p(x), at least the ELBO in expectation
 * @param logLikelihood log p(x) itself, where all codes can be enumerated
 */
public record VaeEvaluation(int images, int samples, Estimate elbo, double reconstruction, double kl, int importance,
        Optional<Estimate> importanceWeighted, Optional<Estimate> logLikelihood) {}
