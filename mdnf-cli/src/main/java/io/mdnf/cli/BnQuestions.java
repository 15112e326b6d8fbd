package io.mdnf.cli;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.NetworkPosterior;
import io.mdnf.bn.Node;
import io.mdnf.bn.Questions;
import io.mdnf.report.Block;
import io.mdnf.report.Decimals;
import io.mdnf.space.CodeSpace;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Mixin for questions about one case. */
final class BnQuestions {

    /** A name in double quotes, inside which a backslash stands before a quote and a backslash, or a plain one. */
    private static final String NAME = "\\s*+(?:\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|([^\"%s][^%s]*?))\\s*";
    private static final Pattern SOFT = Pattern.compile(NAME.formatted(":", ":") + ":(.+)", Pattern.DOTALL);
    private static final Pattern PART = Pattern.compile(NAME.formatted(",", ",")
            + "=\\s*([0-9]*\\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\\s*(?:,|\\z)");
    private static final Pattern LISTED = Pattern.compile(NAME.formatted(",", ","));
    /** What of a long list a person reads. */
    private static final int SHOWN = 10;

    @Option(names = "--soft", paramLabel = "A:x=P,y=P",
            description = "Soft evidence: how likely a finding is in each state of A. Names with colons, commas or "
                    + "equals signs go in double quotes. Can be repeated.")
    private List<String> soft = List.of();

    @Option(names = "--joint", paramLabel = "VARIABLE", split = ",", converter = Listed.class,
            description = "The joint posterior of these.")
    private List<String> joint = List.of();

    @Option(names = "--most-probable", paramLabel = "N", description = "The N most probable explanations.")
    private Integer mostProbable;

    @Option(names = "--influences", description = "How far each finding moved each target, in nats.")
    private boolean influences;

    @Option(names = "--information", description = "Mutual information of each target with all others, in nats.")
    private boolean information;

    @Option(names = "--sensitivity", paramLabel = "A=x",
            description = "How p(A=x) changes with the entries of all tables, the fastest first.")
    private String sensitivity;

    /** What was found, for a machine; filled in the order in which a person reads it. */
    private final Map<String, Object> answer = new LinkedHashMap<>();
    private final List<Block.Table> tables = new ArrayList<>();
    private BayesianNetwork network;

    /** A name in a list; one with a comma stands in double quotes, as in evidence. */
    static final class Listed implements ITypeConverter<String> {

        @Override
        public String convert(String text) {
            Matcher name = LISTED.matcher(text);
            return name.matches() ? name(name) : text.strip();
        }
    }

    /** Whether anything was asked that a table of cases cannot answer. */
    boolean given() {
        return !soft.isEmpty() || !joint.isEmpty() || mostProbable != null || influences || information
                || sensitivity != null;
    }

    /** Asks a fitted posterior, which knows its own probabilities and nothing of tables. */
    void ask(NetworkPosterior posterior, List<String> targets, SeedOption seed, JsonOption json) {
        if (!soft.isEmpty() || influences || information || sensitivity != null) {
            throw new UsageProblem((!soft.isEmpty() ? "--soft" : influences ? "--influences" : information
                    ? "--information" : "--sensitivity") + ": exact inference answers that, if memory allows; name the "
                    + "network instead of a run");
        }
        UsageProblem.ifBelowOne("--most-probable", mostProbable == null ? 1 : mostProbable);
        new BnKept(posterior, seed.seed()).ask(targets.stream().distinct().toList(), joint.stream().distinct().toList(),
                mostProbable, json);
    }

    void ask(Evidence evidence, long mostBytes, List<String> targets, JsonOption json) {
        network = evidence.network();
        Questions questions = Questions.of(evidence, mostBytes);
        for (String text : soft) {
            questions = soften(questions, text);
        }
        answer.putAll(BnCase.answer(evidence));
        answer.put("logEvidence", questions.logEvidence());
        int[] asked = targets.isEmpty() ? evidence.latents()
                : targets.stream().mapToInt(network::indexOf).distinct().toArray();
        marginals(questions, asked);
        if (!joint.isEmpty()) {
            joint(questions);
        }
        if (mostProbable != null) {
            mostProbable(evidence, questions);
        }
        if (influences) {
            influences(questions, asked);
        }
        if (information) {
            information(questions, asked);
        }
        if (sensitivity != null) {
            sensitivity(questions);
        }
        double logEvidence = questions.logEvidence();
        json.answer(() -> answer, out -> print(out, logEvidence));
    }

