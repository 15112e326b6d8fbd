package io.mdnf.target;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A log joint that is a sum of factors, each a table over few variables, such as a Bayesian network or a Markov field:
 *
 * <pre>{@code log p(D, x) = sum_f logTable_f(x_{v_1} .. x_{v_m}) }</pre>
 *
 * <p>Neighbours and expectations under a product distribution cost only the factors they concern. In a graph it is
 * the multilinear extension sum_f sum_c logTable_f(c) prod_j x[v_j, c_j], whose gradient by x[d, k] at a one-hot code
 * is the log joint with x_d = k, up to a constant.
 *
 * <pre>{@code
 * TargetModel chain = new FactorTarget(CodeSpace.uniform(3, 2), List.of(
 *         new Factor(new int[] {0, 1}, coupling), new Factor(new int[] {1, 2}, coupling)));
 * }</pre>
 */
public final class FactorTarget implements FactorisedExpectation {

    private final CodeSpace space;
    private final List<Factor> factors;
    private final int[][] variables;
    private final int[][] strides;
    private final double[][] tables;
    /** For each variable the factors that contain it, as pairs: factor, place of the variable in it. */
    private final int[][] containing;

    /**
     * A target from factors.
     *
     * @param space the space of codes
     * @param factors any number, over variables of the space; several may share variables
     */
    public FactorTarget(CodeSpace space, List<Factor> factors) {
        this.space = space;
        this.factors = List.copyOf(factors);
        int count = factors.size();
        this.variables = new int[count][];
        this.strides = new int[count][];
        this.tables = new double[count][];
        List<List<Integer>> places = new ArrayList<>();
        for (int d = 0; d < space.variables(); d++) {
            places.add(new ArrayList<>());
        }
        for (int f = 0; f < count; f++) {
            variables[f] = factors.get(f).variables();
            tables[f] = factors.get(f).logTable();
            strides[f] = strides(f);
            for (int j = 0; j < variables[f].length; j++) {
                places.get(variables[f][j]).addAll(List.of(f, j));
            }
        }
        this.containing =
                places.stream().map(p -> p.stream().mapToInt(Integer::intValue).toArray()).toArray(int[][]::new);
    }

    private int[] strides(int f) {
        int[] result = new int[variables[f].length];
        long size = 1;
        for (int j = result.length - 1; j >= 0; j--) {
            if (variables[f][j] >= space.variables()) {
                throw new IllegalArgumentException("factors[" + f + "] looks at variable " + variables[f][j] + "; "
                        + space + " has variables 0 .. " + (space.variables() - 1));
            }
            result[j] = (int) size;
            size = Math.min(Integer.MAX_VALUE, size * space.cardinality(variables[f][j]));
        }
        if (size != tables[f].length) {
            throw new IllegalArgumentException("factors[" + f + "] over variables " + Arrays.toString(variables[f])
                    + " of " + space + " has " + tables[f].length + " values, expected " + size);
        }
        return result;
    }

    @Override
    public CodeSpace space() {
        return space;
    }

    /** Returns the factors, in the order given. */
    @Override
    public List<Factor> factors() {
        return factors;
    }

    @Override
    public double[] logJoint(int[][] batch) {
        double[] values = new double[batch.length];
        for (int i = 0; i < values.length; i++) {
            space.check(batch[i]);
            for (int f = 0; f < tables.length; f++) {
                values[i] += tables[f][entry(f, batch[i])];
            }
        }
        return values;
    }

    private int entry(int f, int[] code) {
        int entry = 0;
        for (int j = 0; j < variables[f].length; j++) {
            entry += strides[f][j] * code[variables[f][j]];
        }
        return entry;
    }

    /** {@inheritDoc} Only the factors that contain variable d are looked at again for row d. */
    @Override
    public double[] conditional(int[] code, int variable) {
        double[] row = new double[space.cardinality(variable)];
        for (int c = 0; c < containing[variable].length; c += 2) {
            int f = containing[variable][c];
            int stride = strides[f][containing[variable][c + 1]];
            int first = entry(f, code) - stride * code[variable];
            for (int k = 0; k < row.length; k++) {
                row[k] += tables[f][first + stride * k];
            }
        }
        return row;
    }

