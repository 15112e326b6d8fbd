package io.mdnf.fit;

import io.mdnf.distribution.CodeDistribution;
import io.mdnf.space.Estimate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A fitted posterior with its bound, and how far to trust it.
 *
 * @param family what it really is, whatever was asked for
 * @param distribution the posterior; the caller closes it
 * @param bound its ELBO, evaluated after fitting; the bound of its weighted samples where it draws impossible codes
 * @param components B of the mixture it is, as far as they were used; empty if it is none: if all codes were listed or
 *     messages passed, or if no grid holds it
 * @param algorithm what found it, in words
 * @param judgement how far to trust it: a verdict, a sentence, its marginals
 * @param remark why it is not quite what was asked for, in a sentence; empty if it is
 * @param steps gradient steps made
 * @param seconds wall-clock time, of all attempts
 * @param attempts what every plan reached, in order: one, but for {@link Plan.Best}
 * @param answer log p(D) between bounds and weighted marginals, where messages were passed
 */
public record Fit(Family family, CodeDistribution distribution, Estimate bound, OptionalInt components,
        String algorithm, Judgement judgement, String remark, long steps, double seconds, List<Attempt> attempts,
        Optional<Answer> answer) implements AutoCloseable {

    /** What one plan reached: what its fit is, its ELBO, gradient steps made, and wall-clock time in seconds. */
    public record Attempt(Family family, Estimate bound, long steps, double seconds) {}

    /** Releases the distribution's native memory, if there is any. */
    @Override
    public void close() {
        distribution.close();
    }
}
