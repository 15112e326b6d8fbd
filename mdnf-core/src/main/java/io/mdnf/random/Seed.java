package io.mdnf.random;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * A stateless, splittable seed: a 64-bit value from which other seeds are folded by name or number.
 *
 * <p>Nothing is consumed: the same seed folded with the same name gives the same stream in any order and on any
 * thread, which is what makes a resumed run equal to an uninterrupted one.
 *
 * <pre>{@code
 * Seed run = Seed.of(1);
 * UniformRandomProvider noise = run.fold("noise").fold(step).generator();
 * }</pre>
 */
public record Seed(long value) implements Serializable {

    /** The golden ratio in 64 bits, the increment of SplitMix64. */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** Returns the seed of a number a user typed. */
    public static Seed of(long number) {
        return new Seed(mix(number + GOLDEN));
    }

    /** Returns a seed of its own for a numbered part: a step, a restart, a component. */
    public Seed fold(long number) {
        return new Seed(mix(mix(value ^ GOLDEN) + GOLDEN * (number + 1)));
    }

    /** Returns a seed of its own for a named part. */
    public Seed fold(String name) {
        long hash = 0xCBF29CE484222325L;
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xFF)) * 0x100000001B3L;
        }
        return new Seed(mix(mix(value + GOLDEN) ^ mix(hash)));
    }

    /** Returns a new generator that starts at this seed; every call returns the same stream. */
    public UniformRandomProvider generator() {
        return RandomSource.XO_SHI_RO_256_PP.create(new long[] {
            mix(value + GOLDEN), mix(value + 2 * GOLDEN), mix(value + 3 * GOLDEN), mix(value + 4 * GOLDEN)});
    }

    /** The finaliser of SplitMix64: a bijection of 64 bits in which every input bit reaches every output bit. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
