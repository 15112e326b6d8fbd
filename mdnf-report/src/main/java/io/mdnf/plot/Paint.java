package io.mdnf.plot;

/** How a shape is drawn: filled unless fill is null, with an opacity of 0 to 1, and outlined unless stroke is null. */
record Paint(Ink fill, double opacity, Ink stroke, double width, Dash dash) {

    /** How a line is broken; a second sign beside colour to tell lines apart. */
    enum Dash {
        SOLID(),
        DASHED(7, 4),
        DOTTED(2, 3),
        DASH_DOT(8, 3, 2, 3);

        /** Of strokes and gaps in turn; none when unbroken; not to be changed. */
        final float[] lengths;

        Dash(float... lengths) {
            this.lengths = lengths;
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
