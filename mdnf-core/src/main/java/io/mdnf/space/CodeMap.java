package io.mdnf.space;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Some codes of a space in terms of those of a smaller one, one to one: each variable has one category, or follows one
 * of the smaller space.
 *
 * <pre>{@code
 * // three variables that follow one with two categories: 0 2 1 and 1 2 0
 * new CodeMap(CodeSpace.of(2, 3, 2), CodeSpace.of(2), new int[] {0, -1, 0}, new int[][] {{0, 1}, {2}, {1, 0}});
 * }</pre>
 *
 * @param space the codes that are described
 * @param smaller those that describe them
 * @param follows for each variable of the space the one of the smaller it follows, or {@link #NONE}
 * @param categories of each variable, for each category of the one it follows; a single one where it follows none
 */
public record CodeMap(CodeSpace space, CodeSpace smaller, int[] follows, int[][] categories) {

    /** In the place of a variable that another follows. */
    public static final int NONE = -1;

    /** Checks the shapes. */
    public CodeMap {
        Check.that(follows.length == space.variables() && categories.length == follows.length, "follows has ",
                follows.length, " and categories ", categories.length, " variables, expected ", space.variables());
        for (int d = 0; d < follows.length; d++) {
            boolean one = follows[d] == NONE;
            Check.that(one || follows[d] >= 0 && follows[d] < smaller.variables(), "follows[", d, "] = ", follows[d],
                    ": no variable of ", smaller);
            int count = one ? 1 : smaller.cardinality(follows[d]);
            int own = space.cardinality(d);
            Check.that(categories[d].length == count && IntStream.of(categories[d]).allMatch(k -> k >= 0 && k < own),
                    "categories[", d, "] = ", Arrays.toString(categories[d]), ": expected ", count, " below ", own);
        }
    }

    /** {@return whether both spaces are the same} */
    public boolean isIdentity() {
        return Arrays.equals(space.cardinalities(), smaller.cardinalities());
    }

    private int followed(int variable, int[] code) {
        return follows[variable] == NONE ? 0 : code[follows[variable]];
    }

    /** Returns the code [D] that one of the smaller space describes. */
    public int[] expand(int[] code) {
        return IntStream.range(0, follows.length).map(d -> categories[d][followed(d, code)]).toArray();
    }

    /** Returns the code of the smaller space that describes one [D]; none if no code does. */
    public Optional<int[]> reduce(int[] code) {
        int[] reduced = new int[smaller.variables()];
        Arrays.fill(reduced, NONE);
        for (int d = 0; d < follows.length; d++) {
            if (follows[d] != NONE && reduced[follows[d]] == NONE) {
                for (int k = 0; k < categories[d].length; k++) {
                    if (categories[d][k] == code[d]) {
                        reduced[follows[d]] = k;
                    }
                }
            }
            int k = followed(d, reduced);
            if (k == NONE || categories[d][k] != code[d]) {
                return Optional.empty();
            }
        }
        // a variable that nothing follows, where all have one category
        Arrays.setAll(reduced, d -> Math.max(0, reduced[d]));
        return Optional.of(reduced);
    }

    /**
     * Returns what figures of the categories of the smaller space, [D'][K'_d], say of those of the space, [D][K_d]: 0
     * for categories that no code has.
     *
     * @param ofOnly the figure of a variable's only category: 1 of probabilities
     */
    public double[][] spread(double[][] figures, double ofOnly) {
        double[][] all = new double[follows.length][];
        for (int d = 0; d < all.length; d++) {
            all[d] = new double[space.cardinality(d)];
            for (int k = 0; k < categories[d].length; k++) {
                all[d][categories[d][k]] = follows[d] == NONE ? ofOnly : figures[follows[d]][k];
            }
        }
        return all;
    }

    @Override
    public String toString() {
        return space + " by " + smaller;
    }
}
