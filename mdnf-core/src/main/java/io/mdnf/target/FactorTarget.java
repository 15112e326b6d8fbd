package io.mdnf.target;

import io.mdnf.elimination.Reduction;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

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
public class FactorTarget implements TargetModel, FactorisedExpectation {

    private final CodeSpace space;
    private final List<Factor> factors;
    private final List<Term> terms;
    /** For each variable the factors that contain it. */
    private final List<List<Place>> places = new ArrayList<>();
    private volatile Reduction reduction;

    /** A factor, and how far apart in its table the categories of each of its variables are. */
    private record Term(int[] variables, int[] strides, double[] table) {

        static Term of(CodeSpace space, int index, Factor factor) {
            int[] variables = factor.variables();
            int[] strides = new int[variables.length];
            long size = 1;
            for (int j = strides.length - 1; j >= 0; j--) {
                Check.that(variables[j] < space.variables(), "factors[", index, "] looks at variable ", variables[j],
                        "; ", space, " has variables 0 .. ", space.variables() - 1);
                strides[j] = (int) size;
                size = Math.min(Integer.MAX_VALUE, size * space.cardinality(variables[j]));
            }
            double[] table = factor.logTable();
            Check.that(size == table.length, "factors[", index, "] over variables ", Arrays.toString(variables), " of ",
                    space, " has ", table.length, " values, expected ", size);
            return new Term(variables, strides, table);
        }

        int entry(int[] code) {
            int entry = 0;
            for (int j = 0; j < variables.length; j++) {
                entry += strides[j] * code[variables[j]];
            }
            return entry;
        }
    }

    /** Where a factor has a variable. */
    private record Place(int factor, Term term, int position) {

        /** Adds the values of the factor with the variable set to each category; one entry is that of a code. */
        void addTo(double[] row, int entry, int category) {
            int stride = term.strides[position];
            int first = entry - stride * category;
            for (int k = 0; k < row.length; k++) {
                row[k] += term.table[first + stride * k];
            }
        }
    }

    /** A target from any number of factors over variables of the space; several may share variables. */
    public FactorTarget(CodeSpace space, List<Factor> factors) {
        this.space = space;
        this.factors = List.copyOf(factors);
        this.terms = IntStream.range(0, factors.size()).mapToObj(f -> Term.of(space, f, factors.get(f))).toList();
        for (int d = 0; d < space.variables(); d++) {
            places.add(new ArrayList<>());
        }
        for (int f = 0; f < terms.size(); f++) {
            for (int j = 0; j < terms.get(f).variables.length; j++) {
                places.get(terms.get(f).variables[j]).add(new Place(f, terms.get(f), j));
            }
        }
    }

    /** For small spaces: log p(D, x) of all codes in lexicographic order, the last variable fastest, as one factor. */
    public static FactorTarget table(CodeSpace space, double... logJoint) {
        return new FactorTarget(space, List.of(new Factor(IntStream.range(0, space.variables()).toArray(), logJoint)));
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

    /** {@inheritDoc} Made once. */
    @Override
    public Reduction reduction() {
        if (reduction == null) {
            reduction = Reduction.of(space, factors);
        }
        return reduction;
    }

    @Override
    public double[] logJoint(int[][] codes) {
        double[] values = new double[codes.length];
        for (int i = 0; i < values.length; i++) {
            space.check(codes[i]);
            for (Term term : terms) {
                values[i] += term.table[term.entry(codes[i])];
            }
        }
        return values;
    }

    /** {@inheritDoc} Only the factors that contain the variable are looked at. */
    @Override
    public double[][] conditionals(int[][] codes, int variable) {
        double[][] rows = new double[codes.length][space.cardinality(variable)];
        for (Place place : places.get(variable)) {
            for (int i = 0; i < codes.length; i++) {
                place.addTo(rows[i], place.term.entry(codes[i]), codes[i][variable]);
            }
        }
        return rows;
    }

    /** {@inheritDoc} Only the factors that contain variable d are looked at again for row d. */
    @Override
    public double[][] neighbours(int[] code) {
        space.check(code);
        int[] entries = terms.stream().mapToInt(term -> term.entry(code)).toArray();
        // infinite terms are counted, so that they can be taken out again
        double finite = 0;
        int impossible = 0;
        for (int f = 0; f < entries.length; f++) {
            double value = terms.get(f).table[entries[f]];
            finite += isPossible(value) ? value : 0;
            impossible += isPossible(value) ? 0 : 1;
        }
        double[][] result = new double[code.length][];
        for (int d = 0; d < code.length; d++) {
            double elsewhere = finite;
            int left = impossible;
            double[] row = new double[space.cardinality(d)];
            for (Place place : places.get(d)) {
                int entry = entries[place.factor];
                double value = place.term.table[entry];
                elsewhere -= isPossible(value) ? value : 0;
                left -= isPossible(value) ? 0 : 1;
                place.addTo(row, entry, code[d]);
            }
            for (int k = 0; k < row.length; k++) {
                row[k] += left > 0 ? Double.NEGATIVE_INFINITY : elsewhere;
            }
            // the code itself, without the rounding of taking its factors out and putting them back
            row[code[d]] = impossible > 0 ? Double.NEGATIVE_INFINITY : finite;
            result[d] = row;
        }
        return result;
    }

    private static boolean isPossible(double log) {
        return log > Double.NEGATIVE_INFINITY;
    }

    @Override
    public double expectedLogJoint(double[][] q) {
        check(q, -1);
        double sum = 0;
        for (Term term : terms) {
            sum += contract(term, q, -1)[0];
        }
        return sum;
    }

    /** {@inheritDoc} The constant left out is that of the factors without the variable. */
    @Override
    public double[] conditionalLogJoint(double[][] q, int variable) {
        check(q, variable);
        double[] sum = new double[space.cardinality(variable)];
        for (Place place : places.get(variable)) {
            double[] given = contract(place.term, q, place.position);
            Arrays.setAll(sum, k -> sum[k] + given[k]);
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
    private static double[] contract(Term term, double[][] q, int kept) {
        double[] table = term.table;
        for (int j = term.variables.length - 1; j > kept; j--) {
            table = contract(table, q[term.variables[j]], 1);
        }
        for (int j = 0; j < kept; j++) {
            double[] weights = q[term.variables[j]];
            table = contract(table, weights, table.length / weights.length);
        }
        return table;
    }

    /** A weighted sum over one axis of a table [.., K, stride]. What cannot be costs nothing: 0 * -infinity = 0. */
    private static double[] contract(double[] table, double[] weights, int stride) {
        double[] shorter = new double[table.length / weights.length];
        for (int i = 0; i < shorter.length; i++) {
            int first = i / stride * stride * weights.length + i % stride;
            for (int k = 0; k < weights.length; k++) {
                shorter[i] += weights[k] == 0 ? 0 : weights[k] * table[first + k * stride];
            }
        }
        return shorter;
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
    public Tensor linearised(Graph graph, Tensor oneHot) {
        return new MultilinearForm(space, factors).logs(oneHot);
    }

    @Override
    public String toString() {
        return "FactorTarget(" + space + ", " + factors.size() + " factors)";
    }
}
