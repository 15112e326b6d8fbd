package io.mdnf.bn;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes networks in Hugin's language; names that are none there go in double quotes, as {@link HuginParser} reads. */
final class HuginWriter {

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private HuginWriter() {
    }

    static String text(BayesianNetwork network) {
        StringBuilder out = new StringBuilder("net\n{\n  name = ").append(Names.escaped(network.name()))
                .append(";\n}\n");
        for (Node node : network.nodes()) {
            out.append("node ").append(name(node.name())).append("\n{\n  states = ( ").append(node.states().stream()
                    .map(Names::escaped).collect(Collectors.joining(" "))).append(" );\n}\n");
        }
        for (int i = 0; i < network.size(); i++) {
            potential(network, i, out);
        }
        return out.toString();
    }

    private static void potential(BayesianNetwork network, int i, StringBuilder out) {
        Node node = network.node(i);
        out.append("potential ( ").append(name(node.name()));
        if (!node.parents().isEmpty()) {
            out.append(" | ").append(node.parents().stream().map(HuginWriter::name).collect(Collectors.joining(" ")));
        }
        out.append(" )\n{\n  data = ");
        for (int row = 0; row < node.rows(); row++) {
            int levels = levels(network, i, row);
            out.append(row == 0 ? "" : "\n    ").append("(".repeat(levels));
            for (int state = 0; state < node.cardinality(); state++) {
                out.append(' ').append(BifWriter.number(node.probability(row, state)));
            }
            out.append(' ').append(")".repeat(levels(network, i, row + 1)));
        }
        out.append(";\n}\n");
    }

    /** How many parentheses open before a row, or close before the one that would come there. */
    private static int levels(BayesianNetwork network, int i, int row) {
        int[] parents = network.parents(i);
        int levels = 1;
        int rows = 1;
        for (int p = parents.length - 1; p >= 0; p--) {
            rows *= network.cardinality(parents[p]);
            levels += row % rows == 0 ? 1 : 0;
        }
        return levels;
    }

    private static String name(String name) {
        return IDENTIFIER.matcher(name).matches() ? name : Names.escaped(name);
    }
}
