package io.mdnf.relaxation;

import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;

/**
 * Samples of a relaxed distribution: points of the simplex where densities are evaluated, and the codes a model sees.
 *
 * <p>The two are kept apart because only the logarithm keeps the whole point: at temperature 0.01 every x_k whose score
 * is 7.5 below the best underflows to 0 while its logarithm is an ordinary number; and because with straight-through
 * the model sees a vertex of the simplex, where a relaxed density does not exist.
 *
 * <p>Example: {@code Tensor seen = q.straightThrough(noise).code()}.
 *
 * @param logValue log x, [n, D, K], where densities are evaluated; ignored at k &gt;= K_d
 * @param code what the model sees, [n, D, K], exactly 0 at k &gt;= K_d: x itself, or one-hot with the gradient of x
 * @param source who drew the sample, or null
 * @param noise from which standard Gumbel numbers it did, [n, D, K], or null
 */
public record RelaxedSample(CodeSpace space, Tensor logValue, Tensor code, GumbelSoftmax source, Tensor noise) {

    /** Checks the shapes. */
    public RelaxedSample {
        Categories categories = new Categories(space);
        categories.check("logValue", logValue);
        categories.check("code", code);
        Check.that(logValue.extent(0) == code.extent(0), "logValue = ", logValue, " and code = ", code,
                " differ in the number of samples");
    }

    /** Samples from anywhere. */
    public RelaxedSample(CodeSpace space, Tensor logValue, Tensor code) {
        this(space, logValue, code, null, null);
    }

    /** The noise [n, D, K] if this is a draw of the given distribution, else null. */
    Tensor noiseOf(GumbelSoftmax distribution) {
        return distribution.equals(source) ? noise : null;
    }

    /** Returns n, the number of samples. */
    public long count() {
        return code.extent(0);
    }

    /** Repeats a term [1] that all samples share to [n]. */
    Tensor perSample(Tensor term) {
        if (term.extent(0) == count()) {
            return term;
        }
        Check.that(term.extent(0) == 1, "logits have ", term.extent(0), " rows for ", count(),
                " samples; the first extent must be 1 or the number of samples");
        return term.repeatLeading(count()).reshape(count());
    }

    @Override
    public String toString() {
        return "RelaxedSample[" + space + ", n=" + count() + "]";
    }
}
