package io.mdnf.plot;

import java.util.stream.DoubleStream;

/** The numbers an axis covers, ends included; where all are whole, such as epochs, only whole ones are labelled. */
record Range(boolean logarithmic, double low, double high, boolean whole) {
    private static final double MARGIN = 0.05;

    /** Around the data with a small margin, unless the axis says otherwise; what cannot be shown does not count. */
    static Range of(Axis axis, DoubleStream data) {
        double[] shown = data.filter(v -> Double.isFinite(v) && (!axis.logarithmic() || v > 0))
                .map(v -> axis.logarithmic() ? Math.log10(v) : v).toArray();
        double low = DoubleStream.of(shown).min().orElse(axis.logarithmic() ? -1 : 0);
        double high = DoubleStream.of(shown).max().orElse(axis.logarithmic() ? 0 : 1);
        double margin = high > low ? MARGIN * (high - low)
                : axis.logarithmic() ? 0.5 : Math.max(1e-9, 0.1 * Math.abs(low));
        low -= margin;
        high += margin;
        double from = axis.min() != null ? axis.min() : axis.logarithmic() ? Math.pow(10, low) : low;
        double to = axis.max() != null ? axis.max() : axis.logarithmic() ? Math.pow(10, high) : high;
        if (from >= to) {
            // One end is fixed and the data lies beyond it.
            if (axis.min() != null) {
                to = axis.logarithmic() ? from * 10 : from + Math.max(1, Math.abs(from));
            } else {
                from = axis.logarithmic() ? to / 10 : to - Math.max(1, Math.abs(to));
            }
        }
        return new Range(axis.logarithmic(), from, to, false);
    }

    /** The same without a margin: its ends are those of the data, unless the axis says otherwise. */
    static Range tight(Axis axis, double[] data) {
        Range padded = of(axis, DoubleStream.of(data));
        double[] shown = DoubleStream.of(data).filter(v -> Double.isFinite(v) && (!axis.logarithmic() || v > 0))
                .sorted().toArray();
        boolean whole = !axis.logarithmic() && DoubleStream.of(shown).allMatch(v -> v == Math.rint(v));
        if (shown.length == 0 || shown[0] == shown[shown.length - 1]) {
            return whole && shown.length > 0 && axis.min() == null && axis.max() == null
                    ? new Range(false, shown[0] - 1, shown[0] + 1, true) : padded;
        }
        double low = axis.min() == null ? shown[0] : padded.low();
        double high = axis.max() == null ? shown[shown.length - 1] : padded.high();
        return low < high ? new Range(axis.logarithmic(), low, high, whole) : padded;
    }

    /** 0 at the low end, 1 at the high end; on a logarithmic range 0 for what is not positive. */
    double part(double value) {
        if (!logarithmic) {
            return (value - low) / (high - low);
        }
        return value <= 0 ? 0 : Math.log(value / low) / Math.log(high / low);
    }
}
