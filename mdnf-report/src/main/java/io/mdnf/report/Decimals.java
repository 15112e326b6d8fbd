package io.mdnf.report;

import java.util.Locale;

/** Numbers as tables and terminals show them. */
public final class Decimals {

    private Decimals() { }

    /** A number with so many digits after the point, without a sign before zero; infinity in words; {@link
     * Finding#NONE} for NaN. */
    public static String fixed(double value, int decimals) {
        if (Double.isNaN(value)) {
            return Finding.NONE;
        }
        if (Double.isInfinite(value)) {
            return value < 0 ? "-infinity" : "infinity";
        }
        String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
        return text.matches("-[0.]+") ? text.substring(1) : text;
    }

    /** A number as short as it can be said: 0.03, 1, 100. */
    public static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
