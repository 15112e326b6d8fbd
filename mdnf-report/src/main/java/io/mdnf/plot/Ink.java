package io.mdnf.plot;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A colour with a light and a dark version. SVG states the light one as an attribute, which every viewer understands,
 * and the dark one in a style sheet under {@code prefers-color-scheme: dark}; PNG is always light.
 *
 * @param name the style sheet's word for it; null for a colour that is the same in light and dark
 * @param light 0xRRGGBB on a white background
 * @param dark 0xRRGGBB on a dark background
 */
public record Ink(String name, int light, int dark) {
    /** Titles and numbers. */
    static final Ink TEXT = new Ink("text", 0x1B1F24, 0xE8EAED);
    /** Labels of axes, reference lines. */
    static final Ink MUTED = new Ink("muted", 0x4A5260, 0xB3BAC4);
    /** Grid lines. */
    static final Ink GRID = new Ink("grid", 0xE1E5EA, 0x333A43);
    /** The background. */
    static final Ink PAPER = new Ink("paper", 0xFFFFFF, 0x15181C);

    // Okabe and Ito's colours, told apart by colour-blind readers, darkened or lightened for contrast with the paper.
    static final List<Ink> SERIES = List.of(
            new Ink("c0", 0x0072B2, 0x56B4E9),
            new Ink("c1", 0xD55E00, 0xFF8A3D),
            new Ink("c2", 0x008F68, 0x2FC9A0),
            new Ink("c3", 0xB4588F, 0xE29AC6),
            new Ink("c4", 0xC48800, 0xF0C043),
            new Ink("c5", 0x3B3F8C, 0xA3A8F5),
            new Ink("c6", 0x6B4A2B, 0xD0AE8C),
            new Ink("c7", 0x5C6670, 0xC8CDD3));

    /** The colour of a look of {@link Palette}; after eight the colours repeat. */
    static Ink series(int look) {
        return SERIES.get(look % SERIES.size());
    }

    /** A colour 0xRRGGBB that is the same in light and dark. */
    static Ink fixed(int rgb) {
        return new Ink(null, rgb, rgb);
    }

    /** The style sheet that turns plots dark; a page that holds inline plots needs it once. */
    public static String darkStyle() {
        return Stream.concat(Stream.of(TEXT, MUTED, GRID, PAPER), SERIES.stream())
                .map(ink -> ".plot .f-" + ink.name + " { fill: " + hex(ink.dark) + " }\n"
                        + ".plot .s-" + ink.name + " { stroke: " + hex(ink.dark) + " }\n")
                .collect(Collectors.joining("", "@media (prefers-color-scheme: dark) {\n", "}\n"));
    }

    /** {@return black or white, whichever is easier to read on this colour} */
    Ink readable() {
        double luminance = 0.2126 * linear(light >> 16 & 255) + 0.7152 * linear(light >> 8 & 255)
                + 0.0722 * linear(light & 255);
        // Where the contrast ratios (L + 0.05) / 0.05 and 1.05 / (L + 0.05) are equal.
        return fixed(luminance > 0.179 ? 0x000000 : 0xFFFFFF);
    }

    private static double linear(int channel) {
        double c = channel / 255.0;
        return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
    }

    static String hex(int rgb) {
        return String.format(Locale.ROOT, "#%06x", rgb);
    }
}
