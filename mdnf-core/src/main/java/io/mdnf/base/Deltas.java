package io.mdnf.base;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;

/**
 * Delta bases: each component puts all its mass on one code u*, so with any bijection it is a single atom.
 *
 * <p>Example: {@code Deltas.given(space, new int[][] {{0, 1}, {2, 0}})}.
 */
public final class Deltas {

    private Deltas() {}

    /** Returns given atoms, indices [B][D]. */
    public static FixedBase given(CodeSpace space, int[][] atoms) {
        return new FixedBase("delta", space, atoms.length, space.oneHot(atoms));
    }

    /** Returns every component at category 0 of every variable: the plainest choice where shifts are free anyway. */
    public static FixedBase zero(CodeSpace space, int components) {
        return given(space, new int[components][space.variables()]);
    }

    /** Returns atoms drawn uniformly. */
    public static FixedBase random(CodeSpace space, int components, Seed seed) {
        Draws draws = new Draws(seed);
        int[][] atoms = new int[components][space.variables()];
        for (int b = 0; b < components; b++) {
            for (int d = 0; d < space.variables(); d++) {
                atoms[b][d] = draws.under("component" + b).uniform("variable" + d, 1, space.cardinality(d))[0];
            }
        }
        return new FixedBase("random delta", space, components, space.oneHot(atoms));
    }

    /** Returns atoms in lexicographic order, the last variable fastest, starting again after the last code. */
    public static FixedBase enumerating(CodeSpace space, int components) {
        int[][] atoms = new int[components][];
        for (int b = 0; b < components; b++) {
            atoms[b] = space.code((long) (b % space.size()));
        }
        return new FixedBase("enumerating delta", space, components, space.oneHot(atoms));
    }
}
