package io.mdnf.plot;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

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

    /** All numbers of some lists and of the references among them. */
    static double[] all(Stream<List<Double>> lists, List<Reference> references) {
        return Stream.concat(lists, references.stream().map(Reference::values)).flatMap(List::stream)
                .mapToDouble(v -> v).toArray();
    }
}
