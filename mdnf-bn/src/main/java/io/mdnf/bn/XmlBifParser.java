package io.mdnf.bn;

import io.mdnf.bn.NetworkText.Kind;
import io.mdnf.bn.NetworkText.Token;
import io.mdnf.bn.XmlText.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads networks in XMLBIF 0.3, as Weka, JavaBayes, pgmpy and others write it: a {@code BIF} with one {@code NETWORK}
 * of {@code NAME}, {@code VARIABLE} ({@code NAME}, {@code OUTCOME}) and {@code DEFINITION} ({@code FOR},
 * {@code GIVEN}, {@code TABLE}), each in any order, {@code PROPERTY} anywhere and skipped. In a {@code TABLE} the
 * child is fastest, then the last of those given. Decisions and utilities are refused.
 */
final class XmlBifParser {

    private static final Pattern ENCODING = Pattern.compile("<\\?xml[^>]{0,200}?\\sencoding\\s{0,9}=\\s{0,9}[\"']"
            + "([A-Za-z0-9._-]{1,40})[\"']");
    private static final Set<String> ENCODINGS = Set.of("UTF-8", "UTF8", "US-ASCII", "ASCII", "ISO-8859-1");

    private final NetworkText text;
    private final XmlText xml;
    private final NetworkDraft draft;
    private String name;

    XmlBifParser(NetworkText text) {
        this.text = text;
        this.xml = new XmlText(text);
        this.draft = new NetworkDraft(text, "a DEFINITION");
    }

    BayesianNetwork network() {
        Matcher encoding = ENCODING.matcher(text.text());
        if (encoding.lookingAt() && !ENCODINGS.contains(encoding.group(1).toUpperCase(Locale.ROOT))) {
            throw text.wrong(encoding.start(1), "found encoding " + Names.quote(encoding.group(1))
                    + ", expected UTF-8 or ISO-8859-1");
        }
        xml.prolog();
        Tag root = expect("BIF");
        String version = root.attributes().getOrDefault("VERSION", "0.3");
        text.require(version.equals("0.3"), root.name(), "found version " + Names.quote(version) + ", expected '0.3'");
        Tag network = expect("NETWORK");
        List<Integer> later = new ArrayList<>();
        Tag last = network;
        while (!network.empty()) {
            int place = xml.place();
            last = xml.tag("VARIABLE, DEFINITION or '</NETWORK>'");
            if (last.end()) {
                xml.back(place);
                xml.expectEnd(network);
                break;
            } else if (last.starts("VARIABLE")) {
                variable(last);
            } else if (last.starts("DEFINITION")) {
                later.add(place);
                xml.skip(last);
            } else if (last.starts("NAME")) {
                text.require(name == null, last.name(), "found a second NAME of the network, expected one");
                name = title(xml.content(last));
            } else {
                property(last, "NAME, VARIABLE, DEFINITION, PROPERTY or '</NETWORK>'");
            }
        }
        text.require(!draft.isEmpty(), last.name(), "found a NETWORK without a VARIABLE, expected at least one");
        xml.expectEnd(root);
        xml.end();
        for (int place : later) {
            xml.back(place);
            definition(xml.tag("DEFINITION"));
        }
        return draft.build(name == null || name.isEmpty() ? NetworkDraft.UNNAMED : name);
    }

    private String title(Token content) {
        text.require(content.text().chars().noneMatch(Character::isISOControl), content,
                "found a control character in the network's NAME, expected none");
        return content.text();
    }

    private Tag expect(String name) {
        Tag tag = xml.tag("'<" + name + ">'");
        if (!tag.starts(name) || name.equals("BIF") && tag.empty()) {
            throw text.wrong(tag.name(), "found " + tag.shown() + ", expected '<" + name + ">'");
        }
        return tag;
    }

    private void property(Tag tag, String expected) {
        if (!tag.starts("PROPERTY")) {
            throw text.wrong(tag.name(), "found " + tag.shown() + ", expected " + expected);
        }
        xml.skip(tag);
    }

    /** Hears each element inside another. */
    private interface Inside {
        void element(Tag tag);
    }

    private void inside(Tag outer, Inside each) {
        while (!outer.empty()) {
            int place = xml.place();
            Tag tag = xml.tag("'</" + outer.name().text() + ">'");
            if (tag.end()) {
                xml.back(place);
                xml.expectEnd(outer);
                return;
            }
            each.element(tag);
        }
    }

    private void variable(Tag element) {
        String type = element.attributes().getOrDefault("TYPE", "nature");
        text.require(type.equals("nature"), element.name(), "found a VARIABLE of type " + Names.quote(type)
                + ", expected 'nature': only chance nodes make a network");
        List<Token> names = new ArrayList<>();
        List<Token> outcomes = new ArrayList<>();
        inside(element, tag -> {
            if (tag.starts("NAME") || tag.starts("OUTCOME")) {
                (tag.starts("NAME") ? names : outcomes).add(xml.content(tag));
            } else {
                property(tag, "NAME, OUTCOME, PROPERTY or '</VARIABLE>'");
            }
        });
        requireOne(element, "NAME", names.size());
        text.require(!outcomes.isEmpty(), element.name(), "found a VARIABLE without an OUTCOME, expected at least one");
        NetworkDraft.Variable variable = draft.declare(names.get(0));
        outcomes.forEach(outcome -> draft.addState(variable, outcome));
    }

    private void requireOne(Tag element, String what, int count) {
        text.require(count == 1, element.name(), "found " + count + " " + what + " in this " + element.name().text()
                + ", expected one");
    }

    private void definition(Tag element) {
        List<Token> child = new ArrayList<>();
        List<Token> given = new ArrayList<>();
        List<Tag> tables = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        inside(element, tag -> {
            if (tag.starts("FOR") || tag.starts("GIVEN")) {
                (tag.starts("FOR") ? child : given).add(xml.content(tag));
            } else if (tag.starts("TABLE")) {
                tables.add(tag);
                places.add(xml.place());
                xml.skip(tag);
            } else {
                property(tag, "FOR, GIVEN, TABLE, PROPERTY or '</DEFINITION>'");
            }
        });
        requireOne(element, "FOR", child.size());
        requireOne(element, "TABLE", tables.size());
        NetworkDraft.Variable variable = draft.distribution(element.name(), child.get(0));
        given.forEach(parent -> draft.addParent(variable, parent));
        double[] table = new double[draft.rows(variable) * variable.states.size()];
        xml.back(places.get(0));
        table(tables.get(0), variable, table);
        draft.table(variable, table);
    }

    private void table(Tag element, NetworkDraft.Variable child, double[] table) {
        int states = child.states.size();
        Token row = null;
        for (int i = 0; i < table.length; i++) {
            Token word = xml.word(element);
            if (word.kind() != Kind.WORD) {
                throw text.wrong(word, "found " + word.shown() + " after " + i + " probabilities, expected "
                        + table.length + ", one per configuration of its parents and state of " + child.shown());
            }
            row = i % states == 0 ? word : row;
            table[i] = text.number(word);
            if (i % states == states - 1) {
                draft.requireSum(row, child, i / states, table, i + 1 - states);
            }
        }
        Token end = xml.word(element);
        if (end.kind() == Kind.WORD) {
            throw text.found(end, "'</TABLE>' after " + table.length + " probabilities");
        }
        if (!element.empty()) {
            xml.expectEnd(element);
        }
    }
}
