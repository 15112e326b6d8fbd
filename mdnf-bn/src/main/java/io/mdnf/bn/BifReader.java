package io.mdnf.bn;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads Bayesian networks in the Interchange Format (BIF 0.15), as written by bnlearn, JavaBayes, pgmpy and others.
 *
 * <p>What is accepted:
 * <ul>
 * <li>Plain or gzip (told by the first two bytes, not by the file name); UTF-8, or Latin-1 when it is not valid UTF-8;
 *     any line ends; {@code //} and {@code /* *}{@code /} comments; an optional {@code network} block; variable and
 *     probability blocks in any order. Text outside blocks is refused, since it may be a misspelt block.</li>
 * <li>Names: any run of characters without blanks and without <code>{ } ( ) [ ] , | ; "</code>, or in double quotes on
 *     one line, with {@code \"} and {@code \\} inside.</li>
 * <li>Lists separated by blanks or one comma each. The parents in {@code probability ( child | parents )} may also
 *     follow the child after a comma or a blank.</li>
 * <li>{@code (s1, s2) p, p, ...;} one row, the parents' states <em>by name</em>, in any order of rows;
 *     {@code default p, p, ...;} for every row not given.</li>
 * <li>{@code table p, p, ...;} the whole table, nothing else beside it. As the format defines, the numbers run
 *     over the header's variables with the last parent fastest and the <em>child slowest</em>. Some programs
 *     write the child fastest; that is accepted when the rows sum to 1 that way and not the other way.</li>
 * <li>{@code property ...;} anywhere in a block. Properties are skipped: they say how to draw a network.</li>
 * </ul>
 *
 * <p>Each row must sum to 1 within {@link Node#ROW_TOLERANCE} and is then normalised. Everything else is refused with a
 * {@link NetworkFileException}. Input of more than {@value #MOST_BYTES} bytes after decompression, or tables of more
 * than {@value #MOST_ENTRIES} numbers in all, are refused before memory is taken for them.
 */
public final class BifReader {

    /** Most bytes of text, after decompression. */
    public static final int MOST_BYTES = 64 << 20;

    /** Most probabilities in all tables of a network together. */
    public static final int MOST_ENTRIES = NetworkDraft.MOST_ENTRIES;

    private BifReader() {
    }

    /**
     * Reads a file, gzip or plain.
     *
     * @throws IOException if the file cannot be read
     * @throws NetworkFileException if its content is not a valid network
     */
    public static BayesianNetwork read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, file.toString());
        }
    }

    /**
     * Reads a stream to its end, gzip or plain, called {@code source} in messages; does not close it.
     *
     * @throws IOException if the stream fails
     * @throws NetworkFileException if its content is not a valid network
     */
    public static BayesianNetwork read(InputStream in, String source) throws IOException {
        return parse(NetworkText.decoded(in, source), source);
    }

    /** Reads a text, called {@code source} in messages; a {@link NetworkFileException} if it is not a valid network. */
    public static BayesianNetwork parse(String text, String source) {
        return new BifParser(new NetworkText(source, text)).network();
    }
}
