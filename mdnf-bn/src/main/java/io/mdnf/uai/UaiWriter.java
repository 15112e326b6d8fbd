package io.mdnf.uai;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes what {@link UaiReader} reads, lines ended by LF; numbers read back to the same bits. */
public final class UaiWriter {

    private UaiWriter() {
    }

    /** Returns a model as text. */
    public static String model(UaiModel model) {
        StringBuilder out = new StringBuilder().append(model.kind()).append('\n').append(model.variables())
                .append('\n');
        out.append(joined(model.cardinalities())).append('\n').append(model.tables().size()).append('\n');
        for (UaiTable table : model.tables()) {
            int[] variables = table.variables();
            out.append(variables.length).append(variables.length == 0 ? "" : " ").append(joined(variables))
                    .append('\n');
        }
        for (UaiTable table : model.tables()) {
            double[] values = table.values();
            out.append('\n').append(values.length).append('\n').append(joined(values)).append('\n');
        }
        return out.toString();
    }

    /** Returns evidence as text, in the dialect without a number of samples. */
    public static String evidence(UaiEvidence evidence) {
        StringBuilder out = new StringBuilder().append(evidence.observed().size());
        evidence.observed().forEach((variable, state) -> out.append(' ').append(variable).append(' ').append(state));
        return out.append('\n').toString();
    }

    /** Returns marginals [n][K_d] as text, {@code MAR}. */
    public static String marginals(double[][] marginals) {
        return "MAR\n" + marginals.length + Arrays.stream(marginals).map(row -> " " + row.length + " " + joined(row))
                .collect(Collectors.joining()) + "\n";
    }

    /** Returns a partition function as text, {@code PR}: log10 of what is given by its natural logarithm. */
    public static String logPartition(double log) {
        return "PR\n" + log / Math.log(10) + "\n";
    }

    private static String joined(int... values) {
        return IntStream.of(values).mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }

    /** 0 and 1 by one character: most tables have little else. */
    private static String joined(double... values) {
        return Arrays.stream(values).mapToObj(v -> v == 0 ? "0" : v == 1 ? "1" : Double.toString(v))
                .collect(Collectors.joining(" "));
    }
}