    private void print(PrintWriter out, double logEvidence) {
        out.println("log evidence " + Decimals.fixed(logEvidence, 9));
        tables.forEach(table -> out.print("\n" + table.caption() + "\n" + TextTables.text(table)));
    }

    private Questions soften(Questions questions, String text) {
        Matcher whole = SOFT.matcher(text);
        if (!whole.matches()) {
            throw new UsageProblem("--soft '" + text + "': expected 'variable: state=likelihood, ...'");
        }
        int variable = network.indexOf(name(whole));
        double[] likelihood = new double[network.cardinality(variable)];
        Arrays.fill(likelihood, Double.NaN);
        String states = whole.group(3);
        Matcher part = PART.matcher(states);
        int from = 0;
        do {
            if (!part.region(from, states.length()).lookingAt()) {
                throw new UsageProblem("--soft '" + text + "': found '" + states.substring(from)
                        + "', expected state=likelihood");
            }
            int state = network.node(variable).indexOf(name(part));
            if (!Double.isNaN(likelihood[state])) {
                throw new UsageProblem("--soft '" + text + "': state '" + name(part) + "' appears twice");
            }
            likelihood[state] = Double.parseDouble(part.group(3));
            from = part.end();
        } while (from < states.length());
        IntStream.range(0, likelihood.length).filter(k -> Double.isNaN(likelihood[k])).findFirst().ifPresent(k -> {
            throw new UsageProblem("--soft '" + text + "': state '" + network.node(variable).states().get(k)
                    + "' is missing; a finding that is impossible there has likelihood 0");
        });
        return questions.soft(variable, likelihood);
    }

    private static String name(Matcher found) {
        return found.group(1) == null ? found.group(2) : found.group(1).replaceAll("\\\\(.)", "$1");
    }

    private void marginals(Questions questions, int[] asked) {
        Questions prior = questions.prior();
        Block.Table table = Block.Table.of("Marginals", Block.Column.text("variable"), Block.Column.text("state"),
                Block.Column.number("prior"), Block.Column.number("p"), Block.Column.number("entropy"));
        Map<String, Object> all = new LinkedHashMap<>();
        for (int v : asked) {
            Node node = network.node(v);
            double[] before = prior.marginal(v);
            double[] now = questions.marginal(v);
            for (int k = 0; k < now.length; k++) {
                table = table.row(k == 0 ? node.name() : "", node.states().get(k), Decimals.fixed(before[k], 4),
                        Decimals.fixed(now[k], 4), k == 0 ? Decimals.fixed(questions.entropy(v), 4) : "");
            }
            all.put(node.name(), Map.of("prior", byState(node, before), "posterior", byState(node, now), "entropy",
                    questions.entropy(v)));
        }
        tables.add(table);
        answer.put("variables", all);
    }

    static Map<String, Double> byState(Node node, double[] p) {
        Map<String, Double> states = new LinkedHashMap<>();
        IntStream.range(0, p.length).forEach(k -> states.put(node.states().get(k), p[k]));
        return states;
    }

    private void joint(Questions questions) {
        int[] variables = joint.stream().distinct().mapToInt(network::indexOf).toArray();
        double[] p = questions.joint(variables);
        int[][] configurations = CodeSpace.of(network.cardinalities()).configurations(variables);
        Block.Table table = Block.Table.of("Joint", Block.Column.text("states"), Block.Column.number("p"));
        List<List<String>> shown = new ArrayList<>();
        List<Object> rows = new ArrayList<>();
        for (int i = 0; i < p.length; i++) {
            Map<String, String> states = named(variables, configurations[i]);
            shown.add(List.of(text(states), Decimals.fixed(p[i], 6)));
            rows.add(Map.of("states", states, "probability", p[i]));
        }
        tables.add(table.rows(shown, row -> row));
        answer.put("joint", rows);
    }

    private Map<String, String> named(int[] variables, int[] states) {
        Map<String, String> named = new LinkedHashMap<>();
        IntStream.range(0, variables.length).forEach(i -> named.put(network.node(variables[i]).name(),
                network.node(variables[i]).states().get(states[i])));
        return named;
    }

