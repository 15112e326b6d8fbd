package io.mdnf.gmm;

/**
 * Where variational EM stands: an immutable value.
 *
 * @param step EM steps done, 0 for a start
 * @param posterior q(pi, mu, Lambda)
 * @param responsibilities q(Z) as r[N, K]
 * @param elbo the ELBO of the two together, closed form, in nats
 */
public record EmState(int step, MixturePosterior posterior, Responsibilities responsibilities, double elbo) {
}
