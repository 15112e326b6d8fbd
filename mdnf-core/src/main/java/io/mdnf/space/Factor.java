package io.mdnf.space;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A term of a log joint that looks at few variables: a table of its values, row-major, the last variable fastest.
 *
 * <pre>{@code
 * new Factor(new int[] {4, 1}, new double[] {-1, -2, -3, -4});   // two binary variables: x_4 = 1, x_1 = 0 costs 3
 * new Factor(new int[0], new double[] {-7});                     // a constant
 * }</pre>
 *
 * @param variables positions d of the variables, all different; none for a constant
 * @param logTable one value per configuration of the variables, finite or -infinity
 */
public record Factor(int[] variables, double[] logTable) implements Serializable {

    /** Checks and copies, so that the record is a value. */
    public Factor {
        variables = variables.clone();
        logTable = logTable.clone();
        boolean distinct = IntStream.of(variables).distinct().count() == variables.length;
        Check.that(distinct && IntStream.of(variables).noneMatch(d -> d < 0), "variables = ",
                Arrays.toString(variables), ": the variables of a factor are positions from 0, all different");
        LogSpace.check("logTable", logTable);
    }

    @Override
    public int[] variables() {
        return variables.clone();
    }

    @Override
    public double[] logTable() {
        return logTable.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Factor factor && Arrays.equals(variables, factor.variables)
                && Arrays.equals(logTable, factor.logTable);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(variables) + Arrays.hashCode(logTable);
    }

    @Override
    public String toString() {
        return "Factor" + Arrays.toString(variables);
    }
}
