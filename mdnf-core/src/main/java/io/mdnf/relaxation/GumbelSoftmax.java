package io.mdnf.relaxation;

import io.mdnf.graph.Graph;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;

/**
 * The Gumbel-Softmax (Concrete) distribution of Jang and Maddison: independent points of the simplex, one per variable.
 *
 * <p>With logits l [n, D, K], standard Gumbel noise g [n, D, K] and temperature tau, for each row and variable
 * <pre>
 *   log x   = log_softmax((l + g) / tau)
 *   log p(x) = log (K_d-1)! + (K_d-1) log tau + sum_k log_softmax_k(l - tau log x) - sum_k log x_k
 * </pre>
 * over its K_d categories; positions k &gt;= K_d take no part and are exactly 0 in x. Everything is computed from
 * log x, so nothing is lost where x underflows (K = 100 at temperature 0.01).
 *
 * <p>The argmax of a sample has the law softmax(l) whatever the temperature ({@link #discretised}), so what a trained
 * posterior is worth can be computed exactly, without sampling. The same class is a relaxed prior: its density at a
 * sample of another distribution. Given probabilities p, take log(p + floor) as logits: where p is 0 the relaxed
 * density is 0 everywhere, and the log of the floor enters once per impossible category.
 *
 * <pre>{@code
 * Tensor tau = graph.placeholder("temperature", 1, 1);
 * GumbelSoftmax q = new GumbelSoftmax(space, logits, tau);
 * RelaxedSample x = q.sample(graph.placeholder("noise", logits.shape()));   // written from Draws.gumbel
 * Tensor entropyTerm = q.logDensity(x).times(-1);                    // [n]
 * }</pre>
 *
 * @param logits unnormalised log probabilities, [n, D, K] or [1, D, K] shared by all samples
 * @param temperature tau, [1, 1], above 0: as a placeholder one plan serves a whole grid of them
 */
public record GumbelSoftmax(CodeSpace space, Tensor logits, Tensor temperature) {

    /** Checks the shape of the logits. */
    public GumbelSoftmax {
        new Categories(space).check("logits", logits);
    }

    /** Relaxed samples from standard Gumbel noise [n, D, K]: the model sees x itself. */
    public RelaxedSample sample(Tensor noise) {
        Tensor logValue = logSample(perturbed(noise));
        return new RelaxedSample(space, logValue, logValue.exp(), this, noise);
    }

    /**
     * Straight-through samples from standard Gumbel noise [n, D, K]: the model sees onehot(argmax x), exactly, with the
     * gradient of x. Densities are still evaluated at x.
     */
    public RelaxedSample straightThrough(Tensor noise) {
        Tensor perturbed = perturbed(noise);
        Tensor logValue = logSample(perturbed);
        // not the argmax of x: a very large temperature rounds different scores to the same x
        Tensor hard = excluded(perturbed).argmaxOneHot();
        return new RelaxedSample(
                space, logValue, StraightThrough.carryGradient(hard, logValue.exp()), this, noise);
    }

    private Tensor perturbed(Tensor noise) {
        categories().check("noise", noise);
        return categories().spread("logits", logits, noise.extent(0)).plus(noise);
    }

    private Tensor logSample(Tensor perturbed) {
        return excluded(perturbed.scaledBy(temperature.graph().ones(1, 1).over(temperature))).logSoftmax();
    }

    /** The log density [n] of samples, of this distribution or another. */
    public Tensor logDensity(RelaxedSample sample) {
        return logDensityPerVariable(sample).sum(-1);
    }

    /** The log density of each variable of samples, [n, D], unbounded above: a density, not a probability. */
    Tensor logDensityPerVariable(RelaxedSample sample) {
        Check.that(sample.space().equals(space), "sample is of ", sample.space(), ", the distribution of ", space);
        Categories categories = categories();
        long n = sample.count();
        Tensor logValue = categories.zeroed(sample.logValue());
        Tensor noise = sample.noiseOf(this);
        // a draw of this distribution has l - tau log x = -g + constant, which carries no gradient
        Tensor scores = noise == null
                ? categories.spread("logits", logits, n).minus(logValue.scaledBy(temperature))
                : noise.times(-1);
        // sum_k log_softmax_k(z) = sum_k z_k - K_d logsumexp(z): sums of K numbers instead of K logarithms
        Tensor sums = categories.zeroed(scores).minus(logValue).sum(-1);
        Tensor logTotals = excluded(scores).logSumExp();
        return sums.minus(categories.timesCardinality(logTotals)).plus(normaliser().repeatLeading(n));
    }

    /** log (K_d-1)! + (K_d-1) log tau, [D]. */
    private Tensor normaliser() {
        int variables = space.variables();
        double[] logFactorials = new double[variables];
        double[] dimensions = new double[variables];
        for (int d = 0; d < variables; d++) {
            dimensions[d] = space.cardinality(d) - 1;
            for (int k = 2; k < space.cardinality(d); k++) {
                logFactorials[d] += Math.log(k);
            }
        }
        Graph graph = logits.graph();
        return graph.constant(dimensions, variables, 1).matmul(temperature.log()).reshape(variables)
                .plus(graph.constant(logFactorials, variables));
    }

    /** Returns softmax(logits), the law of a sample's argmax at every temperature; [n, D, K] or [1, D, K]. */
    public Tensor discretised() {
        return excluded(logits).softmax();
    }

    /** Returns the logarithm of {@link #discretised}, but 0 at positions k &gt;= K_d. */
    Tensor logDiscretised() {
        return categories().logProbabilities(logits);
    }

    private Tensor excluded(Tensor x) {
        return StraightThrough.restrict(x, space);
    }

    private Categories categories() {
        return new Categories(space);
    }
}
