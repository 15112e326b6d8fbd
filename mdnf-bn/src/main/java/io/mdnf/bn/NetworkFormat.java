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
    /** The Interchange Format 0.15, see {@link BifReader}: .bif. */
    BIF("bif") {
        @Override
        public BayesianNetwork parse(String text, String source) {
            return BifReader.parse(text, source);
        }

        @Override
        public String text(BayesianNetwork network) {
            return BifWriter.text(network);
        }
    },
    /** Its XML form, version 0.3: .xml or .xmlbif. No document type is looked at and no entity declared. */
    XMLBIF("xml", "xmlbif") {
        @Override
        public BayesianNetwork parse(String text, String source) {
            return new XmlBifParser(new NetworkText(source, text)).network();
        }

        @Override
        public String text(BayesianNetwork network) {
            return XmlBifWriter.text(network);
        }
    },
    /** The language of Hugin: .net. */
    HUGIN("net", "hugin") {
        @Override
        public BayesianNetwork parse(String text, String source) {
            return new HuginParser(new NetworkText(source, text)).network();
        }

        @Override
        public String text(BayesianNetwork network) {
            return HuginWriter.text(network);
        }
    },
    /** The format of the UAI competitions, of which a network is the kind BAYES: .uai. */
    UAI("uai") {
        @Override
        public BayesianNetwork parse(String text, String source) {
            return network(UaiReader.model(text.getBytes(StandardCharsets.UTF_8), source), source);
        }

        @Override
        public BayesianNetwork read(Path file) throws IOException {
            return network(UaiReader.model(file), file.toString());
        }

        private static BayesianNetwork network(UaiModel model, String source) {
            try {
                return UaiNetworks.network(model, NetworkDraft.UNNAMED);
            } catch (IllegalArgumentException e) {
                throw new NetworkFileException(source, 1, 1, "found no network: " + e.getMessage());
            }
        }

        @Override
        public String text(BayesianNetwork network) {
            return UaiWriter.model(UaiNetworks.model(network));
        }
    };

    private static final int BEGINNING = 4096;
    /** Blanks and BIF's comments, then what tells a format. */
    private static final Pattern FIRST = Pattern.compile("\uFEFF?\\s*+(?:(//|/\\*)|(%)|(<)|([A-Za-z]++))");

    private final List<String> extensions;

    NetworkFormat(String... extensions) {
        this.extensions = List.of(extensions);
    }

    /** Reads a text, called {@code source} in messages; an IllegalArgumentException says where it is no network. */
    public abstract BayesianNetwork parse(String text, String source);

    /** Returns a network as text, lines ended by LF. */
    public abstract String text(BayesianNetwork network);

    /** Reads a file of this kind, gzip or plain; an IllegalArgumentException says where it is no network. */
    public BayesianNetwork read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return parse(NetworkText.decoded(in, file.toString()), file.toString());
        }
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
