package io.mdnf.plot;

import java.util.List;

/**
 * A dashed horizontal line to compare with, such as an exact limit.
 *
 * @param name for the legend
 * @param values one for a line across the whole plot, or one for each group; NaN draws nothing
 */
public record Reference(String name, List<Double> values) {
    /** Checks that there is a value. */
    public Reference {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("reference '" + name + "' has no value");
        }
    }

    /**
     * One line across the plot.
     *
     * @param name for the legend
     * @param value its height
     * @return the reference
     */
    public static Reference across(String name, double value) {
        return new Reference(name, List.of(value));
    }

    /**
     * A short line over each group.
     *
     * @param name for the legend
     * @param values one for each group
     * @return the reference
     */
    public static Reference perGroup(String name, double... values) {
        return new Reference(name, Values.list(values));
    }

    void checkGroups(int groups) {
        if (values.size() != 1 && values.size() != groups) {
            throw new IllegalArgumentException("reference '" + name + "' has " + values.size()
                    + " values; 1 or one for each of the " + groups + " groups is needed");
        }
    }
}
