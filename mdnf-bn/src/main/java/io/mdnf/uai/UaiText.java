package io.mdnf.uai;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The words of a UAI file, one after the other: blanks and line ends separate them and mean nothing else. */
final class UaiText {

    private static final Pattern INTEGER = Pattern.compile("[0-9]{1,9}");
    private static final Pattern NUMBER = Pattern.compile("[-+]?([0-9]{1,400}(\\.[0-9]{0,400})?|\\.[0-9]{1,400})"
            + "([eE][-+]?[0-9]{1,9})?");
    private static final int LONGEST_WORD = 2000;
    private static final int LONGEST_SHOWN = 40;

    private final String source;
    private final byte[] bytes;
    private int at;
    private int start;

    UaiText(String source, byte[] bytes) {
        this.source = source;
        this.bytes = bytes;
    }

    /** A limit, or less: each of so many things takes a byte, and no memory is taken for more than a file can hold. */
    int atMost(int most) {
        return Math.min(most, bytes.length);
    }

    /** How many words there are, wherever one is. */
    int words() {
        int words = 0;
        for (int i = 0; i < bytes.length; i++) {
            words += isBlank(bytes[i]) || i > 0 && !isBlank(bytes[i - 1]) ? 0 : 1;
        }
        return words;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b >= '\t' && b <= '\r';
    }

    /** The next word; the end of the file is refused by what was expected. */
    String word(String expected) {
        while (at < bytes.length && isBlank(bytes[at])) {
            at++;
        }
        start = at;
        while (at < bytes.length && !isBlank(bytes[at]) && at - start <= LONGEST_WORD) {
            at++;
        }
        if (start == bytes.length) {
            throw wrong("found the end of the file, expected " + expected);
        }
        return new String(bytes, start, at - start, StandardCharsets.ISO_8859_1);
    }

    /** The next word as an integer from least to most. */
    int integer(String what, int least, int most) {
        String word = word(what);
        if (!INTEGER.matcher(word).matches()) {
            throw found(word, what + ", a whole number");
        }
        int value = Integer.parseInt(word);
        if (value < least || value > most) {
            throw found(word, what + " from " + least + " to " + most);
        }
        return value;
    }

    /** The next word as a number, finite. */
    double number(String what) {
        String word = word(what);
        if (!NUMBER.matcher(word).matches() || Double.isInfinite(Double.parseDouble(word))) {
            throw found(word, what + ", a finite number such as 0.25 or 1e-3");
        }
        return Double.parseDouble(word);
    }

    /** The next word as a number of a table. */
    double entry(String what) {
        double value = number(what);
        if (value < 0) {
            throw wrong("found " + value + ", expected " + what + ", at least 0");
        }
        return value;
    }

    /** Refuses whatever follows. */
    void end(String after) {
        int before = at;
        while (at < bytes.length && isBlank(bytes[at])) {
            at++;
        }
        if (at < bytes.length) {
            at = before;
            throw found(word("nothing"), "the end of the file after " + after);
        }
    }

    UaiException found(String word, String expected) {
        StringBuilder shown = new StringBuilder();
        word.chars().limit(LONGEST_SHOWN).forEach(c -> shown.append(c < ' ' || c > '~' ? '?' : (char) c));
        return wrong("found '" + shown + (word.length() > LONGEST_SHOWN ? "...'" : "'") + ", expected " + expected);
    }

    /** What is wrong with the latest word; CR, LF and CRLF each end a line. */
    UaiException wrong(String what) {
        int line = 1;
        int begin = 0;
        for (int i = 0; i < start; i++) {
            if (bytes[i] == '\n' || bytes[i] == '\r' && !(i + 1 < bytes.length && bytes[i + 1] == '\n')) {
                line++;
                begin = i + 1;
            }
        }
        return new UaiException(source, line, start - begin + 1, what);
    }
}
