package io.mdnf.cli;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.EliminationPlan;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.Node;
import io.mdnf.bn.VariableElimination;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mdnf bn info}: what a network is, and what exact inference on it would cost. */
@Command(name = "info", description = "Nodes, arcs, parameters, states, and what exact inference would cost.%n")
final class BnInfo implements Callable<Integer> {

    @Mixin
    private BnCase asked;

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException {
        Evidence evidence = asked.evidence();
        BayesianNetwork network = evidence.network();
        EliminationPlan plan = EliminationPlan.minFill(evidence);
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("name", network.name());
        facts.put("nodes", network.size());
        facts.put("arcs", network.arcs());
        facts.put("parameters", network.parameters());
        facts.put("latent", evidence.latents().length);
        facts.put("cardinalities", cardinalities(network));
        facts.put("width", plan.width());
        facts.put("largestTable", plan.largestTable());
        facts.put("exactFeasible", plan.totalEntries() <= VariableElimination.MOST_ENTRIES);
        if (BuiltInNetworks.names().contains(asked.name())) {
            facts.put("citation", BuiltInNetworks.citation(asked.name()));
        }
        json.answer(() -> {
            facts.put("variables", variables(network));
            return facts;
        }, out -> print(out, facts, network));
        return 0;
    }

    /** How many variables have how many states. */
    private static Map<Integer, Long> cardinalities(BayesianNetwork network) {
        return Arrays.stream(network.cardinalities()).boxed()
                .collect(Collectors.groupingBy(k -> k, TreeMap::new, Collectors.counting()));
    }

    private static Map<String, Object> variables(BayesianNetwork network) {
        Map<String, Object> variables = new LinkedHashMap<>();
        for (Node node : network.nodes()) {
            variables.put(node.name(), Map.of("states", node.states(), "parents", node.parents()));
        }
        return variables;
    }

    private static String count(double entries) {
        return String.format(Locale.ROOT, entries < 1e6 ? "%.0f" : "%.3g", entries);
    }

    private void print(PrintWriter out, Map<String, Object> facts, BayesianNetwork network) {
        // by what was asked for: many files name their network "unknown"
        out.printf(Locale.ROOT, "%s: %s nodes, %s arcs, %s parameters, %s latent%n", asked.name(),
                facts.get("nodes"), facts.get("arcs"), facts.get("parameters"), facts.get("latent"));
        List<String> counts = cardinalities(network).entrySet().stream()
                .map(entry -> entry.getValue() + " with " + entry.getKey()).toList();
        out.println("states: " + String.join(", ", counts));
        out.printf(Locale.ROOT, "exact inference: width %s, largest table %s entries, %s%n", facts.get("width"),
                count((double) facts.get("largestTable")), facts.get("exactFeasible").equals(true) ? "feasible" : "too large");
        if (facts.containsKey("citation")) {
            out.println("from: " + facts.get("citation"));
        }
        out.println();
        network.nodes().forEach(node -> out.println("  " + node));
    }
}
