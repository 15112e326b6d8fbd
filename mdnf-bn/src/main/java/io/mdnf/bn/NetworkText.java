package io.mdnf.bn;

import io.mdnf.file.Gzip;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The text of a network file, and messages about places in it. */
final class NetworkText {

    /** Most bytes of text, after decompression. */
    static final int MOST_BYTES = 64 << 20;

    /** A number as all formats have it: no sign, no comma, nothing that is not finite when read. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,400}(\\.[0-9]{0,400})?([eE][-+]?[0-9]{1,9})?"
            + "|\\.[0-9]{1,400}([eE][-+]?[0-9]{1,9})?");
    private static final Pattern LATIN_1 = Pattern.compile("<\\?xml[^>]{0,200}?\\sencoding\\s{0,9}=\\s{0,9}[\"']"
            + "ISO-8859-1[\"']", Pattern.CASE_INSENSITIVE);
    private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");

    private final String source;
    private final String text;

    /** A text called by its source; a byte order mark is no part of it. */
    NetworkText(String source, String text) {
        this.source = source;
        this.text = text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /** The text of a stream, gzip or plain: UTF-8, or Latin-1 where it is not valid UTF-8, or as XML says it is. */
    static String decoded(InputStream in, String source) throws IOException {
        byte[] bytes = in.readNBytes(MOST_BYTES + 1);
        try {
            bytes = Gzip.unpacked(bytes, MOST_BYTES + 1);
        } catch (IOException e) {
            NetworkFileException damaged = new NetworkFileException(source, 1, 1, "found a damaged gzip stream ("
                    + e.getCause().getMessage() + "), expected a whole one");
            damaged.initCause(e);
            throw damaged;
        }
        if (bytes.length > MOST_BYTES) {
            throw new NetworkFileException(source, 1, 1, "found more than " + MOST_BYTES
                    + " bytes, expected at most that");
        }
        if (LATIN_1.matcher(new String(bytes, 0, Math.min(bytes.length, 400), StandardCharsets.ISO_8859_1))
                .lookingAt()) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return new String(bytes, StandardCharsets.ISO_8859_1); // older files; the keywords are ASCII either way
        }
    }

    enum Kind { WORD, QUOTED, PUNCTUATION, END }

    /**
     * A piece of the text.
     *
     * @param text its characters, without quotes
     * @param at where it starts
     */
    record Token(Kind kind, String text, int at) {

        /** Keywords are never quoted. */
        boolean is(String expected) {
            return (kind == Kind.WORD || kind == Kind.PUNCTUATION) && text.equals(expected);
        }

        boolean isName() {
            return kind == Kind.WORD || kind == Kind.QUOTED;
        }

        /** As it appears in a message. */
        String shown() {
            return kind == Kind.END ? "the end of the file" : Names.quote(text);
        }
    }

    String text() {
        return text;
    }

    /** Goes on if something holds; the message is made either way, so this is not for every token. */
    void require(boolean holds, Token where, String otherwise) {
        if (!holds) {
            throw wrong(where, otherwise);
        }
    }

    NetworkFileException wrong(Token where, String what) {
        return wrong(where.at, what);
    }

    NetworkFileException wrong(int where, String what) {
        int before = Math.max(text.lastIndexOf('\n', where - 1), text.lastIndexOf('\r', where - 1));
        return new NetworkFileException(source, line(where), where - before, what);
    }

    NetworkFileException found(Token token, String expected) {
        return wrong(token, "found " + token.shown() + ", expected " + expected);
    }

    /** The line of a place in the text, from 1; CR, LF and CRLF each end one. */
    int line(int where) {
        return 1 + (int) LINE_END.matcher(text).region(0, where).results().count();
    }

    /** What a word says as a probability. */
    double number(Token token) {
        if (token.kind != Kind.WORD || !NUMBER.matcher(token.text).matches()) {
            throw found(token, "a probability such as 0.25 or 1e-3");
        }
        return Double.parseDouble(token.text);
    }
}
