package io.mdnf.plot;

import io.mdnf.space.Check;
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
        Check.that(!values.isEmpty(), "reference '", name, "' has no value");
    }

    /** One line across the plot. */
    public static Reference across(String name, double value) {
        return new Reference(name, List.of(value));
    }

    /** A short line over each group. */
    public static Reference perGroup(String name, double... values) {
        return new Reference(name, Values.list(values));
    }

    void checkGroups(int groups) {
        Check.that(values.size() == 1 || values.size() == groups, "reference '", name, "' has ", values.size(),
                " values; 1 or one for each of the ", groups, " groups is needed");
    }
}
