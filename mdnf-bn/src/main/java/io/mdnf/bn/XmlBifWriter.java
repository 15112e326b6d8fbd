package io.mdnf.bn;

/** Writes networks in XMLBIF 0.3; {@link XmlBifParser} gives back an equal network. */
final class XmlBifWriter {

    private XmlBifWriter() {
    }

    static String text(BayesianNetwork network) {
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BIF VERSION=\"0.3\">\n"
                + "<NETWORK>\n<NAME>").append(escaped(network.name())).append("</NAME>\n");
        for (Node node : network.nodes()) {
            out.append("<VARIABLE TYPE=\"nature\">\n  <NAME>").append(escaped(node.name())).append("</NAME>\n");
            node.states().forEach(state -> out.append("  <OUTCOME>").append(escaped(state)).append("</OUTCOME>\n"));
            out.append("</VARIABLE>\n");
        }
        for (Node node : network.nodes()) {
            out.append("<DEFINITION>\n  <FOR>").append(escaped(node.name())).append("</FOR>\n");
            node.parents().forEach(parent -> out.append("  <GIVEN>").append(escaped(parent)).append("</GIVEN>\n"));
            out.append("  <TABLE>");
            for (int row = 0; row < node.rows(); row++) {
                out.append(row == 0 ? "" : "\n   ");
                for (int state = 0; state < node.cardinality(); state++) {
                    out.append(row + state == 0 ? "" : " ").append(BifWriter.number(node.probability(row, state)));
                }
            }
            out.append("</TABLE>\n</DEFINITION>\n");
        }
        return out.append("</NETWORK>\n</BIF>\n").toString();
    }

    /** Blanks at the ends are written as numbers, since those of the layout are not read. */
    private static String escaped(String name) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean end = i == 0 || i == name.length() - 1;
            out.append(c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == ' ' && end ? "&#32;"
                    : String.valueOf(c));
        }
        return out.toString();
    }
}
