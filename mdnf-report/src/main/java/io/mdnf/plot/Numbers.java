package io.mdnf.plot;

import java.util.Locale;

/** Numbers as a reader wants them on axes and in cells. */
final class Numbers {
    private static final String RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    private static final char MINUS = '−';

    private Numbers() {
    }

    static String linearTick(double value, double step) {
        if (value == 0) {
            return "0";
        }
        double size = Math.max(Math.abs(value), step);
        if (step < 1e-5 || size >= 1e7) {
            return scientific(value);
        }
        int decimals = Math.max(0, (int) Math.ceil(-Math.log10(step) - 1e-9));
        return minus(String.format(Locale.ROOT, (size >= 10_000 ? "%,." : "%.") + decimals + "f", value));
    }

    static String logTick(int factor, int power) {
        if (power >= 5 || power < -4) {
            return (factor == 1 ? "" : factor + "×") + "10" + raised(power);
        }
        return plain(factor * Math.pow(10, power));
    }

    /** Up to four significant digits, for temperatures and the like. */
    static String plain(double value) {
        return significant(value, 4);
    }

    /** For who points at it: six significant digits, and the axis's unit. */
    static String pointed(double value, Axis axis) {
        return significant(value, 6) + (axis.unit().isEmpty() ? "" : " " + axis.unit());
    }

    private static String significant(double value, int digits) {
        if (!Double.isFinite(value)) {
            return special(value);
        }
        double size = Math.abs(value);
        if (value != 0 && (size < 1e-4 || size >= 1e6)) {
            return scientific(value);
        }
        return minus(trimmed(String.format(Locale.ROOT, "%." + decimals(size, digits) + "f", value)));
    }

    /** For a cell: two significant digits below 1, three above. */
    static String cell(double value) {
        if (!Double.isFinite(value)) {
            return special(value);
        }
        double size = Math.abs(value);
        if (size >= 0.9995e4) {
            return scientific(value);
        }
        if (size < 0.0005) {
            return "0";
        }
        int decimals = size < 0.0995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
        return minus(String.format(Locale.ROOT, "%." + decimals + "f", value));
    }

    private static int decimals(double size, int significant) {
        return size == 0 ? 0 : Math.max(0, significant - 1 - (int) Math.floor(Math.log10(size)));
    }

    private static String trimmed(String number) {
        return number.contains(".") ? number.replaceAll("0+$", "").replaceAll("\\.$", "") : number;
    }

    private static String special(double value) {
        return Double.isNaN(value) ? "–" : value > 0 ? "∞" : MINUS + "∞";
    }

    private static String scientific(double value) {
        String[] parts = String.format(Locale.ROOT, "%.1e", value).split("e");
        String digits = minus(trimmed(parts[0]));
        int power = Integer.parseInt(parts[1]);
        return (digits.equals("1") ? "" : digits.equals(MINUS + "1") ? String.valueOf(MINUS) : digits + "×")
                + "10" + raised(power);
    }

    private static String raised(int power) {
        StringBuilder text = new StringBuilder(power < 0 ? "⁻" : "");
        Integer.toString(Math.abs(power)).chars().forEach(digit -> text.append(RAISED.charAt(digit - '0')));
        return text.toString();
    }

    private static String minus(String number) {
        return number.replace('-', MINUS);
    }
}