    @Override
    public double[][] neighbours(int[] code) {
        space.check(code);
        int[] entries = new int[tables.length];
        double finite = 0;
        int impossible = 0;
        for (int f = 0; f < entries.length; f++) {
            entries[f] = entry(f, code);
            double value = tables[f][entries[f]];
            if (value == Double.NEGATIVE_INFINITY) {
                impossible++;
            } else {
                finite += value;
            }
        }
        double[][] result = new double[code.length][];
        for (int d = 0; d < code.length; d++) {
            double elsewhere = finite;
            int impossibleElsewhere = impossible;
            double[] row = new double[space.cardinality(d)];
            for (int c = 0; c < containing[d].length; c += 2) {
                int f = containing[d][c];
                int stride = strides[f][containing[d][c + 1]];
                double[] table = tables[f];
                if (table[entries[f]] == Double.NEGATIVE_INFINITY) {
                    impossibleElsewhere--;
                } else {
                    elsewhere -= table[entries[f]];
                }
                int first = entries[f] - stride * code[d];
                for (int k = 0; k < row.length; k++) {
                    row[k] += table[first + stride * k];
                }
            }
            for (int k = 0; k < row.length; k++) {
                row[k] = impossibleElsewhere > 0 ? Double.NEGATIVE_INFINITY : row[k] + elsewhere;
            }
            // the code itself, without the rounding of taking its factors out and putting them back
            row[code[d]] = impossible > 0 ? Double.NEGATIVE_INFINITY : finite;
            result[d] = row;
        }
        return result;
    }

    @Override
    public double expectedLogJoint(double[][] q) {
        check(q, -1);
        double sum = 0;
        for (int f = 0; f < tables.length; f++) {
            sum += contract(f, q, -1)[0];
        }
        return sum;
    }

    /** {@inheritDoc} The constant left out is that of the factors without the variable. */
    @Override
    public double[] conditionalLogJoint(double[][] q, int variable) {
        check(q, variable);
        double[] sum = new double[space.cardinality(variable)];
        for (int c = 0; c < containing[variable].length; c += 2) {
            double[] term = contract(containing[variable][c], q, containing[variable][c + 1]);
            for (int k = 0; k < sum.length; k++) {
                sum[k] += term[k];
            }
        }
        return sum;
    }

    private void check(double[][] q, int except) {
        if (q.length != space.variables()) {
            throw new IllegalArgumentException("q has " + q.length + " rows, " + space + " has " + space.variables()
                    + " variables");
        }
        for (int d = 0; d < q.length; d++) {
            if (d != except && q[d].length != space.cardinality(d)) {
                throw new IllegalArgumentException("q[" + d + "] has " + q[d].length + " entries, variable " + d
                        + " has " + space.cardinality(d) + " categories");
            }
        }
    }

    /**
     * The expectation of a factor over all its variables but the one at place {@code kept} (-1: over all), one variable
     * after the other: so a tiny probability of something impossible never underflows to none.
     */
    private double[] contract(int f, double[][] q, int kept) {
        double[] table = tables[f];
        int[] scope = variables[f];
        for (int j = scope.length - 1; j > kept; j--) {
            double[] weights = q[scope[j]];
            double[] shorter = new double[table.length / weights.length];
            for (int i = 0; i < shorter.length; i++) {
                for (int k = 0; k < weights.length; k++) {
                    shorter[i] += product(weights[k], table[i * weights.length + k]);
                }
            }
            table = shorter;
        }
        for (int j = 0; j < kept; j++) {
            double[] weights = q[scope[j]];
            double[] shorter = new double[table.length / weights.length];
            for (int k = 0; k < weights.length; k++) {
                for (int i = 0; i < shorter.length; i++) {
                    shorter[i] += product(weights[k], table[k * shorter.length + i]);
                }
            }
            table = shorter;
        }
        return table;
    }

    /** What cannot happen costs nothing: 0 * -infinity = 0. */
    private static double product(double weight, double log) {
        return weight == 0 ? 0 : weight * log;
    }

    @Override
    public boolean isDifferentiable() {
        return true;
    }

    @Override
    public Tensor logJoint(Graph graph, Tensor oneHot) {
        return new MultilinearForm(space, factors).of(oneHot);
    }

    @Override
    public String toString() {
        return "FactorTarget(" + space + ", " + factors.size() + " factors)";
    }
}
