package io.mdnf.plot;

/** Text made fit for XML and HTML. */
public final class Markup {
    private Markup() {
    }

    /** Escapes what has a meaning in markup, between tags and within quoted attributes, and replaces what XML cannot
     * hold. */
    public static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(letter -> {
            switch (letter) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.appendCodePoint(allowed(letter) ? letter : 0xFFFD);
            }
        });
        return safe.toString();
    }

    /** The attributes of an element, names and values in turn; those whose value is null are left out. */
    public static String attributes(Object... pairs) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pairs.length; i += 2) {
            Object value = pairs[i + 1];
            if (value != null) {
                text.append(' ').append(pairs[i]).append("=\"")
                        .append(value instanceof Double d ? number(d) : escape(value.toString())).append('"');
            }
        }
        return text.toString();
    }

    /** Hundredths of a pixel, without needless zeros. */
    static String number(double value) {
        double rounded = Math.round(value * 100) / 100.0;
        return rounded == Math.rint(rounded) ? Long.toString((long) rounded) : Double.toString(rounded);
    }

    private static boolean allowed(int letter) {
        return letter == '\t' || letter == '\n' || letter == '\r'
                || letter >= 0x20 && letter <= 0xD7FF
                || letter >= 0xE000 && letter <= 0xFFFD
                || letter >= 0x10000;
    }
}
