package io.mdnf.plot;

/**
 * How a shape is filled and outlined.
 *
 * @param fill the inside; null for none
 * @param opacity of the inside, 0 to 1
 * @param stroke the outline; null for none
 * @param width of the outline in pixels
 * @param dash how the outline is broken
 */
public record Paint(Ink fill, double opacity, Ink stroke, double width, Dash dash) {

    /** How a line is broken; a second sign beside colour to tell lines apart. */
    public enum Dash {
        /** Unbroken. */
        SOLID(),
        /** Long strokes. */
        DASHED(7, 4),
        /** Dots. */
        DOTTED(2, 3),
        /** Stroke, dot. */
        DASH_DOT(8, 3, 2, 3);

        private final float[] lengths;

        Dash(float... lengths) {
            this.lengths = lengths;
        }

        /** {@return lengths of strokes and gaps in turn; empty when unbroken} */
        float[] lengths() {
            return lengths.clone();
        }
    }

    static Paint fill(Ink fill) {
        return fill(fill, 1);
    }

    static Paint fill(Ink fill, double opacity) {
        return new Paint(fill, opacity, null, 0, Dash.SOLID);
    }

    static Paint stroke(Ink stroke, double width) {
        return stroke(stroke, width, Dash.SOLID);
    }

    static Paint stroke(Ink stroke, double width, Dash dash) {
        return new Paint(null, 1, stroke, width, dash);
    }
}
