package io.mdnf.target;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Random pairwise Markov fields, the test bed of algorithms: log p(x) = sum_{i &lt; j} phi_ij(x_i, x_j) with every
 * entry of every table phi_ij standard normal.
 *
 * <p>Example: {@code RandomField.pairwise(Seed.of(7), 6, 4)} has up to 6 variables with 2 to 4 categories each.
 */
public final class RandomField {

    private RandomField() {}

    /** A field whose size is random too: D is uniform on 2 .. maxVariables, every K_d on 2 .. maxCategories. */
    public static FactorTarget pairwise(Seed seed, int maxVariables, int maxCategories) {
        Check.that(maxVariables >= 2 && maxCategories >= 2, "maxVariables = ", maxVariables, ", maxCategories = ",
                maxCategories, ": both must be at least 2");
        Draws draws = new Draws(seed);
        int variables = 2 + draws.uniform("variables", 1, maxVariables - 1)[0];
        int[] more = draws.uniform("cardinalities", variables, maxCategories - 1);
        return pairwise(seed, CodeSpace.of(IntStream.of(more).map(k -> k + 2).toArray()));
    }

    /** A field on a given space. */
    public static FactorTarget pairwise(Seed seed, CodeSpace space) {
        Draws draws = new Draws(seed);
        List<Factor> factors = new ArrayList<>();
        for (int i = 0; i < space.variables(); i++) {
            for (int j = i + 1; j < space.variables(); j++) {
                factors.add(new Factor(new int[] {i, j},
                        draws.normal("potential" + i + "-" + j, space.cardinality(i) * space.cardinality(j))));
            }
        }
        return new FactorTarget(space, factors);
    }
}
