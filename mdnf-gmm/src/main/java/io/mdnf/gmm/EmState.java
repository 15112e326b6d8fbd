package io.mdnf.gmm;

/**
 * Where variational EM stands.
 *
 * @param step EM steps done, 0 for a start
 * @param posterior q(pi, mu, Lambda)
 * @param responsibilities q(Z) as r[N, K]
 * @param elbo the ELBO of the two together, closed form, in nats
 * @param flow the flows' parameters, where the next E-step starts, empty without flows; shared, not to be changed
 * @param iterations gradient steps of the last E-step, 0 without flows
 */
public record EmState(int step, MixturePosterior posterior, Responsibilities responsibilities, double elbo,
        double[] flow, int iterations) {

    EmState with(double[] parameters, int gradientSteps) {
        return new EmState(step, posterior, responsibilities, elbo, parameters, gradientSteps);
    }
}
