package io.mdnf.plot;

import java.util.Arrays;
import java.util.List;

/** Lists of numbers: records of lists are equal when their numbers are, records of arrays are not. */
final class Values {
    private Values() {
    }

    static List<Double> list(double... values) {
        return Arrays.stream(values).boxed().toList();
    }

    static List<List<Double>> lists(double[]... values) {
        return Arrays.stream(values).map(Values::list).toList();
    }

    static List<List<Double>> copy(List<List<Double>> values) {
        return values.stream().map(List::copyOf).toList();
    }
}
