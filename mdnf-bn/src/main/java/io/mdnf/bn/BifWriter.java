package io.mdnf.bn;

import io.mdnf.space.CodeSpace;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes Bayesian networks in the Interchange Format, one row per parent configuration, so that reading gives back an
 * equal network: numbers are written with the fewest digits that read back to the same bits.
 */
public final class BifWriter {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.<>=+-]+");
    private static final Set<String> KEYWORDS = Set.of("network", "variable", "probability", "property", "type",
            "discrete", "default", "table");

    private BifWriter() {
    }

    /** Returns the network as text, lines ended by LF. */
    public static String text(BayesianNetwork network) {
        StringBuilder out = new StringBuilder();
        out.append("network ").append(name(network.name())).append(" {\n}\n");
        for (Node node : network.nodes()) {
            out.append("variable ").append(name(node.name())).append(" {\n  type discrete [ ")
                    .append(node.cardinality()).append(" ] { ").append(names(node.states())).append(" };\n}\n");
        }
        for (int i = 0; i < network.size(); i++) {
            probability(network, i, out);
        }
        return out.toString();
    }

    private static void probability(BayesianNetwork network, int i, StringBuilder out) {
        Node node = network.node(i);
        int[] parents = network.parents(i);
        out.append("probability ( ").append(name(node.name()));
        if (parents.length > 0) {
            out.append(" | ").append(names(node.parents()));
        }
        out.append(" ) {\n");
        int[][] configurations = CodeSpace.of(network.cardinalities()).configurations(parents);
        for (int row = 0; row < node.rows(); row++) {
            int[] given = configurations[row];
            List<String> states = IntStream.range(0, given.length)
                    .mapToObj(p -> network.node(parents[p]).states().get(given[p])).toList();
            out.append(parents.length == 0 ? "  table " : "  (" + names(states) + ") ");
            for (int state = 0; state < node.cardinality(); state++) {
                out.append(state == 0 ? "" : ", ").append(number(node.probability(row, state)));
            }
            out.append(";\n");
        }
        out.append("}\n");
    }

    private static String names(List<String> names) {
        return names.stream().map(BifWriter::name).collect(Collectors.joining(", "));
    }

    private static String name(String name) {
        boolean plain = PLAIN.matcher(name).matches() && !KEYWORDS.contains(name);
        return plain ? name : Names.escaped(name);
    }

    /** Java 17's Double.toString is exact but not always shortest; every double needs at most 17 digits. */
    static String number(double value) {
        if (value == 0) {
            return "0.0";
        }
        BigDecimal exact = new BigDecimal(value);
        int digits = 14;
        BigDecimal rounded;
        do {
            rounded = exact.round(new MathContext(++digits, RoundingMode.HALF_EVEN));
        } while (rounded.doubleValue() != value && digits < 17);
        // The format's own grammar, unlike ours, is read by some programs as asking for a decimal point.
        String text = rounded.stripTrailingZeros().toString().replace("E", "e");
        if (text.indexOf('.') >= 0) {
            return text;
        }
        int exponent = text.indexOf('e');
        return exponent < 0 ? text + ".0" : text.substring(0, exponent) + ".0" + text.substring(exponent);
    }
}
