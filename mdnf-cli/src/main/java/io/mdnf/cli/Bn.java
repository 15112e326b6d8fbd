package io.mdnf.cli;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.Node;
import io.mdnf.bn.VariableElimination;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.TooLargeException;
import io.mdnf.fit.Fitter;
import io.mdnf.report.CsvTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mdnf bn}: from a Bayesian network and evidence to a posterior. */
@Command(name = "bn", description = "Bayesian networks: look at one, infer exactly, fit a posterior, sample from it.",
        footer = "  mdnf bn fit asia --evidence asia=yes,xray=yes", subcommands = {BnFit.class, BnQuery.class,
            BnLearn.class})
final class Bn extends CommandGroup {

    @Command(name = "info", description = "Nodes, arcs, parameters, states, and what exact inference would cost.",
            footer = {"  mdnf bn info hepar2", "  mdnf bn info asia --picture asia.svg"})
    int info(@Mixin BnCase asked, @Mixin BnPicture picture, @Mixin JsonOption json) throws IOException {
        Evidence evidence = asked.evidence();
        picture.write(evidence);
        BayesianNetwork network = evidence.network();
        EliminationPlan plan = VariableElimination.plan(evidence);
        Map<Integer, Long> cardinalities = Arrays.stream(network.cardinalities()).boxed()
                .collect(Collectors.groupingBy(k -> k, TreeMap::new, Collectors.counting()));
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("name", network.name());
        facts.put("nodes", network.size());
        facts.put("arcs", network.arcs());
        facts.put("parameters", network.parameters());
        facts.put("latent", evidence.latents().length);
        facts.put("cardinalities", cardinalities);
        facts.put("width", plan.width());
        facts.put("largestTable", plan.largestTable());
        facts.put("exactBytes", plan.bytes());
        facts.put("exactFeasible", plan.bytes() <= asked.memory());
        if (BuiltInNetworks.names().contains(asked.name())) {
            facts.put("citation", BuiltInNetworks.citation(asked.name()));
        }
        json.answer(() -> {
            facts.put("variables", network.nodes().stream().collect(Collectors.toMap(Node::name,
                    node -> Map.of("states", node.states(), "parents", node.parents()), (a, b) -> a,
                    LinkedHashMap::new)));
            return facts;
        }, out -> {
            out.printf(Locale.ROOT, "%s: %s nodes, %s arcs, %s parameters, %s latent%n", network.name(),
                    facts.get("nodes"), facts.get("arcs"), facts.get("parameters"), facts.get("latent"));
            out.println("states: " + cardinalities.entrySet().stream()
                    .map(entry -> entry.getValue() + " with " + entry.getKey()).collect(Collectors.joining(", ")));
            out.printf(Locale.ROOT, "exact inference: width %s, largest table %s entries, %s%n", plan.width(),
                    String.format(Locale.ROOT, plan.largestTable() < 1e6 ? "%.0f" : "%.3g", plan.largestTable()),
                    facts.get("exactFeasible").equals(true) ? "feasible" : "too large: needs "
                            + EliminationPlan.size(plan.bytes()) + ", may take "
                            + EliminationPlan.size(asked.memory()));
            if (facts.containsKey("citation")) {
                out.println("from: " + facts.get("citation"));
            }
            out.println();
            network.nodes().forEach(node -> out.println("  " + node));
        });
        return 0;
    }

    @Command(name = "exact", description = "Log evidence and marginals by exact inference, where that is feasible.",
            footer = "  mdnf bn exact cancer --evidence Xray=positive")
    int exact(@Mixin BnCase asked, @Mixin JsonOption json) throws IOException {
        Evidence evidence = asked.evidence();
        ExactPosterior exact;
        try {
            exact = asked.exact(evidence);
        } catch (TooLargeException e) {
            json.note("mdnf: exact inference is too large here (" + e.getMessage() + "); " + asked.instead(e.bytes()));
            return 1;
        }
        BnMarginals marginals = BnMarginals.of(exact);
        Map<String, Object> answer = BnCase.answer(evidence);
        answer.put("logEvidence", exact.logEvidence());
        answer.put("marginals", marginals.byName());
        json.answer(() -> answer, out -> {
            out.printf(Locale.ROOT, "log evidence %.9f%n%n", exact.logEvidence());
            out.print(evidence.latents().length == 0 ? "Every variable was observed: there is nothing latent.\n"
                    : TextTables.text(marginals.table("", "p", Optional.empty())));
        });
        return 0;
    }

    @Command(name = "sample", footer = "  mdnf bn sample asia --evidence xray=yes --out codes.csv",
            description = "Fit a posterior and print samples of it as CSV: a column per latent variable.")
    int sample(@Mixin BnCase asked,
            @Option(names = {"-n", "--samples"}, paramLabel = "N", defaultValue = "1000", description = "How many")
            int count, @Mixin BnPlan asking, @Mixin SeedOption seed,
            @Option(names = "--out", paramLabel = "FILE", description = "Write the CSV here instead of stdout.")
            Path file, @Mixin JsonOption json) throws IOException {
        UsageProblem.ifBelowOne("-n", count);
        NetworkTarget target = asked.target();
        var plan = asking.plan(target, asked.memory());
        var exact = asked.exactIfFeasible(target.evidence());
        Nd4jStart.now();
        try (BnFitted fitted = BnFitted.fit(new Fitter(target, target.order()), target, exact, plan, seed.seed())) {
            CsvTable csv = new CsvTable(target.variables().toArray(String[]::new));
            List<Map<String, String>> samples = Arrays.stream(fitted.fit().distribution()
                    .sample(count, seed.seed().fold("samples"))).map(code -> named(target, code)).toList();
            samples.forEach(sample -> csv.row(sample.values().toArray()));
            if (file != null) {
                csv.write(file);
            }
            json.answer(() -> {
                Map<String, Object> answer = fitted.answer();
                answer.keySet().removeAll(List.of("marginals", "families"));
                answer.put("n", count);
                answer.put(file == null ? "samples" : "file", file == null ? samples : file.toString());
                return answer;
            }, out -> {
                if (file == null) {
                    out.print(csv);
                }
                json.note(fitted.family() + " posterior. " + String.join(" ", fitted.sentences()));
            });
        }
        return 0;
    }

    /** {variable: state} of a code. */
    private static Map<String, String> named(NetworkTarget target, int[] code) {
        Map<String, String> sample = new LinkedHashMap<>();
        IntStream.range(0, code.length).forEach(d ->
                sample.put(target.variables().get(d), target.states(d).get(code[d])));
        return sample;
    }
}
