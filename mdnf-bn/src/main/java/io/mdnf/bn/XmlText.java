package io.mdnf.bn;

import io.mdnf.bn.NetworkText.Kind;
import io.mdnf.bn.NetworkText.Token;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts XML into tags and text. What a document type declares is skipped and files outside are never opened; entities
 * other than XML's own five are refused, declared or not, so that nothing grows when it is read.
 */
final class XmlText {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_:][A-Za-z0-9_:.-]{0,99}");
    private static final Pattern REFERENCE = Pattern.compile("&(?:#([0-9]{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]{2,4}));");
    private static final Map<String, String> ENTITIES = Map.of("lt", "<", "gt", ">", "amp", "&", "quot", "\"", "apos",
            "'");
    private static final int DEEPEST = 100;

    private final NetworkText source;
    private final String text;
    private int at;

    /**
     * A tag.
     *
     * @param name as a token, whose place is that of the tag
     * @param end whether it is an end tag
     * @param empty whether it is a start tag and its end tag in one
     * @param attributes of a start tag
     */
    record Tag(Token name, boolean end, boolean empty, Map<String, String> attributes) {

        boolean starts(String expected) {
            return !end && name.is(expected);
        }

        String shown() {
            return "'<" + (end ? "/" : "") + name.text() + ">'";
        }
    }

    XmlText(NetworkText source) {
        this.source = source;
        this.text = source.text();
    }

    void back(int place) {
        at = place;
    }

    int place() {
        return at;
    }

    /** What may stand before the first tag. */
    void prolog() {
        if (text.startsWith("<?xml")) {
            skipPast("?>", "an XML declaration");
        }
        while (skipBlanks() && text.startsWith("<!DOCTYPE", at)) {
            documentType();
        }
    }

    private void documentType() {
        int begin = at;
        boolean inside = false;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (text.startsWith("<!ENTITY", at)) {
                throw source.wrong(at, "found an entity's declaration, expected none");
            } else if (text.startsWith("<!--", at)) {
                skipPast("-->", "a comment");
            } else if (c == '"' || c == '\'') {
                at++;
                skipPast(String.valueOf(c), "a quoted value");
            } else if (c == '[' || c == ']') {
                inside = c == '[';
                at++;
            } else {
                at++;
                if (c == '>' && !inside) {
                    return;
                }
            }
        }
        throw source.wrong(begin, "found a document type without an end, expected '>'");
    }

    /** The next tag, before which there may be blanks and comments only. */
    Tag tag(String expected) {
        skipBlanks();
        int begin = at;
        if (!text.startsWith("<", at) || text.startsWith("<!", at)) {
            Token word = at == text.length() ? new Token(Kind.END, "", at)
                    : new Token(Kind.WORD, text.substring(at, Math.min(text.length(), at + 20)), at);
            throw source.found(word, expected);
        }
        boolean end = text.startsWith("</", at);
        at += end ? 2 : 1;
        Token name = new Token(Kind.WORD, name(), begin);
        Map<String, String> attributes = new HashMap<>();
        while (true) {
            int before = at;
            skipSpace();
            if (text.startsWith("/>", at) && !end || text.startsWith(">", at)) {
                boolean empty = text.charAt(at) == '/';
                at += empty ? 2 : 1;
                return new Tag(name, end, empty, attributes);
            }
            if (end || before == at || at == text.length()) {
                throw source.wrong(at, "found no end of the tag '" + name.text() + "', expected '>'");
            }
            attribute(attributes);
        }
    }

    private void attribute(Map<String, String> attributes) {
        int begin = at;
        String name = name();
        skipSpace();
        boolean assigned = text.startsWith("=", at);
        at += assigned ? 1 : 0;
        skipSpace();
        char quote = assigned && at < text.length() ? text.charAt(at) : 0;
        if (quote != '"' && quote != '\'') {
            throw source.wrong(begin, "found attribute " + Names.quote(name) + " without a value, expected one in "
                    + "quotes");
        }
        int open = ++at;
        skipPast(String.valueOf(quote), "a quoted value");
        String value = text.substring(open, at - 1);
        if (value.indexOf('<') >= 0 || attributes.put(name, value) != null) {
            throw source.wrong(begin, "found attribute " + Names.quote(name) + (value.indexOf('<') >= 0
                    ? " with '<' in its value, expected '&lt;'" : " twice, expected it once"));
        }
    }

    private String name() {
        Matcher name = NAME.matcher(text).region(at, text.length());
        if (!name.lookingAt()) {
            throw source.wrong(at, "found no name here, expected a tag's or an attribute's");
        }
        at = name.end();
        return name.group();
    }

    /** The text in an element without elements in it, without blanks around it, up to behind its end tag. */
    Token content(Tag element) {
        StringBuilder content = new StringBuilder();
        int first = -1;
        int kept = 0; // blanks that were written as references stay
        while (!element.empty()) {
            if (at == text.length()) {
                throw source.wrong(element.name(), "found " + element.shown() + " without an end, expected '</"
                        + element.name().text() + ">'");
            } else if (text.startsWith("<!--", at)) {
                skipPast("-->", "a comment");
            } else if (text.startsWith("<![CDATA[", at)) {
                int open = at + "<![CDATA[".length();
                skipPast("]]>", "a CDATA section");
                content.append(text, open, at - "]]>".length());
                kept = content.length();
            } else if (text.charAt(at) == '<') {
                expectEnd(element);
                break;
            } else if (text.charAt(at) == '&') {
                first = first < 0 ? at : first;
                content.append(reference());
                kept = content.length();
            } else {
                char c = text.charAt(at);
                if (!isSpace(c) || !content.isEmpty()) {
                    first = first < 0 ? at : first;
                    content.append(c);
                    kept = isSpace(c) ? kept : content.length();
                }
                at++;
            }
        }
        return new Token(Kind.QUOTED, content.substring(0, kept), first < 0 ? element.name().at() : first);
    }

    void expectEnd(Tag element) {
        Tag end = tag("'</" + element.name().text() + ">'");
        if (!end.end() || !end.name().text().equals(element.name().text())) {
            throw source.wrong(end.name(), "found " + end.shown() + ", expected '</" + element.name().text() + ">'");
        }
    }

    private String reference() {
        Matcher reference = REFERENCE.matcher(text).region(at, Math.min(text.length(), at + 20));
        if (!reference.lookingAt()) {
            throw source.wrong(at, "found '&' that begins no reference, expected '&amp;'");
        }
        String named = reference.group(3);
        int code = named != null ? ' ' : reference.group(1) != null ? Integer.parseInt(reference.group(1))
                : Integer.parseInt(reference.group(2), 16);
        if (named != null && !ENTITIES.containsKey(named) || !Character.isValidCodePoint(code)
                || code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE) {
            throw source.wrong(at, "found entity " + Names.quote(reference.group()) + ", expected &lt; &gt; &amp; "
                    + "&quot; &apos; or a character's number");
        }
        at = reference.end();
        return named != null ? ENTITIES.get(named) : Character.toString(code);
    }

    /** The next word of an element's text, or its end; a word is no name and has no references. */
    Token word(Tag element) {
        skipBlanks();
        if (element.empty() || at == text.length() || text.charAt(at) == '<') {
            return new Token(Kind.PUNCTUATION, "</" + element.name().text() + ">", at);
        }
        int start = at;
        while (at < text.length() && !isSpace(text.charAt(at)) && text.charAt(at) != '<') {
            at++;
        }
        return new Token(Kind.WORD, text.substring(start, at), start);
    }

    /** Skips an element with whatever is in it. */
    void skip(Tag element) {
        Deque<Tag> open = new ArrayDeque<>();
        if (!element.empty()) {
            open.push(element);
        }
        while (!open.isEmpty()) {
            int next = text.indexOf('<', at);
            if (next < 0) {
                throw source.wrong(open.peek().name(), "found " + open.peek().shown() + " without an end, expected '</"
                        + open.peek().name().text() + ">'");
            }
            at = next;
            if (text.startsWith("<![CDATA[", at)) {
                skipPast("]]>", "a CDATA section");
            } else if (text.startsWith("</", at)) {
                expectEnd(open.pop());
            } else if (!text.startsWith("<!--", at) && !text.startsWith("<?", at)) {
                Tag tag = tag("a tag");
                if (!tag.empty()) {
                    open.push(tag);
                }
                source.require(open.size() <= DEEPEST, tag.name(), "found more than " + DEEPEST
                        + " elements in each other, expected at most that");
            } else {
                skipBlanks();
            }
        }
    }

    /** Refuses whatever follows but comments. */
    void end() {
        skipBlanks();
        if (at < text.length()) {
            throw source.wrong(at, "found more behind the last tag, expected the end of the file");
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }

    private void skipSpace() {
        while (at < text.length() && isSpace(text.charAt(at))) {
            at++;
        }
    }

    /** Skips blanks, comments and processing instructions. */
    private boolean skipBlanks() {
        skipSpace();
        while (text.startsWith("<!--", at) || text.startsWith("<?", at)) {
            if (text.startsWith("<?", at)) {
                skipPast("?>", "a processing instruction");
            } else {
                skipPast("-->", "a comment");
            }
            skipSpace();
        }
        return at < text.length();
    }

    private void skipPast(String end, String what) {
        int found = text.indexOf(end, at);
        if (found < 0) {
            throw source.wrong(at, "found " + what + " without an end, expected " + Names.quote(end));
        }
        at = found + end.length();
    }
}
