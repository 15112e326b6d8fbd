package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HuginParserTest {

    private static final String ABC = "net { node_size = (80 40); name = \"three\"; }\n"
            + "node A { states = (\"a0\" \"a1\"); }\n"
            + "node B { states = (\"b0\" \"b1\" \"b2\"); }\n"
            + "node C { states = (\"c0\" \"c1\"); }\n"
            + "potential (A) { data = (0.3 0.7); }\n"
            + "potential (B) { data = (0.2 0.3 0.5); }\n";
    private static final double[] TABLE = {1, 0, 0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.6, 0.4, 0.5, 0.5};

    private static BayesianNetwork read(String text) {
        return NetworkFormat.HUGIN.parse(text, "n.net");
    }

    @Test
    void theLastParentIsFastestButForTheChild() {
        BayesianNetwork nested = read(ABC + "potential (C | A B) { data = (((1 0) (.9 .1) (.8 .2))\n"
                + " ((.7 .3)(.6 .4)( 0.5 5e-1 ))); }");
        assertThat(nested.node(2).table()).containsExactly(TABLE);
        assertThat(nested.node(2).parents()).containsExactly("A", "B");
        assertThat(nested.name()).isEqualTo("three");
        assertThat(read(ABC + "potential (C | A B) { data = (1 0 .9 .1 .8 .2 .7 .3 .6 .4 .5 .5); }"))
                .isEqualTo(nested);
    }

    @Test
    void commentsAttributesClassesAndOrderDoNotMatter() {
        String plain = ABC + "potential (C | A) { data = ((1 0) (0 1)); }";
        String dressed = "% Hugin } potential\r\nclass three\r\n{\r\n inputs = ();\r\n  HR_Desc = \"a; line\n with } "
                + "and % and \\\" in it\";\n"
                + "potential ( C | A ) % second ; }\n{ experience = (1 2); data = ((1 0)% row\n (0 1)); }\n"
                + "discrete node A { label = \"\"; position = (1 2); states = (a0 \"a1\"); subtype = label; }\n"
                + "node \"B\" { states = (\"b0\" \"b1\" \"b2\"); label = \"; } (\"; }\n"
                + "node C { HR_Group = \"0\"; states = (\"c0\" \"c1\"); }\n"
                + "potential (\"A\" | ) { data = (0.3 0.7); } potential (B) { data = ( 0.2 0.3 0.5 ); }\n }";
        assertThat(read(dressed)).isEqualTo(read(plain));
    }

    @Test
    void aPotentialWithoutDataIsEqual() {
        assertThat(read(ABC + "potential (C | B) { }").node(2).table()).containsOnly(0.5).hasSize(6);
    }

    @Test
    void errorsSayWhereWhatWasFoundAndWhatWasExpected() {
        refused("", "n.net:4:6: found variable 'C' without probabilities, expected a 'potential' for it");
        refused("potential (C) { data = (0.5 0.6); }",
                "n.net:7:25: found row () of 'C', which sums to 1.1, expected 1 within 1.0E-6");
        refused("potential (C | A) { data = ((1 0)\n (0.2 0.7)); }",
                "n.net:8:3: found row (a1) of 'C', which sums to 0.8999999999999999, expected 1 within 1.0E-6");
        refused("potential (C | A) { data = ((1 0)); }",
                "n.net:7:34: found ')' after 2 probabilities, expected 4 in these parentheses");
        refused("potential (C | A) { data = (1 0 (0 1)); }", "n.net:7:33: found '(', expected parentheses for each of "
                + "the parents of 'C', or one pair around all numbers");
        refused("potential (C | A B) { data = ((1 0 1 0 1 0) (1 0 1 0 1 0)); }", "n.net:7:32: found '1', expected "
                + "parentheses for each of the parents of 'C', or one pair around all numbers");
        refused("potential (C) { data = (1 0 0); }", "n.net:7:29: found '0', expected ')' after 2 probabilities");
        refused("potential (C) { data = (1 -0); }", "n.net:7:27: found '-0', expected a probability such as 0.25 or "
                + "1e-3");
        refused("potential (C | D) { }",
                "n.net:7:16: found unknown variable 'D' (did you mean 'A'?), expected a declared variable");
        refused("potential (C | C) { }", "n.net:7:16: found 'C' as its own parent, expected another variable");
        refused("potential (A) { }", "n.net:7:1: found a second distribution of 'A', first at line 5, expected one");
        refused("potential (C A) { }", "n.net:7:14: found 'A', expected '|' or ')'");
        refused("potential (C) { model_data = (Distribution (1, 1)); }",
                "n.net:7:17: found 'model_data', expected 'data': a table of numbers, no expression");
        refused("continuous node D { }", "n.net:7:1: found 'continuous', expected 'net', 'node', 'potential' or the "
                + "end of the file; only discrete chance nodes make a network");
        refused("node D { label = \"x\"; }", "n.net:7:23: found the end of node 'D', expected its 'states'");
        refused("node D { label = \"x; }", "n.net:7:10: found an attribute without an end, expected ';'");
        refused("node A { }", "n.net:7:6: found a second variable 'A', expected every variable once");
        refused("potential (C | A B) { data = (1 0)", "n.net:7:1: found a potential without an end, expected "
                + "'}'");
        assertThatThrownBy(() -> read("")).hasMessage("n.net:1:1: found the end of the file, expected at least one "
                + "'node'");
    }

    private static void refused(String more, String message) {
        assertThatThrownBy(() -> read(ABC + more)).isInstanceOf(NetworkFileException.class).hasMessage(message);
    }
}
