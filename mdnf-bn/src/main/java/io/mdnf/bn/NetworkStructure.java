package io.mdnf.bn;

import io.mdnf.file.CsvFile;
import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Networks given by their arcs as text, with equal tables: something to learn tables for. */
public final class NetworkStructure {

    private static final Pattern ARC = Pattern.compile("\\s*(.+?)\\s*->\\s*(.+?)\\s*");
    private static final Pattern HIDDEN = Pattern.compile("(.+):([1-9][0-9]{0,3})");

    private NetworkStructure() {
    }

    /**
     * Reads {@code A -> B; H:3 -> B}: a variable for each column of the data, with the states found there, sorted, and
     * a hidden one for each name that is no column, with so many states as stand behind its colon at least once.
     *
     * @param ignored columns that are no variables
     */
    public static BayesianNetwork parse(String arcs, CsvFile data, Set<String> ignored) {
        Map<String, List<String>> states = new LinkedHashMap<>();
        List<String> header = data.rows().get(0);
        for (int c = 0; c < header.size(); c++) {
            if (!ignored.contains(header.get(c))) {
                states.put(header.get(c), statesOf(data, c));
            }
        }
        Map<String, List<String>> parents = new LinkedHashMap<>();
        for (String arc : Arrays.stream(arcs.split("[;\\n]")).filter(text -> !text.isBlank()).toList()) {
            Matcher parts = ARC.matcher(arc);
            Check.that(parts.matches(), "arc ", Names.quote(arc.strip()), ": expected 'parent -> child'");
            String from = name(parts.group(1), states);
            String to = name(parts.group(2), states);
            parents.computeIfAbsent(to, each -> new ArrayList<>()).add(from);
        }
        parents.forEach((child, all) -> {
            require(child, states);
            all.forEach(parent -> require(parent, states));
        });
        return BayesianNetwork.of("learned", states.entrySet().stream().map(variable -> {
            List<String> given = parents.getOrDefault(variable.getKey(), List.of());
            int rows = given.stream().mapToInt(parent -> states.get(parent).size()).reduce(1, Math::multiplyExact);
            int k = variable.getValue().size();
            double[] equal = new double[Math.multiplyExact(rows, k)];
            Arrays.fill(equal, 1.0 / k);
            return new Node(variable.getKey(), variable.getValue(), given, equal);
        }).toList());
    }

    private static List<String> statesOf(CsvFile data, int column) {
        Set<String> found = new TreeSet<>();
        data.rows().stream().skip(1).filter(row -> row.size() > column).map(row -> row.get(column))
                .filter(cell -> !cell.isEmpty() && !cell.equals("?")).forEach(found::add);
        Check.that(!found.isEmpty(), "column ", Names.quote(data.rows().get(0).get(column)), " of ", data.name(),
                " has no cell with a state; ignore it, or name a hidden variable in the arcs");
        return List.copyOf(found);
    }

    /** The name of a variable; a hidden one's states are noted. */
    private static String name(String text, Map<String, List<String>> states) {
        Matcher hidden = HIDDEN.matcher(text);
        if (states.containsKey(text) || !hidden.matches()) {
            return text;
        }
        List<String> named = IntStream.range(0, Integer.parseInt(hidden.group(2))).mapToObj(k -> "s" + k).toList();
        List<String> before = states.putIfAbsent(hidden.group(1), named);
        Check.that(before == null || before.equals(named), "variable ", Names.quote(hidden.group(1)), " has ",
                before == null ? 0 : before.size(), " states already, not ", hidden.group(2));
        return hidden.group(1);
    }

    private static void require(String variable, Map<String, List<String>> states) {
        Check.that(states.containsKey(variable), "variable ", Names.quote(variable), " of the arcs is no column",
                Names.didYouMean(variable, states.keySet()), "; a hidden one says how many states it has: ", variable,
                ":2");
    }
}
