package io.mdnf.elimination;

import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.List;

/**
 * Chooses in which order variables are eliminated; {@link EliminationPlan#of} says what an order costs.
 *
 * <p>Example: {@code EliminationOrder.MIN_FILL.of(space, List.of(new int[] {0, 1}))}.
 */
@FunctionalInterface
public interface EliminationOrder {

    /**
     * Greedy min-fill: next goes the variable whose neighbours need the fewest new links to become a clique, ties to
     * the smaller table.
     */
    EliminationOrder MIN_FILL = (space, scopes) -> new MinFill(space, scopes).order();

    /**
     * The best of many greedy orders with some luck, improved; it takes about as long as the elimination that it finds,
     * a few seconds at most, and is always the same.
     */
    EliminationOrder SEARCHED = (space, scopes) -> OrderSearch.order(space, scopes, OrderSearch.MOST_WORK, Seed.of(1));

    /**
     * Returns all variables of a space, [D], the first eliminated first.
     *
     * @param scopes the variables of each factor
     */
    int[] of(CodeSpace space, List<int[]> scopes);
}
