package io.mdnf.base;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Codes;

/**
 * Delta bases: each component puts all its mass on one code u*, so with any bijection it is a single atom.
 *
 * <p>Example: {@code Deltas.given(codes, new int[][] {{0, 1}, {2, 0}})}.
 */
public final class Deltas {

    private Deltas() {}

    /**
     * Given atoms.
     *
     * @param codes the space
     * @param atoms indices [B][D]
     * @return the base
     */
    public static FixedBase given(Codes codes, int[][] atoms) {
        return new FixedBase("delta", codes, atoms.length, codes.oneHot(atoms));
    }

    /**
     * Every component at category 0 of every variable: the plainest choice where the shifts are free anyway.
     *
     * @param codes the space
     * @param components B
     * @return the base
     */
    public static FixedBase zero(Codes codes, int components) {
        return given(codes, new int[components][codes.variables()]);
    }

    /**
     * Atoms drawn uniformly.
     *
     * @param codes the space
     * @param components B
     * @param seed where the draws come from
     * @return the base
     */
    public static FixedBase random(Codes codes, int components, Seed seed) {
        Draws draws = new Draws(seed);
        int[][] atoms = new int[components][codes.variables()];
        for (int b = 0; b < components; b++) {
            for (int d = 0; d < codes.variables(); d++) {
                atoms[b][d] = draws.under("component" + b).uniform("variable" + d, 1, codes.cardinality(d))[0];
            }
        }
        return new FixedBase("random delta", codes, components, codes.oneHot(atoms));
    }

    /**
     * Atoms in lexicographic order, the last variable fastest, starting again after the last code.
     *
     * @param codes the space
     * @param components B
     * @return the base
     */
    public static FixedBase enumerating(Codes codes, int components) {
        int[][] atoms = new int[components][];
        for (int b = 0; b < components; b++) {
            atoms[b] = codes.code((long) (b % codes.size()));
        }
        return new FixedBase("enumerating delta", codes, components, codes.oneHot(atoms));
    }

    /**
     * Component b at category b of every variable, modulo K_d.
     *
     * @param codes the space
     * @param components B
     * @return the base
     */
    public static FixedBase diagonal(Codes codes, int components) {
        int[][] atoms = new int[components][codes.variables()];
        for (int b = 0; b < components; b++) {
            for (int d = 0; d < codes.variables(); d++) {
                atoms[b][d] = b % codes.cardinality(d);
            }
        }
        return new FixedBase("diagonal delta", codes, components, codes.oneHot(atoms));
    }
}
