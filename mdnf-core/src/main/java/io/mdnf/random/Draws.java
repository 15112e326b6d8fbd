package io.mdnf.random;

import io.mdnf.space.Check;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.PermutationSampler;
import org.apache.commons.rng.sampling.distribution.DirichletSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * All randomness of one step, made outside the graph and fed to it as placeholders.
 *
 * <p>Every draw has a name and its own stream, so the order of the calls does not matter and two parts of a model never
 * share numbers. (ND4J's own generators are per thread and some of its random operations ignore the seed.)
 *
 * <pre>{@code
 * Draws draws = new Draws(seed.fold(step));
 * int[] component = draws.allocation("component", samples, components);
 * double[] noise = draws.gumbel("noise", samples * space.oneHotLength());
 * }</pre>
 */
public record Draws(Seed seed) {

    /** Returns a new generator at the start of the stream behind a name, for draws that have no method here. */
    public UniformRandomProvider stream(String name) {
        return seed.fold(name).generator();
    }

    /** Returns the draws of a part of the model under its own name. */
    public Draws under(String name) {
        return new Draws(seed.fold(name));
    }

    /** Returns standard normal numbers [count]. */
    public double[] normal(String name, int count) {
        var sampler = ZigguratSampler.NormalizedGaussian.of(stream(name));
        double[] z = new double[count];
        Arrays.setAll(z, i -> sampler.sample());
        return z;
    }

    /** Returns standard Gumbel numbers [count], -log(-log(U)) with U in the open interval (0, 1). */
    public double[] gumbel(String name, int count) {
        UniformRandomProvider rng = stream(name);
        double[] g = new double[count];
        for (int i = 0; i < count; i++) {
            double u = rng.nextDouble();
            while (u == 0) {
                u = rng.nextDouble();
            }
            g[i] = -Math.log(-Math.log(u));
        }
        return g;
    }

    /** Returns uniform integers [count] in 0 .. bound - 1. */
    public int[] uniform(String name, int count, int bound) {
        UniformRandomProvider rng = stream(name);
        int[] k = new int[count];
        Arrays.setAll(k, i -> rng.nextInt(bound));
        return k;
    }

    /** Returns one category of a row that starts at an offset, by inversion of the generator's next uniform number. */
    public static int category(UniformRandomProvider rng, double[] probabilities, int offset, int categories) {
        return category(rng.nextDouble(), probabilities, offset, categories);
    }

    /**
     * Returns one category of a row that starts at an offset, by inversion of a uniform number from [0, 1). Rounding
     * in the row's sum never selects a category of probability 0.
     */
    public static int category(double uniform, double[] probabilities, int offset, int categories) {
        double u = uniform;
        int last = -1;
        for (int k = 0; k < categories; k++) {
            double p = probabilities[offset + k];
            if (p > 0) {
                last = k;
                u -= p;
                if (u < 0) {
                    return k;
                }
            }
        }
        if (last < 0) {
            throw new IllegalArgumentException("probabilities: the row at " + offset + " has no positive entry");
        }
        return last;
    }

    /**
     * Returns the component of each sample [S], dealt in turn from a random start: sample i goes to (i + offset) mod
     * components, so every component gets its share exactly when the number of samples is a multiple of the number of
     * components.
     */
    public int[] allocation(String name, int samples, int components) {
        int offset = stream(name).nextInt(components);
        int[] b = new int[samples];
        Arrays.setAll(b, i -> (i + offset) % components);
        return b;
    }

    /** Returns a random order of 0 .. count - 1. */
    public int[] permutation(String name, int count) {
        int[] order = PermutationSampler.natural(count);
        PermutationSampler.shuffle(stream(name), order);
        return order;
    }

    /** Returns probabilities [K] from the symmetric Dirichlet distribution of a concentration above 0. */
    public double[] dirichlet(String name, int categories, double alpha) {
        Check.that(alpha > 0 && !Double.isInfinite(alpha), "alpha = " + alpha
                + ": a concentration is a finite number above 0");
        return categories == 1
                ? new double[] {1}
                : DirichletSampler.symmetric(stream(name), categories, alpha).sample();
    }
}
