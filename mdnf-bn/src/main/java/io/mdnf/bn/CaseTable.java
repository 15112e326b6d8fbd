package io.mdnf.bn;

import io.mdnf.elimination.JunctionTree;
import io.mdnf.file.CsvFile;
import io.mdnf.space.Check;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Rows of observations: columns named after variables, cells after their states, empty or {@code ?} where nothing was
 * observed. A variable without a column was never observed.
 *
 * @param cases a state or {@link JunctionTree#LATENT} for each variable of the model; nothing observed in a bad row
 * @param errors what is wrong with each row; empty where nothing is
 */
public record CaseTable(List<int[]> cases, List<String> errors) implements Serializable {

    private static final String UNKNOWN = "?";
    private static final int IGNORED = -1;

    /**
     * Reads the rows of a file for a model.
     *
     * @param ignored columns that are no variables, such as an identifier
     * @throws IllegalArgumentException if the header has a name twice or one that is neither a variable nor ignored
     */
    public static CaseTable of(NamedFactors model, CsvFile file, Set<String> ignored) {
        return of(model, file.name(), file.rows().get(0), file.rows().subList(1, file.rows().size()), ignored);
    }

    /**
     * Reads rows for a model, such as a part of a larger table.
     *
     * @param source where they come from, for messages about the header
     * @param header the names of the columns
     * @param rows the cells of each row; null for what was not observed
     * @param ignored columns that are no variables
     */
    public static CaseTable of(NamedFactors model, String source, List<String> header, List<List<String>> rows,
            Set<String> ignored) {
        int[] columns = columns(model, source, header, ignored);
        List<Map<String, Integer>> states = new ArrayList<>();
        for (int column : columns) {
            Map<String, Integer> known = new HashMap<>(Map.of("", JunctionTree.LATENT, UNKNOWN, JunctionTree.LATENT));
            if (column != IGNORED) {
                // a state that is called ? is a state
                known.putAll(Node.index("state", model.states().get(column)));
            }
            states.add(known);
        }
        List<int[]> cases = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        for (List<String> row : rows) {
            int[] observed = new int[model.variables().size()];
            Arrays.fill(observed, JunctionTree.LATENT);
            String error = read(model, row, columns, states, observed);
            if (!error.isEmpty()) {
                Arrays.fill(observed, JunctionTree.LATENT);
            }
            cases.add(observed);
            errors.add(error);
        }
        return new CaseTable(cases, errors);
    }

    private static int[] columns(NamedFactors model, String file, List<String> header, Set<String> ignored) {
        Node.index("column of " + file, header);
        ignored.forEach(name -> Check.that(header.contains(name), "there is no column ", Names.quote(name),
                " to ignore in ", file, Names.didYouMean(name, header)));
        return header.stream().mapToInt(name -> {
            if (ignored.contains(name)) {
                return IGNORED;
            }
            Check.that(!name.isEmpty(), "column ", header.indexOf(name) + 1, " of ", file, " has no name; name it "
                    + "after a variable, or remove it (a comma at the end of each line makes one)");
            Check.that(model.variables().contains(name), "column ", Names.quote(name), " of ", file,
                    " is no variable of ", Names.quote(model.name()), header.size() == 1 && name.matches(".*[;\t|].*")
                    ? "; columns are separated by commas" : Names.didYouMean(name, model.variables())
                    + "; correct or ignore it");
            return model.indexOf(name);
        }).toArray();
    }

    /** Puts the cells of a row into a case; returns what is wrong with one. */
    private static String read(NamedFactors model, List<String> row, int[] columns, List<Map<String, Integer>> states,
            int[] observed) {
        if (row.size() != columns.length) {
            return "found " + row.size() + " cells, expected " + columns.length + " as in the header";
        }
        for (int c = 0; c < columns.length; c++) {
            if (columns[c] != IGNORED) {
                Integer state = states.get(c).get(row.get(c) == null ? "" : row.get(c));
                if (state == null) {
                    return unknown(model, columns[c], row.get(c));
                }
                observed[columns[c]] = state;
            }
        }
        return "";
    }

    private static String unknown(NamedFactors model, int variable, String state) {
        List<String> states = model.states().get(variable);
        return "variable " + Names.quote(model.variables().get(variable)) + " has no state " + Names.quote(state)
                + Names.didYouMean(state, states) + ", allowed states: " + Names.list(states);
    }

    /** A copy of some rows, from one to another exclusive. */
    public CaseTable rows(int from, int to) {
        return new CaseTable(List.copyOf(cases.subList(from, to)), List.copyOf(errors.subList(from, to)));
    }

    /** {@return the number of rows} */
    public int size() {
        return cases.size();
    }

    /** Answers all rows; a bad row gets its error for an answer. */
    public List<Queries.Answer> answer(Queries queries, int threads) {
        int[] good = IntStream.range(0, size()).filter(row -> errors.get(row).isEmpty()).toArray();
        List<Queries.Answer> found = queries.answer(IntStream.of(good).mapToObj(cases::get).toList(), threads);
        Queries.Answer[] answers = IntStream.range(0, size())
                .mapToObj(row -> Queries.Answer.refused(errors.get(row))).toArray(Queries.Answer[]::new);
        for (int i = 0; i < good.length; i++) {
            answers[good[i]] = found.get(i);
        }
        return List.of(answers);
    }
}
