package io.mdnf.mixture;

import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;

/**
 * The distributions q_d(. | x_&lt;d, y) that the variables of a PER_VARIABLE mixture are drawn from, in a graph: where
 * flows are averaged. Without code and outside logits to look at there is one row for all.
 *
 * <pre>{@code
 * Tables tables = q.tables(null);
 * Tensor code = tables.carriedBy(tables.drawn(noise), Estimator.SECOND_ORDER);
 * Tensor loss = tables.divergence(logPrior).minus(logLikelihood(code));
 * }</pre>
 *
 * @param q [n or 1, D, K], with the straight-through gradient of every component
 * @param floor what is added to every probability inside the entropy's logarithm while differentiating; never in a
 *     value
 * @param logits of flows without number; null for others
 */
public record Tables(Tensor q, double floor, Logits logits) {

    /**
     * What the tables of flows without number are the softmax of.
     *
     * @param values [n or 1, D, K]
     * @param logs log q, [n or 1, D, K]
     * @param inverseTemperature [1, 1], 1 / tau of the gradient of drawn codes; the tables do not depend on it
     */
    record Logits(Tensor values, Tensor logs, Tensor inverseTemperature) {}

    /**
     * The floor where components are deltas, as a share of one's weight. At q_d(k) = 0 the entropy's slope is infinite,
     * yet no component can move there by less than 1 / B, so what it sees is about log B. With 0.01 the slope is log B
     * + 4.6: bounded, and still strong enough to bring components back whose softmax is saturated, which half a weight
     * is not (decision 14).
     */
    private static final double FLOOR = 0.01;

    /** The average of B components that are, or may be, deltas. */
    public Tables(Tensor q, int components) {
        this(q, FLOOR / components);
    }

    /** The average of components of which none is a delta while it is trained. */
    Tables(Tensor q, double floor) {
        this(q, floor, null);
    }

    /** The average of flows without number: q = softmax(logits [n or 1, D, K]). */
    public static Tables unlimited(Tensor logits, Tensor inverseTemperature) {
        Tensor logs = logits.logSoftmax();
        return new Tables(logs.exp(), logits.graph().precision().tiny(), new Logits(logits, logs, inverseTemperature));
    }

    /**
     * The entropy along the codes the tables were made at, [n or 1]: sum_d H(q_d(. | x_&lt;d)), whose expectation over
     * x ~ q is H(q), exact where no code is looked at and less noisy than -log q(x) elsewhere. Its gradient by q_d(k),
     * -log q_d(k) - 1, goes with that of a multilinear log joint, log p(D, x with x_d = k); that of -log q(x) by the
     * sampled code does not, and together they would lead to the wrong q.
     */
    public Tensor entropy() {
        if (logits != null) {
            return rows(q.times(logs())).sum(1).times(-1);
        }
        Tensor value = rows(q.times(q.log(q.graph().precision().tiny()))).sum(1);
        Tensor slope = rows(q.times(q.log(floor))).sum(1);
        return StraightThrough.carryGradient(value.stopGradient(), slope).times(-1);
    }

    /**
     * log q of codes that stand for an entry (d, k) of their tables each, one-hot [n, D, K], without gradient, [n]:
     * that of the entry itself, and for all other variables e the mean -H(q_e). An entry of probability 0 has the
     * floor's.
     */
    Tensor logProb(Tensor entry) {
        Tensor fixed = q.stopGradient().spread(0, entry.extent(0));
        Tensor means = fixed.times(fixed.log(q.graph().precision().tiny())).sum(2);
        Tensor others = entry.sum(2).times(-1).plus(1);
        return rows(fixed.log(floor).times(entry)).sum(1).plus(means.times(others).sum(1)).stopGradient();
    }

    /** KL(q || p) from log p_d(k) [D, K], or log p_d(k | x_&lt;d) [n, D, K], finite at k &gt;= K_d too; [n or 1], with
     * {@link #entropy}'s gradient. Where codes are looked at, its mean over codes drawn from q is the divergence. */
    public Tensor divergence(Tensor logPrior) {
        if (logits != null) {
            return divergences(logPrior).sum(1);
        }
        if (logPrior.rank() == 3) {
            return entropy().plus(rows(q.times(logPrior)).sum(1)).times(-1);
        }
        Tensor cross = rows(q).matmul(logPrior.reshape(logPrior.size(), 1)).reshape(q.extent(0));
        return entropy().plus(cross).times(-1);
    }

    /** The divergence of every variable given those before it, [n or 1, D], of flows without number; log p as above. */
    public Tensor divergences(Tensor logPrior) {
        Check.that(logits != null, "only of flows without number; divergence() is the sum over variables");
        Tensor prior = logPrior.rank() == 3 ? logPrior : logPrior.repeatLeading(q.extent(0));
        return q.times(logs().minus(prior)).sum(2);
    }

    /** log q, [n or 1, D, K]. */
    public Tensor logs() {
        return logits == null ? q.log(q.graph().precision().tiny()) : logits.logs;
    }

    /** A one-hot code [n, D, K] drawn from every row, without gradient: the largest log q + Gumbel noise [n, D, K]. */
    public Tensor drawn(Tensor noise) {
        if (logits != null) {
            return logits.values.stopGradient().spread(0, noise.extent(0)).plus(noise).argmaxOneHot();
        }
        return q.stopGradient().log(q.graph().precision().tiny()).spread(0, noise.extent(0)).plus(noise).argmaxOneHot();
    }

    /** Gives drawn one-hot codes [n, D, K] the gradient of their distributions, to the estimator's order. */
    public Tensor carriedBy(Tensor drawn, Estimator estimator) {
        if (logits != null) {
            return carriedByLogits(drawn, estimator);
        }
        Tensor own = q.spread(0, drawn.extent(0));
        return switch (estimator) {
            case CHOSEN, RESAMPLED -> drawn;
            case AVERAGED -> StraightThrough.carryGradient(drawn.stopGradient(), own);
            case SECOND_ORDER -> StraightThrough.carrySecondOrder(drawn.stopGradient(), own);
        };
    }

    private Tensor carriedByLogits(Tensor drawn, Estimator estimator) {
        Tensor own = logits.values.spread(0, drawn.extent(0));
        return switch (estimator) {
            case AVERAGED -> StraightThrough.carryFirstOrder(drawn, own, logits.inverseTemperature);
            case SECOND_ORDER -> StraightThrough.carrySecondOrder(drawn, own, logits.inverseTemperature);
            default -> throw new IllegalArgumentException("estimator = " + estimator
                    + ": flows without number share one network, so all of them learn; averaged or second-order");
        };
    }

    private static Tensor rows(Tensor terms) {
        return terms.reshape(terms.extent(0), terms.extent(1) * terms.extent(2));
    }
}
