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
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Where a target is not zero, as far as its factors tell: an order of the variables, what the factors say of each
 * variable given those before it, and codes drawn along them. Built once and shared by whatever searches or learns.
 *
 * <p>Drawn codes do not follow the target, but they give a search its start among zeros: of a network whose tables are
 * mostly deterministic hardly one random code in 10^9 is possible, and no chain finds it. Where the zeros are
 * {@linkplain FactorLogits#complete too many to follow} some draws are impossible.
 *
 * <p>Example: {@code Support.of(target).draw(8, Seed.of(1).generator())}.
 */
public final class Support {

    private final CodeSpace space;
    private final List<Factor> factors;
    private final int[] preferred;
    /** Made when first asked for: whoever infers exactly never does. */
    private Followed followed;

    private record Followed(int[] order, FactorLogits logits, Drawing[] drawing) {}

    /** How many configurations of the variables that decide another are few enough to keep its distribution at each. */
    private static final int FEW = 1000;

    /** How a variable is drawn: the logits it follows, and kept rows of those that decide it, or none if many. */
    private record Drawing(FactorLogits logits, int variable, int[] deciding, Row[] rows) {

        static Drawing of(FactorLogits logits, int variable) {
            CodeSpace space = logits.space();
            int[] deciding = logits.deciding(variable);
            double size = IntStream.of(deciding).mapToDouble(space::cardinality).reduce(1, (a, b) -> a * b);
            Row[] rows = new Row[size <= FEW ? (int) size : 0];
            int[] code = new int[space.variables()];
            for (int i = 0; i < rows.length; i++) {
                for (int j = deciding.length - 1, rest = i; j >= 0; j--) {
                    code[deciding[j]] = rest % space.cardinality(deciding[j]);
                    rest /= space.cardinality(deciding[j]);
                }
                rows[i] = Row.of(logits, code, variable);
            }
            return new Drawing(logits, variable, deciding, rows);
        }

        Row at(int[] code) {
            if (rows.length == 0) {
                return Row.of(logits, code, variable);
            }
            int i = 0;
            for (int d : deciding) {
                i = i * logits.space().cardinality(d) + code[d];
            }
            return rows[i];
        }
    }

    /** The distribution of a variable given those before it. */
    private record Row(double[] p, double[] logs) {

        static Row of(FactorLogits logits, int[] code, int variable) {
            double[] p = new double[logits.space().cardinality(variable)];
            logits.add(code, variable, p);
            LogSpace.normalise(p, 0, p.length);
            return new Row(p, DoubleStream.of(p).map(Math::log).toArray());
        }
    }

    private Support(TargetModel target, int[] preferred) {
        this.space = target.space();
        this.factors = target.factors();
        this.preferred = preferred;
    }

    private synchronized Followed followed() {
        if (followed == null) {
            FactorLogits first = FactorLogits.of(space, preferred, factors);
            int[] drawingOrder = first.complete() ? preferred : fewestUnseen(space, factors);
            FactorLogits drawing = first.complete() ? first : FactorLogits.of(space, drawingOrder, factors);
            // the order asked for, unless only the other one keeps clear of every zero: one makes a bound -infinity
            boolean other = !first.complete() && drawing.complete();
            followed = new Followed(other ? drawingOrder : preferred, other ? drawing : first,
                    IntStream.of(drawingOrder).mapToObj(d -> Drawing.of(drawing, d)).toArray(Drawing[]::new));
        }
        return followed;
    }

    /**
     * The support of a target.
     *
     * @param preferred an order of the variables, causes first; empty for left to right. Another one is taken if only
     *     that keeps clear of everything impossible
     */
    public static Support of(TargetModel target, int... preferred) {
        int variables = target.space().variables();
        int[] order = preferred.length == 0 ? IntStream.range(0, variables).toArray() : preferred.clone();
        target.space().positions(order);
        return new Support(target, order);
    }

    /** Returns the order of the variables, [D]. */
    public int[] order() {
        return followed().order.clone();
    }

    /** Returns what the factors say of each variable given those before it in the order. */
    public FactorLogits logits() {
        return followed().logits;
    }

    /** Returns whether the target has factors to follow. */
    public boolean isKnown() {
        return !factors.isEmpty();
    }

    /** Returns whether whoever follows the logits meets no impossible code. */
    public boolean keepsClear() {
        return isKnown() && logits().complete();
    }

    /** Draws codes [count][D], one variable after the other along the factors. */
    public int[][] draw(int count, UniformRandomProvider random) {
        int[][] codes = new int[count][space.variables()];
        Drawing[] drawing = followed().drawing;
        for (int[] code : codes) {
            for (Drawing each : drawing) {
                double[] p = each.at(code).p;
                code[each.variable] = Draws.category(random, p, 0, p.length);
            }
        }
        return codes;
    }

    /** Returns the log-probability with which a code [D] is drawn; -infinity if it never is. */
    public double logProb(int[] code) {
        double sum = 0;
        for (Drawing each : followed().drawing) {
            sum += each.at(code).logs[code[each.variable]];
        }
        return sum;
    }

    /** From the last to the first always the variable that shares factors with the fewest configurations of others. */
    private static int[] fewestUnseen(CodeSpace space, List<Factor> factors) {
        List<Set<Integer>> scopes = new ArrayList<>();
        for (Factor factor : factors) {
            scopes.add(new TreeSet<>(IntStream.of(factor.variables()).boxed().toList()));
        }
        Set<Integer> left = new TreeSet<>(IntStream.range(0, space.variables()).boxed().toList());
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

    /** The other variables of the scopes that hold a variable. */
    private static Set<Integer> around(int variable, List<Set<Integer>> scopes) {
        Set<Integer> around = new TreeSet<>();
        scopes.stream().filter(scope -> scope.contains(variable)).forEach(around::addAll);
        around.remove(variable);
        return around;
    }

    @Override
    public String toString() {
        return "Support(" + space + ", " + logits() + ")";
    }
}
