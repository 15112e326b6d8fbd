package io.mdnf.elimination;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A non-negative function of a few discrete variables, held as logarithms, [K_1, ..., K_n] row-major with the last
 * variable fastest. Zero is negative infinity.
 *
 * <p>Logarithms rather than scaled numbers: messages that disagree strongly would underflow in a product even after
 * scaling, and the same table serves sums and maxima.
 *
 * @param variables positions d
 * @param cardinalities their numbers of categories K_d
 * @param values the logarithms; changed in place
 */
public record LogTable(int[] variables, int[] cardinalities, double[] values) {

    /** The constant 1 over a scope. */
    private static LogTable one(int[] variables, int[] cardinalities) {
        int size = Arrays.stream(cardinalities).reduce(1, Math::multiplyExact);
        return new LogTable(variables.clone(), cardinalities.clone(), new double[size]);
    }

    /** A factor as a table of its own, which may be changed. */
    public static LogTable of(CodeSpace space, Factor factor) {
        int[] variables = factor.variables();
        return new LogTable(variables, IntStream.of(variables).map(space::cardinality).toArray(), factor.logTable());
    }

    /** The constant 1 over some variables of a space. */
    public static LogTable one(CodeSpace space, int... variables) {
        return one(variables, IntStream.of(variables).map(space::cardinality).toArray());
    }

    /** Returns the value at a code [D] of all variables. */
    public double at(int[] code) {
        int entry = 0;
        for (int v = 0; v < variables.length; v++) {
            entry = entry * cardinalities[v] + code[variables[v]];
        }
        return values[entry];
    }

    /** Multiplies by another table in place, whose variables must be among ours. */
    public void multiply(LogTable other) {
        int[] project = projection(other.variables);
        for (int entry = 0; entry < values.length; entry++) {
            values[entry] += other.values[project[entry]];
        }
    }

    /** Returns the sum over every variable not kept. */
    public LogTable sumOnto(int[] kept) {
        return powerSumOnto(kept, 1);
    }

    /** Returns w log sum exp(values / w) over every variable not kept: the norm of order 1 / w. */
    LogTable powerSumOnto(int[] kept, double w) {
        LogTable maximum = maximumOnto(kept);
        int[] project = projection(maximum.variables);
        double[] sums = new double[maximum.values.length];
        for (int entry = 0; entry < values.length; entry++) {
            double largest = maximum.values[project[entry]];
            if (largest != Double.NEGATIVE_INFINITY) {
                sums[project[entry]] += Math.exp((values[entry] - largest) / w);
            }
        }
        for (int entry = 0; entry < sums.length; entry++) {
            if (maximum.values[entry] != Double.NEGATIVE_INFINITY) {
                maximum.values[entry] += w * Math.log(sums[entry]);
            }
        }
        return maximum;
    }

    /** Returns whether some entry is 0. */
    boolean forbids() {
        return Arrays.stream(values).anyMatch(v -> v == Double.NEGATIVE_INFINITY);
    }

    /** Returns (values - sums) / w, where sums are {@link #powerSumOnto} all but our first variable; 0 stays 0. */
    LogTable conditional(LogTable sums, double w) {
        double[] conditional = new double[values.length];
        int rest = sums.values.length;
        for (int entry = 0; entry < conditional.length; entry++) {
            double sum = sums.values[entry % rest];
            conditional[entry] = sum == Double.NEGATIVE_INFINITY ? sum : (values[entry] - sum) / w;
        }
        return new LogTable(variables, cardinalities, conditional);
    }

    LogTable copy() {
        return new LogTable(variables, cardinalities, values.clone());
    }

    LogTable scaled(double factor) {
        return new LogTable(variables, cardinalities, Arrays.stream(values).map(v -> factor * v).toArray());
    }

    /** Returns -sum exp(values) other, where 0 log 0 = 0. */
    double crossEntropy(LogTable other) {
        double sum = 0;
        for (int entry = 0; entry < values.length; entry++) {
            double p = Math.exp(values[entry]);
            sum -= p > 0 ? p * other.values[entry] : 0;
        }
        return sum;
    }

    /** Returns the maximum over every variable not kept. */
    private LogTable maximumOnto(int[] kept) {
        LogTable maximum = one(kept, Arrays.stream(kept).map(v -> cardinalities[position(variables, v)]).toArray());
        Arrays.fill(maximum.values, Double.NEGATIVE_INFINITY);
        int[] project = projection(kept);
        for (int entry = 0; entry < values.length; entry++) {
            maximum.values[project[entry]] = Math.max(maximum.values[project[entry]], values[entry]);
        }
        return maximum;
    }

    /** Where a variable stands among some. */
    static int position(int[] variables, int variable) {
        return IntStream.range(0, variables.length).filter(v -> variables[v] == variable).findFirst().orElseThrow();
    }

    /** How far apart the states of each variable are in a table over a subset of them; 0 for those it has not. */
    static int[] strides(int[] variables, int[] cardinalities, int[] subset) {
        int[] strides = new int[variables.length];
        int stride = 1;
        for (int s = subset.length - 1; s >= 0; s--) {
            int v = position(variables, subset[s]);
            strides[v] = stride;
            stride *= cardinalities[v];
        }
        return strides;
    }

    /** For each of our entries, the entry it falls on in a factor over a subset of our variables. */
    private int[] projection(int[] subset) {
        return Slice.places(cardinalities, 0, strides(variables, cardinalities, subset));
    }
}
