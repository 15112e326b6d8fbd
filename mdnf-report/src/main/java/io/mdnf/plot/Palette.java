package io.mdnf.plot;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Which colour, marker and dash a series has. They follow the method that a series shows, not its place, so that a
 * method looks the same in all plots of all reports. There are fewer colours than methods: those share one that never
 * stand in one plot.
 */
final class Palette {

    /** For each of {@link Ink#SERIES}, what names of methods begin with. */
    private static final List<List<String>> METHODS = List.of(
            List.of("mdnf", "mdnf factorised", "factorised", "vif, refined", "q", "training images"),
            List.of("gumbel", "bvif, refined", "test images"),
            List.of("mdnf joint", "joint", "vif"),
            List.of("st gumbel", "vif, gradients alone"),
            List.of("jang", "st jang", "joint, free weights", "bvif"),
            List.of("maddison eq. 21", "st maddison eq. 21", "autoregressive"),
            List.of("maddison eq. 22", "st maddison eq. 22", "paper", "mdnf, paper", "bvi"),
            List.of("exact"));

    private Palette() {
    }

    /** The numbers of the looks of series, all different; a series whose own is taken has the first that is free. */
    static int[] of(List<String> names) {
        int[] looks = new int[names.size()];
        Arrays.fill(looks, -1);
        for (int i = 0; i < looks.length; i++) {
            int own = own(names.get(i));
            looks[i] = isTaken(own, looks) ? -1 : own;
        }
        for (int i = 0; i < looks.length; i++) {
            for (int free = 0; looks[i] < 0; free++) {
                looks[i] = isTaken(free, looks) ? -1 : free;
            }
        }
        return looks;
    }

    private static boolean isTaken(int look, int[] looks) {
        return Arrays.stream(looks).anyMatch(other -> other == look);
    }

    /** The look of the longest word that a name begins with; -1 if there is none. */
    private static int own(String name) {
        String words = name.toLowerCase(Locale.ROOT).replace('-', ' ');
        int longest = 0;
        int own = -1;
        for (int look = 0; look < METHODS.size(); look++) {
            for (String word : METHODS.get(look)) {
                boolean begins = words.startsWith(word)
                        && (words.length() == word.length() || !Character.isLetter(words.charAt(word.length())));
                if (begins && word.length() > longest) {
                    longest = word.length();
                    own = look;
                }
            }
        }
        return own;
    }
}
