package io.mdnf.elimination;

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
     * Returns all variables of a space, [D], the first eliminated first.
     *
     * @param scopes the variables of each factor
     */
    int[] of(CodeSpace space, List<int[]> scopes);
}
