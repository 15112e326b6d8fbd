package io.mdnf.cli;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.NetworkPosterior;
import io.mdnf.bn.Node;
import io.mdnf.distribution.Atoms;
import io.mdnf.distribution.WeightedCode;
import io.mdnf.random.Seed;
import io.mdnf.report.Block;
import io.mdnf.report.Decimals;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What a posterior that a run kept answers: its marginals, joints, entropies and most probable codes. */
final class BnKept {

    /** For a joint of a distribution that is no list: errors of .0016 at most. */
    private static final int SAMPLES = 100_000;
    /** Of a joint; samples would leave nearly all of them at 0. */
    private static final double MOST_STATES = 1e6;

    private final NetworkPosterior posterior;
    private final Seed seed;
    private final BayesianNetwork network;
    private final List<Integer> latents;
    private final Map<String, Object> answer;
    private final List<Block.Table> tables = new ArrayList<>();

    BnKept(NetworkPosterior posterior, Seed seed) {
        this.posterior = posterior;
        this.seed = seed;
        this.network = posterior.evidence().network();
        this.latents = Arrays.stream(posterior.evidence().latents()).boxed().toList();
        this.answer = answer(posterior);
    }

    /** The beginning of an answer: the case, and what the fit is. */
    static Map<String, Object> answer(NetworkPosterior posterior) {
        Map<String, Object> answer = BnCase.answer(posterior.evidence());
        answer.put("family", posterior.family());
        answer.put("algorithm", posterior.algorithm());
        answer.put("elbo", posterior.bound().value());
        answer.put("trust", posterior.trust());
        return answer;
    }

    /** {variable: state} of a code of the latent variables. */
    static Map<String, String> named(Evidence evidence, int[] code) {
        Map<String, String> named = new LinkedHashMap<>();
        IntStream.range(0, code.length).forEach(d -> {
            Node node = evidence.network().node(evidence.latents()[d]);
            named.put(node.name(), node.states().get(code[d]));
        });
        return named;
    }

    void ask(List<String> targets, List<String> joint, Integer mostProbable, JsonOption json) {
        marginals(targets.isEmpty() ? latents : targets.stream().map(this::latent).toList());
        if (!joint.isEmpty()) {
            joint(joint.stream().map(this::latent).toList());
        }
        if (mostProbable != null) {
            mostProbable(mostProbable);
        }
        json.answer(() -> answer, out -> {
            out.println(posterior.family() + " posterior, " + posterior.algorithm() + ": ELBO " + posterior.bound());
            tables.forEach(table -> out.print("\n" + table.caption() + "\n" + TextTables.text(table)));
            out.println("\n" + posterior.trust());
        });
    }

    private int latent(String name) {
        int node = network.indexOf(name);
        if (!latents.contains(node)) {
            throw new UsageProblem("variable '" + name + "' was observed in this run");
        }
        return node;
    }

    private void marginals(List<Integer> asked) {
        Block.Table table = Block.Table.of("Marginals", Block.Column.text("variable"), Block.Column.text("state"),
                Block.Column.number("q"), Block.Column.number("error"), Block.Column.number("entropy"));
        Map<String, Object> all = new LinkedHashMap<>();
        for (int node : asked) {
            int d = latents.indexOf(node);
            double[] p = posterior.marginals().probabilities()[d];
            double entropy = LogSpace.entropy(p);
            double largest = 0;
            for (int k = 0; k < p.length; k++) {
                double error = posterior.marginals().standardError(d, k);
                largest = Math.max(largest, error);
                table = table.row(k == 0 ? network.node(node).name() : "", network.node(node).states().get(k),
                        Decimals.fixed(p[k], 4), Decimals.fixed(error, 4), k == 0 ? Decimals.fixed(entropy, 4) : "");
            }
            all.put(network.node(node).name(), Map.of("posterior", BnQuestions.byState(network.node(node), p),
                    "standardError", largest, "entropy", entropy));
        }
        tables.add(table);
        answer.put("variables", all);
    }

    /** By the weights of a list of codes, or counted in samples. */
    private void joint(List<Integer> asked) {
        if (asked.stream().mapToDouble(network::cardinality).reduce(1, (a, b) -> a * b) > MOST_STATES) {
            throw new UsageProblem("--joint: " + asked.size() + " variables have more than a million states together; "
                    + "ask for fewer");
        }
        int[][] codes = posterior.distribution() instanceof Atoms atoms ? atoms.codes()
                : posterior.distribution().sample(SAMPLES, seed.fold("joint"));
        double[] weights = posterior.distribution() instanceof Atoms atoms ? atoms.weights() : null;
        int[] places = asked.stream().mapToInt(latents::indexOf).toArray();
        int[][] configurations = CodeSpace.of(network.cardinalities())
                .configurations(asked.stream().mapToInt(node -> node).toArray());
        double[] p = new double[configurations.length];
        for (int i = 0; i < codes.length; i++) {
            int at = 0;
            for (int j = 0; j < places.length; j++) {
                at = at * network.cardinality(asked.get(j)) + codes[i][places[j]];
            }
            p[at] += weights == null ? 1.0 / codes.length : weights[i];
        }
        Block.Table table = Block.Table.of("Joint", Block.Column.text("states"), Block.Column.number("q"),
                Block.Column.number("error"));
        List<List<String>> shown = new ArrayList<>();
        List<Object> rows = new ArrayList<>();
        for (int i = 0; i < p.length; i++) {
            Map<String, String> states = new LinkedHashMap<>();
            for (int j = 0; j < places.length; j++) {
                Node node = network.node(asked.get(j));
                states.put(node.name(), node.states().get(configurations[i][j]));
            }
            double error = weights == null ? Math.sqrt(p[i] * (1 - p[i]) / codes.length) : 0;
            shown.add(List.of(BnQuestions.text(states), Decimals.fixed(p[i], 6), Decimals.fixed(error, 6)));
            rows.add(Map.of("states", states, "probability", p[i], "standardError", error));
        }
        tables.add(table.rows(shown, row -> row));
        answer.put("joint", rows);
    }

    private void mostProbable(int count) {
        Block.Table table = Block.Table.of("Most probable", Block.Column.number("q"), Block.Column.text("states"));
        List<Object> rows = new ArrayList<>();
        for (WeightedCode code : found(count)) {
            Map<String, String> states = named(posterior.evidence(), code.code());
            table = table.row(Decimals.fixed(code.probability(), 6), BnQuestions.text(states));
            rows.add(Map.of("probability", code.probability(), "states", states));
        }
        tables.add(table);
        answer.put("mostProbable", rows);
    }

    private List<WeightedCode> found(int count) {
        try {
            return posterior.distribution().mostProbable(count);
        } catch (IllegalStateException e) {
            throw new UsageProblem("--most-probable: " + e.getMessage(), e);
        }
    }
}
