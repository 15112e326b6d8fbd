package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlBifParserTest {

    private static final String DTD = "<!DOCTYPE BIF [\n <!ELEMENT BIF ( NETWORK )*>\n <!ATTLIST BIF VERSION CDATA "
            + "#REQUIRED>\n <!-- ] > ' -->\n <!ELEMENT PROPERTY (#PCDATA)>\n]>\n";
    private static final String AB = "<BIF VERSION=\"0.3\"><NETWORK><NAME>two</NAME>\n"
            + "<VARIABLE TYPE=\"nature\"><NAME>A</NAME><OUTCOME>a0</OUTCOME><OUTCOME>a1</OUTCOME></VARIABLE>\n"
            + "<VARIABLE><NAME>B</NAME><OUTCOME>b0</OUTCOME><OUTCOME>b1</OUTCOME><OUTCOME>b2</OUTCOME></VARIABLE>\n"
            + "<DEFINITION><FOR>A</FOR><TABLE>0.3 0.7</TABLE></DEFINITION>\n";
    private static final String END = "</NETWORK></BIF>";
    private static final String B = "<DEFINITION><FOR>B</FOR><GIVEN>A</GIVEN><TABLE>.5 .25 .25 .1 .2 .7</TABLE>"
            + "</DEFINITION>";

    private static BayesianNetwork read(String text) {
        return NetworkFormat.XMLBIF.parse(text, "n.xml");
    }

    @Test
    void theChildIsFastestThenTheLastOfThoseGiven() {
        BayesianNetwork network = read(AB + B + "<VARIABLE><NAME>C</NAME><OUTCOME>c</OUTCOME><OUTCOME>d</OUTCOME>"
                + "</VARIABLE><DEFINITION><FOR>C</FOR><GIVEN>A</GIVEN><GIVEN>B</GIVEN>"
                + "<TABLE>1 0 .9 .1 .8 .2 .7 .3 .6 .4 .5 .5</TABLE></DEFINITION>" + END);
        assertThat(network.name()).isEqualTo("two");
        assertThat(network.node(1).table()).containsExactly(0.5, 0.25, 0.25, 0.1, 0.2, 0.7);
        assertThat(network.node(2).table()).containsExactly(1, 0, 0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.6, 0.4, 0.5, 0.5);
    }

    @Test
    void orderOfElementsCommentsPropertiesAndLayoutDoNotMatter() {
        String dressed = "\uFEFF<?xml version=\"1.0\" encoding=\"US-ASCII\"?>\r\n<!-- by hand -->\r\n" + DTD
                + "<?style none?><BIF VERSION='0.3' xmlns:xsi=\"x\">\r\n<!-- a < b --><NETWORK>\r\n"
                + "<DEFINITION>\r\n<TABLE> .5 <!-- b1 --> .25\r\n .25\t.1 .2<!----> 7e-1\r\n</TABLE><PROPERTY/>"
                + "<GIVEN>\r\n A\r\n</GIVEN><FOR><![CDATA[B]]></FOR></DEFINITION>\n"
                + "<PROPERTY>a <b x='1'>&lt;<NAME/><![CDATA[</b>]]></b></PROPERTY>\n"
                + "<VARIABLE TYPE='nature'><OUTCOME>a0</OUTCOME><PROPERTY>position = (1, 2)</PROPERTY>"
                + "<OUTCOME>&#x61;<!-- -->1</OUTCOME><NAME> A </NAME></VARIABLE >\n"
                + "<NAME>tw&#111;</NAME>"
                + "<VARIABLE><NAME>B</NAME><OUTCOME>b0</OUTCOME><OUTCOME>b1</OUTCOME><OUTCOME>b2</OUTCOME></VARIABLE>"
                + "<DEFINITION><FOR>A</FOR><TABLE>0.3 0.7</TABLE></DEFINITION></NETWORK>\n</BIF>\n<!-- end -->\n";
        assertThat(read(dressed)).isEqualTo(read(AB + B + END));
    }

    @Test
    void errorsSayWhereWhatWasFoundAndWhatWasExpected() {
        refused("", "n.xml:3:17: found variable 'B' without probabilities, expected a DEFINITION for it");
        refused(B.replace(".25 .1", ".26 .1"), "n.xml:5:48: found row (a0) of 'B', which sums to 1.01, expected 1 "
                + "within 1.0E-6");
        refused(B.replace(" .7", ""), "n.xml:5:64: found '</TABLE>' after 5 probabilities, expected 6, one per "
                + "configuration of its parents and state of 'B'");
        refused(B.replace(" .7", " .7 1"), "n.xml:5:68: found '1', expected '</TABLE>' after 6 probabilities");
        refused(B.replace(" .7", " +.7"), "n.xml:5:65: found '+.7', expected a probability such as 0.25 or 1e-3");
        refused(B.replace("<GIVEN>A", "<GIVEN>C"), "n.xml:5:32: found unknown variable 'C' (did you mean 'A'?), "
                + "expected a declared variable");
        refused(B.replace("GIVEN>", "PARENT>"), "n.xml:5:25: found '<PARENT>', expected FOR, GIVEN, TABLE, PROPERTY or "
                + "'</DEFINITION>'");
        refused(B.replace("</GIVEN>", "</FOR>"), "n.xml:5:33: found '</FOR>', expected '</GIVEN>'");
        refused(B + B, "n.xml:5:" + (B.length() + 1)
                + ": found a second distribution of 'B', first at line 5, expected one");
        refused("<VARIABLE TYPE=\"decision\"/>", "n.xml:5:1: found a VARIABLE of type 'decision', expected 'nature': "
                + "only chance nodes make a network");
        refused("<VARIABLE><NAME>A</NAME><OUTCOME>x</OUTCOME></VARIABLE>",
                "n.xml:5:17: found a second variable 'A', expected every variable once");
        refused("<VARIABLE><NAME>&copy;</NAME></VARIABLE>", "n.xml:5:17: found entity '&copy;', expected &lt; &gt; "
                + "&amp; &quot; &apos; or a character's number");
        refused("<VARIABLE><NAME></NAME><OUTCOME>x</OUTCOME></VARIABLE>", "n.xml:5:11: found '', expected the name of "
                + "a variable, at least one character and no control characters");
        refused("text", "n.xml:5:1: found 'text</NETWORK></BIF>', expected VARIABLE, DEFINITION or '</NETWORK>'");
        assertThatThrownBy(() -> read("<BIF VERSION=\"0.5\"><NETWORK/></BIF>"))
                .hasMessage("n.xml:1:1: found version '0.5', expected '0.3'");
        assertThatThrownBy(() -> read("<?xml version='1.0' encoding='UTF-16'?><BIF/>"))
                .hasMessage("n.xml:1:31: found encoding 'UTF-16', expected UTF-8 or ISO-8859-1");
        assertThatThrownBy(() -> read(AB + B + END + "<BIF/>"))
                .hasMessageContaining("found more behind the last tag, expected the end of the file");
    }

    private static void refused(String more, String message) {
        assertThatThrownBy(() -> read(AB + more + END)).isInstanceOf(NetworkFileException.class).hasMessage(message);
    }

    /** Neither what is declared nor a file outside is ever read. */
    @ParameterizedTest
    @ValueSource(strings = {
        "<!DOCTYPE BIF [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>",
        "<!DOCTYPE BIF [<!ENTITY % p SYSTEM \"file:///etc/passwd\"> %p;]>",
        "<!DOCTYPE BIF [<!ENTITY x SYSTEM 'FILE'>]>"})
    void entitiesAreRefused(String type, @TempDir Path folder) throws java.io.IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "A");
        String text = type.replace("FILE", secret.toUri().toString()) + AB.replace("<NAME>A", "<NAME>&x;") + B + END;
        assertThatThrownBy(() -> read(text)).isInstanceOf(NetworkFileException.class)
                .hasMessageContaining("found an entity's declaration, expected none");
        assertThat(read("<!DOCTYPE BIF SYSTEM \"" + secret.toUri() + "\">" + AB + B + END).size()).isEqualTo(2);
    }
}
