package io.mdnf.uai;

import io.mdnf.space.Check;
import io.mdnf.space.Factor;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A table of a model as its file has it: not logarithms, so that what is read and written is the same to the last bit.
 *
 * @param variables positions of the variables, all different; in a Bayesian network the child comes last
 * @param values one number, finite and at least 0, per configuration of the variables, the last one fastest
 */
public record UaiTable(int[] variables, double[] values) {

    /** Checks and copies. */
    public UaiTable {
        variables = variables.clone();
        values = values.clone();
        Check.that(IntStream.of(variables).allMatch(v -> v >= 0)
                && IntStream.of(variables).distinct().count() == variables.length, "variables = ",
                Arrays.toString(variables), ": the variables of a table are positions from 0, all different");
        for (int i = 0; i < values.length; i++) {
            Check.that(values[i] >= 0 && values[i] < Double.POSITIVE_INFINITY, "values[", i, "] = ", values[i],
                    ": must be finite and at least 0");
            values[i] += 0.0; // turns -0.0 into 0.0, so that equal tables have equal bits
        }
    }

    @Override
    public int[] variables() {
        return variables.clone();
    }

    @Override
    public double[] values() {
        return values.clone();
    }

    /** Returns the entries that agree with the evidence, as logarithms; an observed variable keeps one category. */
    Factor given(UaiModel model, UaiEvidence evidence) {
        double[] kept = values;
        int stride = 1;
        for (int v = variables.length - 1; v >= 0; v--) {
            int cardinality = model.cardinality(variables[v]);
            if (evidence.isObserved(variables[v])) {
                kept = slice(kept, cardinality, stride, evidence.state(variables[v]));
            } else {
                stride *= cardinality;
            }
        }
        return new Factor(variables, Arrays.stream(kept).map(Math::log).toArray());
    }

    /** A table [.., K, stride] at one k. */
    private static double[] slice(double[] table, int cardinality, int stride, int state) {
        double[] slice = new double[table.length / cardinality];
        for (int i = 0; i < slice.length; i += stride) {
            System.arraycopy(table, i * cardinality + state * stride, slice, i, stride);
        }
        return slice;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UaiTable table && Arrays.equals(variables, table.variables)
                && Arrays.equals(values, table.values);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(variables) + Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return "UaiTable" + Arrays.toString(variables);
    }
}
