package io.mdnf.bn;

import io.mdnf.file.AtomicFiles;
import io.mdnf.uai.UaiModel;
import io.mdnf.uai.UaiReader;
import io.mdnf.uai.UaiWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Kinds of network files. Whatever one writes it reads back as an equal network, every number to the last bit; only
 * {@link #UAI} has no names, so that variable i comes back as {@code xi}.
 *
 * <pre>{@code
 * BayesianNetwork network = NetworkSource.open("clinic.net");       // whatever it is
 * NetworkFormat.XMLBIF.write(network, Path.of("clinic.xml"));
 * }</pre>
 */
public enum NetworkFormat {
    /**
     * The Interchange Format (BIF 0.15), as written by bnlearn, JavaBayes, pgmpy and others: .bif.
     *
     * <p>What is accepted:
     * <ul>
     * <li>Plain or gzip (told by the first two bytes, not by the file name); UTF-8, or Latin-1 when it is not valid
     *     UTF-8; any line ends; {@code //} and {@code /* *}{@code /} comments; an optional {@code network} block;
     *     variable and probability blocks in any order. Text outside blocks is refused, since it may be a misspelt
     *     block.</li>
     * <li>Names: any run of characters without blanks and without <code>{ } ( ) [ ] , | ; "</code>, or in double quotes
     *     on one line, with {@code \"} and {@code \\} inside.</li>
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
     * <p>Each row must sum to 1 within {@link Node#ROW_TOLERANCE} and is then normalised. Everything else is refused
     * with a {@link NetworkFileException}. Input of more than 64 MiB after decompression, or tables of more than
     * 10,000,000 numbers in all, are refused before memory is taken for them.
     */
    BIF((text, source) -> new BifParser(new NetworkText(source, text)).network(), BifWriter::text, "bif"),
    /** Its XML form, version 0.3: .xml or .xmlbif. No document type is looked at and no entity declared. */
    XMLBIF((text, source) -> new XmlBifParser(new NetworkText(source, text)).network(), XmlBifWriter::text, "xml",
            "xmlbif"),
    /** The language of Hugin: .net. */
    HUGIN((text, source) -> new HuginParser(new NetworkText(source, text)).network(), HuginWriter::text, "net",
            "hugin"),
    /** The format of the UAI competitions, of which a network is the kind BAYES: .uai. */
    UAI((text, source) -> network(UaiReader.model(text.getBytes(StandardCharsets.UTF_8), source), source),
            network -> UaiWriter.model(UaiNetworks.model(network)), "uai") {
        @Override
        public BayesianNetwork read(Path file) throws IOException {
            return network(UaiReader.model(file), file.toString());
        }
    };

    private static final int BEGINNING = 4096;
    /** Blanks and BIF's comments, then what tells a format. */
    private static final Pattern FIRST = Pattern.compile("\uFEFF?\\s*+(?:(//|/\\*)|(%)|(<)|([A-Za-z]++))");

    private final BiFunction<String, String, BayesianNetwork> parser;
    private final Function<BayesianNetwork, String> writer;
    private final List<String> extensions;

    NetworkFormat(BiFunction<String, String, BayesianNetwork> parser, Function<BayesianNetwork, String> writer,
            String... extensions) {
        this.parser = parser;
        this.writer = writer;
        this.extensions = List.of(extensions);
    }

    private static BayesianNetwork network(UaiModel model, String source) {
        try {
            return UaiNetworks.network(model, NetworkDraft.UNNAMED);
        } catch (IllegalArgumentException e) {
            throw new NetworkFileException(source, 1, 1, "found no network: " + e.getMessage());
        }
    }

    /** Reads a text, called {@code source} in messages; an IllegalArgumentException says where it is no network. */
    public BayesianNetwork parse(String text, String source) {
        return parser.apply(text, source);
    }

    /** Returns a network as text, lines ended by LF. */
    public String text(BayesianNetwork network) {
        return writer.apply(network);
    }

    /** Reads a file of this kind, gzip or plain; an IllegalArgumentException says where it is no network. */
    public BayesianNetwork read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in, file.toString());
        }
    }

    /** Reads a stream to its end, gzip or plain, called {@code source} in messages; does not close it. */
    BayesianNetwork read(InputStream in, String source) throws IOException {
        return parse(NetworkText.decoded(in, source), source);
    }

    /** Writes a network to a file, in UTF-8, replaced if it exists. */
    public final void write(BayesianNetwork network, Path file) throws IOException {
        AtomicFiles.write(file, text(network).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the kind that a file's name tells by its end, perhaps behind it {@code .gz}. */
    public static Optional<NetworkFormat> named(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT).replaceFirst("\\.gz$", "");
        return Arrays.stream(values()).filter(format -> format.extensions.stream()
                .anyMatch(extension -> name.endsWith("." + extension))).findFirst();
    }

    /** Returns the kind of a file that exists: by how it begins, or if that could be any, by its name. */
    public static NetworkFormat of(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(BEGINNING);
        }
        return begins(new String(unpacked(bytes), StandardCharsets.ISO_8859_1)).or(() -> named(file)).orElse(BIF);
    }

    /** The name without what says the format. */
    static String stem(Path file) {
        return String.valueOf(file.getFileName()).replaceFirst("(?i)(\\.(bif|xml|xmlbif|net|hugin|uai))?(\\.gz)?$", "");
    }

    private static byte[] unpacked(byte[] beginning) {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(beginning))) {
            byte[] plain = new byte[BEGINNING];
            return Arrays.copyOf(plain, Math.max(0, in.read(plain)));
        } catch (IOException e) {
            return beginning; // not packed
        }
    }

    private static Optional<NetworkFormat> begins(String text) {
        Matcher first = FIRST.matcher(text.startsWith("\u00ef\u00bb\u00bf") ? text.substring(3) : text);
        if (!first.lookingAt()) {
            return Optional.empty();
        } else if (first.group(1) != null) {
            return Optional.of(BIF);
        } else if (first.group(2) != null) {
            return Optional.of(HUGIN);
        } else if (first.group(3) != null) {
            return Optional.of(XMLBIF);
        }
        return switch (first.group(4)) {
            case "network", "variable", "probability" -> Optional.of(BIF);
            case "net", "class", "node", "discrete", "potential" -> Optional.of(HUGIN);
            case "MARKOV", "BAYES" -> Optional.of(UAI);
            default -> Optional.empty();
        };
    }
}
