package io.mdnf.plot;

import io.mdnf.space.Check;

/**
 * What an axis shows and how.
 *
 * <p>A logarithmic axis cannot show numbers that are not positive; they are drawn on its lower edge.
 *
 * @param label what is measured
 * @param unit in what; empty for a bare number
 * @param logarithmic whether equal ratios are equal lengths
 * @param min the lower end; null to follow the data
 * @param max the upper end; null to follow the data
 */
public record Axis(String label, String unit, boolean logarithmic, Double min, Double max) {

    /** Checks the range. */
    public Axis {
        checkEnd("min", min, logarithmic);
        checkEnd("max", max, logarithmic);
        Check.that(min == null || max == null || min < max, "axis '", label, "': min ", min, " is not below max ", max);
    }

    /** A linear axis that follows the data; the unit of a bare number is empty. */
    public static Axis linear(String label, String unit) {
        return new Axis(label, unit, false, null, null);
    }

    /** A logarithmic axis that follows the data; the unit of a bare number is empty. */
    public static Axis log(String label, String unit) {
        return new Axis(label, unit, true, null, null);
    }

    /** The same axis with fixed ends; data outside is cut off. */
    public Axis between(double lower, double upper) {
        return new Axis(label, unit, logarithmic, lower, upper);
    }

    /** What is written beside the axis: label, unit, and that equal lengths are equal ratios. */
    String words() {
        return !logarithmic ? name() : unit.isEmpty() ? label + " (log scale)" : label + " (" + unit + ", log scale)";
    }

    String name() {
        return unit.isEmpty() ? label : label + " (" + unit + ")";
    }

    private static void checkEnd(String name, Double value, boolean logarithmic) {
        Check.that(value == null || Double.isFinite(value) && (!logarithmic || value > 0), name, " ", value, " of a",
                logarithmic ? " logarithmic" : "n", " axis must be ", logarithmic ? "finite and positive" : "finite");
    }
}
