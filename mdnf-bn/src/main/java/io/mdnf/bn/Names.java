package io.mdnf.bn;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** How names appear in messages: quoted, never longer than a line, with the nearest allowed name when one is wrong. */
final class Names {

    private static final Pattern ESCAPE = Pattern.compile("\\\\([\\\\\"])");
    private static final int LONGEST_SHOWN = 60;
    private static final int MOST_LISTED = 20;
    private static final int MOST_COMPARED = 10_000;

    private Names() {
    }

    /** The name in single quotes, clipped, with control characters made visible. */
    static String quote(String name) {
        StringBuilder shown = new StringBuilder("'");
        for (int i = 0; i < Math.min(name.length(), LONGEST_SHOWN); i++) {
            char c = name.charAt(i);
            if (Character.isISOControl(c)) {
                shown.append(String.format("\\u%04x", (int) c));
            } else {
                shown.append(c);
            }
        }
        return shown.append(name.length() > LONGEST_SHOWN ? "...'" : "'").toString();
    }

    /** The name in double quotes as files have it, with a backslash before each of its own quotes and backslashes. */
    static String escaped(String name) {
        return "\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** What stands between double quotes, as a name: the inverse of {@link #escaped}; other backslashes stay. */
    static String unescaped(String quoted) {
        return ESCAPE.matcher(quoted).replaceAll("$1");
    }

    /** Where the double quote opened at a place is closed; the end of the text if it is not. */
    static int closingQuote(String text, int open) {
        int at = open + 1;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.startsWith("\\\\", at) || text.startsWith("\\\"", at) ? 2 : 1;
        }
        return at;
    }

    /** The names, comma separated, at most twenty of them. */
    static String list(Collection<String> names) {
        String shown = names.stream().limit(MOST_LISTED).map(Names::quote).collect(Collectors.joining(", "));
        return names.size() > MOST_LISTED ? shown + ", ... (" + names.size() + " in all)" : shown;
    }

    /** {@code " (did you mean 'x'?)"} for the candidate nearest to the wrong name, empty when none is near. */
    static String didYouMean(String wrong, Collection<String> candidates) {
        String lower = comparable(wrong);
        int near = Math.min(lower.length(), Math.max(2, lower.length() / 2));
        return candidates.stream().limit(MOST_COMPARED)
                .min(Comparator.comparingInt(candidate -> distance(lower, candidate)))
                .filter(candidate -> distance(lower, candidate) <= near)
                .map(nearest -> " (did you mean " + quote(nearest) + "?)").orElse("");
    }

    private static int distance(String lower, String candidate) {
        return LevenshteinDistance.getDefaultInstance().apply(lower, comparable(candidate));
    }

    private static String comparable(String name) {
        return name.substring(0, Math.min(name.length(), LONGEST_SHOWN)).toLowerCase(Locale.ROOT);
    }
}
