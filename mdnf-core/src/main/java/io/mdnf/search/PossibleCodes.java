package io.mdnf.search;

import io.mdnf.network.FactorLogits;
import io.mdnf.random.Draws;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * CodeSpace drawn one variable after the other along a target's factors, so that a search has a start among zeros: of a
 * network whose tables are mostly deterministic hardly one random code in 10^9 is possible, and no chain finds it.
 *
 * <p>They do not follow the target, and where its zeros are {@linkplain FactorLogits#isComplete too many to follow} some
 * are impossible.
 */
public final class PossibleCodes {

    private final CodeSpace space;
    private final int[] order;
    private final FactorLogits logits;

    /** Draws in a given order, which the logits were made for. */
    public PossibleCodes(CodeSpace space, int[] order, FactorLogits logits) {
        this.space = space;
        this.order = order;
        this.logits = logits;
    }

    /** Draws in the order that lets the fewest zeros go unseen. */
    public static PossibleCodes of(TargetModel target) {
        int[] order = order(target.space(), target.factors());
        return new PossibleCodes(target.space(), order, FactorLogits.of(target.space(), order, target.factors()));
    }

    /** Draws codes, [count][D]. */
    public int[][] draw(int count, UniformRandomProvider random) {
        int[][] codes = new int[count][space.variables()];
        for (int[] code : codes) {
            for (int d : order) {
                double[] p = conditional(code, d);
                code[d] = Draws.category(random, p, 0, p.length);
            }
        }
        return codes;
    }

    /** The log-probability with which a code is drawn. */
    public double logProb(int[] code) {
        double sum = 0;
        for (int d : order) {
            sum += Math.log(conditional(code, d)[code[d]]);
        }
        return sum;
    }

    private double[] conditional(int[] code, int d) {
        double[] row = new double[space.cardinality(d)];
        logits.add(code, d, row);
        LogSpace.normalise(row, 0, row.length);
        return row;
    }

    /** From the last to the first always the variable that shares factors with the fewest configurations of others. */
    public static int[] order(CodeSpace space, List<Factor> factors) {
        List<Set<Integer>> scopes = new ArrayList<>();
        for (Factor factor : factors) {
            scopes.add(scope(factor));
        }
        Set<Integer> left = new TreeSet<>();
        for (int d = 0; d < space.variables(); d++) {
            left.add(d);
        }
        int[] order = new int[space.variables()];
        for (int t = order.length - 1; t >= 0; t--) {
            int last = -1;
            double least = Double.POSITIVE_INFINITY;
            for (int d : left) {
                double size = around(d, scopes).stream().mapToDouble(e -> Math.log(space.cardinality(e))).sum();
                if (size <= least) {
                    least = size;
                    last = d;
                }
            }
            Set<Integer> merged = around(last, scopes);
            int gone = last;
            scopes.removeIf(scope -> scope.contains(gone));
            scopes.add(merged);
            left.remove(last);
            order[t] = last;
        }
        return order;
    }

    private static Set<Integer> scope(Factor factor) {
        Set<Integer> scope = new TreeSet<>();
        for (int d : factor.variables()) {
            scope.add(d);
        }
        return scope;
    }

    /** The other variables of the scopes that hold a variable. */
    private static Set<Integer> around(int variable, List<Set<Integer>> scopes) {
        Set<Integer> around = new TreeSet<>();
        scopes.stream().filter(scope -> scope.contains(variable)).forEach(around::addAll);
        around.remove(variable);
        return around;
    }
}
