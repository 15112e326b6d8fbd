package io.mdnf.distribution;

import io.mdnf.checkpoint.StoredFileException;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import java.nio.file.Path;
import java.util.List;

/**
 * A distribution on codes: weighted {@link Atoms}, a {@link Product} of distributions, {@link Conditionals} by tables
 * ({@link Expanded} where some codes are impossible), or a {@link FlowMixture}. Every algorithm returns one and every
 * evaluation takes one. What is sampled is what is scored.
 *
 * <p>Only a flow mixture holds native memory; closing the others does nothing.
 *
 * <pre>{@code
 * try (CodeDistribution q = fit.distribution()) {
 *     int[][] codes = q.sample(1000, Seed.of(1));
 *     double[] logQ = q.logProb(codes);
 *     Marginals marginals = q.marginals(10_000, Seed.of(2));
 *     q.save(file);
 * }
 * }</pre>
 */
public sealed interface CodeDistribution extends AutoCloseable permits Atoms, Product, Conditionals,
        Expanded, FlowMixture {

    /** Returns the space of codes. */
    CodeSpace space();

    /** Independent samples, [count][D]. */
    int[][] sample(int count, Seed seed);

    /** Exact log-probabilities [n] of codes [n][D]; -infinity outside the support. */
    double[] logProb(int[][] codes);

    /** The distribution of each variable by itself: exact where a finite sum gives it, else counted in samples. */
    Marginals marginals(int samples, Seed seed);

    /** H(q) in nats: exact where a finite sum gives it, else estimated from so many samples, with its error. */
    Estimate entropy(int samples, Seed seed);

    /**
     * The most probable codes, best first; fewer than asked for if fewer are possible. Throws IllegalStateException if
     * they can be found only by listing all codes, and those are too many.
     */
    List<WeightedCode> mostProbable(int count);

    /**
     * Writes the distribution into one file, which appears whole or not at all; one that exists is replaced, its folder
     * must exist. Throws if it cannot be written.
     */
    default void save(Path file) throws StoredFileException {
        DistributionFile.save(this, file);
    }

    /**
     * Reads a distribution back: the same kind, with the same probabilities and samples to the last bit. Throws, in one
     * sentence, if it is not there, damaged, or of another version. A mixture with a flow, network or base of your own
     * is read by {@link FlowMixture#load}.
     */
    static CodeDistribution load(Path file) throws StoredFileException {
        return DistributionFile.load(file, null);
    }

    /** Releases native memory, if there is any. */
    @Override
    default void close() {}
}
