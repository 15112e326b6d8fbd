package io.mdnf.plot;

/** Text made fit for XML and HTML. */
public final class Markup {
    private Markup() {
    }

    /**
     * Escapes what has a meaning in markup and replaces what XML cannot hold.
     *
     * @param text any text
     * @return text that may stand between tags and within quoted attributes
     */
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

    private static boolean allowed(int letter) {
        return letter == '\t' || letter == '\n' || letter == '\r'
                || letter >= 0x20 && letter <= 0xD7FF
                || letter >= 0xE000 && letter <= 0xFFFD
                || letter >= 0x10000;
    }
}
