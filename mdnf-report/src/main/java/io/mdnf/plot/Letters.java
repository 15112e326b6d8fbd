package io.mdnf.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * How wide a text is. The viewer of an SVG chooses the font, so widths are those of DejaVu Sans, the widest of the
 * usual sans-serif fonts: a label for which this leaves room is nowhere cut off.
 */
final class Letters {
    /** Text size of labels; figures are shown at no less than 85 % of their width, so never below 11 pixels. */
    static final double SIZE = 13;
    static final double TITLE = 15;
    static final double LINE = 18;

    // Hundredths of the font size, from the space to the tilde.
    private static final int[] WIDTHS = {
        32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34,
        84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99,
        69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52,
        39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};
    private static final double OTHER = 0.84;
    private static final double FULL_WIDTH = 1.05;
    /** Bold text is as wide as plain text of so many times its size. */
    static final double BOLD = 1.13;

    private Letters() {
    }

    static double width(String text) {
        return width(text, SIZE);
    }

    static double width(String text, double size) {
        return size * text.codePoints().mapToDouble(Letters::em).sum();
    }

    private static double em(int letter) {
        if (letter >= ' ' && letter <= '~') {
            return WIDTHS[letter - ' '] / 100.0;
        }
        return letter < 0x2E80 ? OTHER : FULL_WIDTH;
    }

    /** Base line of a label whose digits are centred at y. */
    static double middle(double y) {
        return y + 0.365 * SIZE;
    }

    /** Breaks a text so that lines are no wider than the room: between words, and within those that are wider. */
    static List<String> wrap(String text, double room, double size) {
        List<String> lines = new ArrayList<>();
        String line = "";
        for (String word : text.strip().split("\\s+")) {
            String longer = line.isEmpty() ? word : line + " " + word;
            if (!line.isEmpty() && !fits(longer, room, size)) {
                lines.add(line);
                longer = word;
            }
            while (longer.length() > 1 && !fits(longer, room, size)) {
                int end = longer.length() - 1;
                while (end > 1 && !fits(longer.substring(0, end), room, size)) {
                    end--;
                }
                lines.add(longer.substring(0, end));
                longer = longer.substring(end);
            }
            line = longer;
        }
        lines.add(line);
        return lines;
    }

    private static boolean fits(String text, double room, double size) {
        // a hundredth for rounding, where the room was made for a word
        return width(text, size) <= room + 0.01;
    }
}
