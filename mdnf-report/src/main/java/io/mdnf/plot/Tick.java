package io.mdnf.plot;

import java.util.ArrayList;
import java.util.List;

/** A round number at which an axis is labelled. */
record Tick(double value, String label) {

    /** About as many ticks as wanted, never fewer than two where the range allows. */
    static List<Tick> of(Range range, int wanted) {
        if (!range.logarithmic()) {
            return linear(range, wanted);
        }
        double decades = Math.log10(range.high() / range.low());
        List<Tick> ticks = decades < 1 ? linear(range, wanted)
                : decades < 3 ? decades(range, 1, new int[] {1, 2, 5})
                : decades(range, Math.max(1, (int) Math.ceil(decades / (wanted + 2))), new int[] {1});
        return ticks.size() < 2 ? linear(range, wanted) : ticks;
    }

    private static List<Tick> decades(Range range, int stride, int[] factors) {
        List<Tick> ticks = new ArrayList<>();
        int first = (int) Math.floor(Math.log10(range.low()) + 1e-9);
        int last = (int) Math.floor(Math.log10(range.high()) + 1e-9);
        for (int power = first; power <= last; power++) {
            if (Math.floorMod(power, stride) != 0) {
                continue;
            }
            for (int factor : factors) {
                double value = factor * Math.pow(10, power);
                if (value >= range.low() * (1 - 1e-9) && value <= range.high() * (1 + 1e-9)) {
                    ticks.add(new Tick(value, Numbers.logTick(factor, power)));
                }
            }
        }
        return ticks;
    }

    private static List<Tick> linear(Range range, int wanted) {
        double rough = (range.high() - range.low()) / Math.max(1, wanted);
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = power * (rough / power > 7.1 ? 10 : rough / power > 3.2 ? 5 : rough / power > 1.4 ? 2 : 1);
        if (range.whole()) {
            step = Math.max(1, step);
        }
        long first = (long) Math.ceil(range.low() / step - 1e-9);
        long last = (long) Math.floor(range.high() / step + 1e-9);
        List<Tick> ticks = new ArrayList<>();
        for (long i = first; i <= last; i++) {
            ticks.add(new Tick(i * step, Numbers.linearTick(i * step, step)));
        }
        return ticks;
    }
}
