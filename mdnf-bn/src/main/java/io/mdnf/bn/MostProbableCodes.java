package io.mdnf.bn;

import io.mdnf.elimination.BucketTree;
import io.mdnf.elimination.Memory;
import io.mdnf.elimination.Reduction;
import io.mdnf.elimination.TooLargeException;
import io.mdnf.search.FoundCodes;
import io.mdnf.space.Check;
import io.mdnf.space.CodeMap;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.FactorTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.ToDoubleFunction;

/**
 * The M most probable codes given evidence, exactly.
 *
 * <p>Best-first search with a perfect heuristic: maximising elimination leaves in each bucket what a state costs
 * against the best completion, so the value of a partial code is the log joint of its best completion, and no branch is
 * opened in vain. About M * D partial codes are expanded.
 */
public final class MostProbableCodes {

    private MostProbableCodes() {
    }

    /** Buckets from the last down are decided; the rest will follow at no further loss at best. */
    private record Partial(Partial before, int state, int decided, double loss) {
    }

    /**
     * Returns the codes of the latent variables, of which there must be one, most probable first, equal ones in
     * lexicographic order; fewer than asked for, at least 1, only if no other code has positive probability.
     *
     * @throws TooLargeException if elimination needs more than {@link Memory#available}
     */
    public static FoundCodes find(Evidence evidence, int count) {
        BayesianNetwork network = evidence.network();
        Check.that(count >= 1, "count is " + count + ", expected at least 1");
        return find(CodeSpace.of(evidence.latentCardinalities()), evidence.reduction().codes(),
                VariableElimination.eliminate(evidence, Memory.available(), true),
                code -> network.logJoint(evidence.complete(code)), count);
    }

    /** The same of any product of factors. */
    public static FoundCodes find(FactorTarget target, int count) {
        Check.that(count >= 1, "count is " + count + ", expected at least 1");
        Reduction reduction = target.reduction();
        return find(target.space(), reduction.codes(),
                reduction.eliminate(Memory.available(), "the most probable codes of " + target, true),
                code -> target.logJoint(new int[][] {code})[0], count);
    }

    private static FoundCodes find(CodeSpace space, CodeMap codes, BucketTree tree, ToDoubleFunction<int[]> logValue,
            int count) {
        List<int[]> found = new ArrayList<>();
        // Deeper first among equals: otherwise ties would be explored in breadth.
        PriorityQueue<Partial> open = new PriorityQueue<>(Comparator.comparingDouble(Partial::loss)
                .thenComparing(Comparator.comparingInt(Partial::decided).reversed()));
        if (tree.value() > Double.NEGATIVE_INFINITY) {
            open.add(new Partial(null, 0, 0, 0));
        }
        int[] code = new int[tree.size()];
        while (!open.isEmpty() && found.size() < count) {
            Partial best = open.remove();
            for (Partial p = best; p.before != null; p = p.before) {
                code[tree.variable(tree.size() - p.decided)] = p.state;
            }
            if (best.decided == tree.size()) {
                found.add(codes.expand(code));
                continue;
            }
            int bucket = tree.size() - best.decided - 1;
            int variable = tree.variable(bucket);
            for (int state = 0; state < tree.space().cardinality(variable); state++) {
                code[variable] = state;
                double loss = best.loss + tree.loss(bucket, code);
                if (loss < Double.POSITIVE_INFINITY) {
                    open.add(new Partial(best, state, best.decided + 1, loss));
                }
            }
        }
        Map<int[], Double> logJoint = new IdentityHashMap<>();
        found.forEach(each -> logJoint.put(each, logValue.applyAsDouble(each)));
        found.sort(Comparator.<int[]>comparingDouble(each -> -logJoint.get(each)).thenComparing(Arrays::compare));
        return new FoundCodes(space, found.toArray(int[][]::new), found.stream().mapToDouble(logJoint::get).toArray(),
                found.size(), found.size() < count, true);
    }
}
