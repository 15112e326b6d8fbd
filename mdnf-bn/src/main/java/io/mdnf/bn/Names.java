package io.mdnf.bn;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** How names appear in messages: quoted, never longer than a line, with the nearest allowed name when one is wrong. */
final class Names {

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

    /** The names, comma separated, at most twenty of them. */
    static String list(Collection<String> names) {
        String shown = names.stream().limit(MOST_LISTED).map(Names::quote).collect(Collectors.joining(", "));
        return names.size() > MOST_LISTED ? shown + ", ... (" + names.size() + " in all)" : shown;
    }

    /** {@code " (did you mean 'x'?)"} for the candidate nearest to the wrong name, empty when none is near. */
    static String didYouMean(String wrong, Collection<String> candidates) {
        String lower = comparable(wrong);
        String nearest = null;
        int best = Integer.MAX_VALUE;
        int compared = 0;
        for (String candidate : candidates) {
            int distance = distance(lower, comparable(candidate));
            if (distance < best) {
                best = distance;
                nearest = candidate;
            }
            if (++compared == MOST_COMPARED) {
                break;
            }
        }
        boolean near = nearest != null && best <= Math.max(2, lower.length() / 2) && best < lower.length() + 1;
        return near ? " (did you mean " + quote(nearest) + "?)" : "";
    }

    private static String comparable(String name) {
        return name.substring(0, Math.min(name.length(), LONGEST_SHOWN)).toLowerCase(Locale.ROOT);
    }

    /** Levenshtein distance. */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            int[] swap = previous;
            previous = current;
            current = swap;
        }
        return previous[b.length()];
    }
}
