package io.mdnf.plot;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

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
        int[] looks = names.stream().mapToInt(Palette::own).toArray();
        Set<Integer> taken = new HashSet<>(Set.of(-1));
        for (int i = 0; i < looks.length; i++) {
            looks[i] = taken.add(looks[i]) ? looks[i] : -1;
        }
        for (int i = 0; i < looks.length; i++) {
            for (int free = 0; looks[i] < 0; free++) {
                looks[i] = taken.add(free) ? free : -1;
            }
        }
        return looks;
    }

    /** The look of the longest word that a name begins with; -1 if there is none. */
    private static int own(String name) {
        String words = name.toLowerCase(Locale.ROOT).replace('-', ' ');
        String longest = METHODS.stream().flatMap(List::stream)
                .filter(word -> words.matches("(?s)" + Pattern.quote(word) + "(\\P{L}.*)?"))
                .max(Comparator.comparingInt(String::length)).orElse("");
        return IntStream.range(0, METHODS.size()).filter(look -> METHODS.get(look).contains(longest)).findFirst()
                .orElse(-1);
    }
}
