package io.mdnf.elimination;

import io.mdnf.space.CodeMap;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A product of factors made smaller by its zeros, with the same sum over all codes, before an order is sought or a
 * table made: categories that no code can have are dropped, variables with one category left are put in, those that
 * follow another one to one are replaced by it, and factors that are products of smaller ones are split.
 *
 * <p>Every possible code is described by exactly one of those that are left, with the same log joint.
 *
 * <pre>{@code
 * Reduction reduced = Reduction.of(space, factors);
 * BucketTree tree = reduced.eliminate(1L << 30, "exact inference", false);
 * double[][] marginals = reduced.codes().spread(tree.marginals(), 1);
 * }</pre>
 */
public final class Reduction {

    private final CodeMap codes;
    private final List<Factor> factors;
    /** Made when first asked for: a search for an order takes a while. */
    private volatile EliminationPlan plan;

    Reduction(CodeMap codes, List<Factor> factors) {
        this.codes = codes;
        this.factors = List.copyOf(factors);
    }

    /** Reduces a product of factors over a space. */
    public static Reduction of(CodeSpace space, List<Factor> factors) {
        return new Reducing(space, factors).reduction();
    }

    /** {@return the possible codes in terms of those that are left} */
    public CodeMap codes() {
        return codes;
    }

    /** {@return the codes that are left: at least one variable, which may have a single category} */
    public CodeSpace space() {
        return codes.smaller();
    }

    /** {@return the factors over these; of a product that is 0 everywhere a constant of -infinity} */
    public List<Factor> factors() {
        return factors;
    }

    /** {@return what it costs to eliminate all that is left, in a searched order} */
    public EliminationPlan plan() {
        if (plan == null) {
            plan = EliminationPlan.searched(space(), factors);
        }
        return plan;
    }

    /** Returns the same to be eliminated in an order, [D] of the original variables, as far as they are left. */
    public Reduction ordered(int... order) {
        codes.space().positions(order);
        int[] own = IntStream.concat(IntStream.of(order).map(d -> codes.follows()[d]).filter(d -> d != CodeMap.NONE),
                IntStream.range(0, space().variables())).distinct().toArray();
        Reduction ordered = new Reduction(codes, factors);
        ordered.plan = EliminationPlan.of(space(), factors.stream().map(Factor::variables).toList(), own);
        return ordered;
    }

    /** Eliminates all that is left, see {@link BucketTree#eliminate}. */
    public BucketTree eliminate(long mostBytes, String what, boolean maximum) {
        return BucketTree.eliminate(space(), factors, plan(), mostBytes, what, maximum);
    }

    @Override
    public String toString() {
        return "Reduction to " + space() + " and " + factors.size() + " factors";
    }
}
