package io.mdnf.uai;

import io.mdnf.file.Gzip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Reads the files of the UAI inference competitions, plain or gzip (told by the first two bytes).
 *
 * <ul>
 * <li>Model: {@code MARKOV} or {@code BAYES}; the number of variables; their numbers of categories; the number of
 *     tables; for each its scope, {@code k v1 .. vk}; then for each the number of entries and the entries, the last
 *     variable of the scope fastest. In a Bayesian network the last variable of a scope is the child; that rows sum to
 *     1 is not asked for, since a product of tables has a meaning without it.</li>
 * <li>Evidence: {@code m v1 s1 .. vm sm}, or the same behind a {@code 1}, the number of samples; {@code 0} for
 *     none.</li>
 * <li>Results: {@code MAR} and {@code n K_1 p .. K_n p ..}; {@code PR} and log10 of the partition function; a
 *     {@code 1}, the number of samples, may stand behind the first word.</li>
 * </ul>
 *
 * <p>Any white space separates words. Everything else is refused with a {@link UaiException}; input of more than
 * {@value #MOST_BYTES} bytes after decompression, or tables of more than {@value #MOST_ENTRIES} numbers in all, before
 * memory is taken for them.
 */
public final class UaiReader {

    /** Most bytes of text, after decompression. */
    public static final int MOST_BYTES = 256 << 20;

    /** Most numbers in all tables of a model together. */
    public static final int MOST_ENTRIES = 50_000_000;

    /** Of a model, and categories of all of them. */
    private static final int MOST_VARIABLES = 10_000_000;

    private UaiReader() {
    }

    /** Reads a model; a {@link UaiException} if it is not valid. */
    public static UaiModel model(Path file) throws IOException {
        return model(bytes(file), file.toString());
    }

    /** Reads a model of bytes, called {@code source} in messages. */
    public static UaiModel model(byte[] bytes, String source) {
        UaiText text = text(bytes, source);
        String word = text.word("MARKOV or BAYES");
        if (!word.equals("MARKOV") && !word.equals("BAYES")) {
            throw text.found(word, "MARKOV or BAYES");
        }
        int[] cardinalities = integers(text, text.integer("the number of variables", 1, text.atMost(MOST_VARIABLES)),
                "a number of categories", 1, MOST_ENTRIES);
        if (IntStream.of(cardinalities).asLongStream().sum() > MOST_VARIABLES) {
            throw text.wrong("found more than " + MOST_VARIABLES + " categories in all, expected at most that");
        }
        int count = text.integer("the number of tables", 0, text.atMost(MOST_VARIABLES));
        List<int[]> scopes = new ArrayList<>();
        for (int t = 0; t < count; t++) {
            int size = text.integer("the number of variables of table " + t, 0, cardinalities.length);
            int[] scope = integers(text, size, "a variable of table " + t, 0, cardinalities.length - 1);
            if (IntStream.of(scope).distinct().count() < size) {
                throw text.wrong("found a variable twice in the scope of table " + t + ", expected each once");
            }
            scopes.add(scope);
        }
        List<UaiTable> tables = new ArrayList<>();
        long entries = 0;
        for (int t = 0; t < count; t++) {
            double expected = IntStream.of(scopes.get(t)).mapToDouble(v -> cardinalities[v]).reduce(1, (a, b) -> a * b);
            int size = text.integer("the number of entries of table " + t, 1, text.atMost(MOST_ENTRIES));
            if (size != expected) {
                throw text.wrong("found " + size + " entries of table " + t + ", expected " + (expected < 1e15
                        ? "" + (long) expected : "" + expected) + ", one per configuration of its scope");
            }
            entries += size;
            if (entries > MOST_ENTRIES) {
                throw text.wrong("found more than " + MOST_ENTRIES + " entries in all tables, expected at most that");
            }
            tables.add(new UaiTable(scopes.get(t), entries(text, size, "an entry of table " + t)));
        }
        text.end(count + " tables");
        return new UaiModel(UaiModel.Kind.valueOf(word), cardinalities, tables);
    }

    private static double[] entries(UaiText text, int size, String what) {
        double[] values = new double[size];
        for (int i = 0; i < size; i++) {
            values[i] = text.entry(what);
        }
        return values;
    }

    private static int[] integers(UaiText text, int count, String what, int least, int most) {
        int[] integers = new int[count];
        for (int i = 0; i < count; i++) {
            integers[i] = text.integer(what, least, most);
        }
        return integers;
    }

    /** Reads evidence about a model, in either dialect. */
    public static UaiEvidence evidence(Path file, UaiModel model) throws IOException {
        return evidence(bytes(file), file.toString(), model);
    }

    /** Reads evidence of bytes, called {@code source} in messages. */
    public static UaiEvidence evidence(byte[] bytes, String source, UaiModel model) {
        UaiText text = text(bytes, source);
        int words = text.words();
        int count = text.integer("the number of observed variables, 0 for none", 0, MOST_VARIABLES);
        // m pairs are an odd number of words in all, and an even one behind the number of samples
        if (words % 2 == 0) {
            if (count != 1) {
                throw text.wrong("found " + count + " samples of evidence, expected 1, or the number of observed "
                        + "variables and two numbers for each");
            }
            count = text.integer("the number of observed variables, 0 for none", 0, model.variables());
        } else if (count > model.variables()) {
            throw text.wrong("found " + count + " observed variables, expected at most the " + model.variables()
                    + " of the model");
        }
        Map<Integer, Integer> observed = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int variable = text.integer("an observed variable", 0, model.variables() - 1);
            if (observed.containsKey(variable)) {
                throw text.wrong("found variable " + variable + " twice, expected each once");
            }
            observed.put(variable, text.integer("the category of variable " + variable, 0,
                    model.cardinality(variable) - 1));
        }
        text.end(count + " observed variables");
        return UaiEvidence.of(model, observed);
    }

    /** Reads marginals, [n][K_d]. */
    public static double[][] marginals(Path file) throws IOException {
        return marginals(bytes(file), file.toString());
    }

    /** Reads marginals of bytes, called {@code source} in messages. */
    public static double[][] marginals(byte[] bytes, String source) {
        UaiText text = text(bytes, source);
        expect(text, "MAR");
        int words = text.words();
        int variables = text.integer("the number of variables", 1, text.atMost(MOST_VARIABLES));
        if (variables == 1 && words > 2) {
            UaiText rest = text(bytes, source);
            rest.word("MAR");
            rest.word("1");
            int next = rest.integer("a number", 0, Integer.MAX_VALUE);
            if (words != 3 + next) { // not one variable of so many categories: one sample
                variables = text.integer("the number of variables", 1, text.atMost(MOST_VARIABLES));
            }
        }
        double[][] marginals = new double[variables][];
        for (int v = 0; v < variables; v++) {
            int categories = text.integer("the number of categories of variable " + v, 1,
                    text.atMost(MOST_ENTRIES));
            marginals[v] = entries(text, categories, "a probability of variable " + v);
        }
        text.end(variables + " marginals");
        return marginals;
    }

    /** Reads a partition function of bytes, called {@code source} in messages; returns its natural logarithm. */
    public static double logPartition(byte[] bytes, String source) {
        UaiText text = text(bytes, source);
        expect(text, "PR");
        if (text.words() == 3) {
            text.integer("the number of samples", 1, 1);
        }
        double log10 = text.number("log10 of the partition function");
        text.end("log10 of the partition function");
        return log10 * Math.log(10);
    }

    private static void expect(UaiText text, String task) {
        String word = text.word(task);
        if (!word.equals(task)) {
            throw text.found(word, task);
        }
    }

    private static byte[] bytes(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return in.readNBytes(MOST_BYTES + 1);
        }
    }

    private static UaiText text(byte[] packed, String source) {
        try {
            byte[] bytes = Gzip.unpacked(packed, MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new UaiException(source, 1, 1, "found more than " + MOST_BYTES + " bytes, expected at most that");
            }
            return new UaiText(source, bytes);
        } catch (IOException e) {
            UaiException damaged = new UaiException(source, 1, 1, "found a damaged gzip stream ("
                    + e.getCause().getMessage() + "), expected a whole one");
            damaged.initCause(e);
            throw damaged;
        }
    }
}