    static String text(Map<String, String> states) {
        return String.join(",", states.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
    }

    private void mostProbable(Evidence evidence, Questions questions) {
        UsageProblem.ifBelowOne("--most-probable", mostProbable);
        int[] latents = evidence.latents();
        if (latents.length == 0) {
            throw new UsageProblem("--most-probable: every variable was observed");
        }
        Block.Table table = Block.Table.of("Most probable", Block.Column.number("p"), Block.Column.text("states"));
        List<Object> rows = new ArrayList<>();
        for (Questions.Explanation each : questions.mostProbable(mostProbable)) {
            Map<String, String> states = named(latents,
                    IntStream.of(latents).map(v -> each.states()[v]).toArray());
            table = table.row(Decimals.fixed(each.probability(), 6), text(states));
            rows.add(Map.of("probability", each.probability(), "states", states));
        }
        tables.add(table);
        answer.put("mostProbable", rows);
    }

    private void influences(Questions questions, int[] asked) {
        Block.Table table = Block.Table.of("What findings did, in nats", Block.Column.text("variable"),
                Block.Column.text("finding"), Block.Column.number("nats"));
        Map<String, Object> all = new LinkedHashMap<>();
        for (int v : asked) {
            Map<String, Double> nats = new LinkedHashMap<>();
            for (Questions.Influence each : questions.influences(v)) {
                nats.put(network.node(each.finding()).name(), each.nats());
                table = table.row(nats.size() == 1 ? network.node(v).name() : "", network.node(each.finding()).name(),
                        Decimals.fixed(each.nats(), 6));
            }
            all.put(network.node(v).name(), nats);
        }
        tables.add(table);
        answer.put("influences", all);
    }

    private void information(Questions questions, int[] asked) {
        Block.Table table = Block.Table.of("Mutual information, in nats", Block.Column.text("variable"),
                Block.Column.text("with"), Block.Column.number("nats"));
        Map<String, Object> all = new LinkedHashMap<>();
        for (int v : asked) {
            double[] nats = questions.information(v);
            Map<String, Double> others = new LinkedHashMap<>();
            int[] order = IntStream.range(0, nats.length).filter(w -> w != v).boxed()
                    .sorted((a, b) -> Double.compare(nats[b], nats[a])).mapToInt(w -> w).toArray();
            for (int w : order) {
                others.put(network.node(w).name(), nats[w]);
            }
            for (int w : Arrays.copyOf(order, Math.min(SHOWN, order.length))) {
                table = table.row(w == order[0] ? network.node(v).name() : "", network.node(w).name(),
                        Decimals.fixed(nats[w], 6));
            }
            all.put(network.node(v).name(), others);
        }
        tables.add(table);
        answer.put("information", all);
    }

    private void sensitivity(Questions questions) {
        Evidence which = Evidence.parse(network, sensitivity);
        int[] observed = IntStream.range(0, network.size()).filter(which::isObserved).toArray();
        if (observed.length != 1) {
            throw new UsageProblem("--sensitivity " + sensitivity + ": one variable and its state are needed");
        }
        Block.Table table = Block.Table.of("Change of p(" + sensitivity + ") with entries of tables",
                Block.Column.text("entry"), Block.Column.number("value"), Block.Column.number("derivative"));
        List<Object> rows = new ArrayList<>();
        for (Questions.Sensitivity each : questions.sensitivity(observed[0], which.state(observed[0]))) {
            Node node = network.node(each.node());
            int[] parents = network.parents(each.node());
            int row = each.entry() / node.cardinality();
            Map<String, String> given = parents.length == 0 ? Map.of() : named(parents,
                    CodeSpace.of(IntStream.of(parents).map(network::cardinality).toArray()).code(row));
            String state = node.states().get(each.entry() % node.cardinality());
            double value = node.probability(row, each.entry() % node.cardinality());
            if (rows.size() < SHOWN) {
                table = table.row(node.name() + "=" + state + (given.isEmpty() ? "" : " | " + text(given)),
                        Decimals.fixed(value, 4), Decimals.fixed(each.derivative(), 6));
            }
            rows.add(Map.of("variable", node.name(), "state", state, "given", given, "value", value, "derivative",
                    each.derivative()));
        }
        tables.add(table);
        answer.put("sensitivity", rows);
    }
}
