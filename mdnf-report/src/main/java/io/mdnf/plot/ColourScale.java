package io.mdnf.plot;

/**
 * From numbers to colours, the same for all panels of a plot: viridis, from dark for the low end to bright for the high
 * end, which colour-blind readers and grey printers keep in order.
 *
 * @param axis what is measured; its ends may be fixed so that several plots share one scale
 */
public record ColourScale(Axis axis) {
    private static final int[] VIRIDIS = {
        0x440154, 0x482475, 0x414487, 0x355F8D, 0x2A788E, 0x21918C, 0x22A884, 0x44BF70, 0x7AD151, 0xBDDF26, 0xFDE725};

    /** The colour of a part of the scale; outside it, that of the nearer end. */
    static Ink at(double part) {
        double place = Math.max(0, Math.min(1, part)) * (VIRIDIS.length - 1);
        int below = Math.min((int) place, VIRIDIS.length - 2);
        double mix = place - below;
        int colour = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int from = VIRIDIS[below] >> shift & 255;
            int to = VIRIDIS[below + 1] >> shift & 255;
            colour |= (int) Math.round(from + mix * (to - from)) << shift;
        }
        return Ink.fixed(colour);
    }
}
