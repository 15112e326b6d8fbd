package io.mdnf.cli;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.NetworkPosterior;
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

    @Command(name = "sample", footer = {"  mdnf bn sample asia --evidence xray=yes --out codes.csv",
        "  mdnf bn sample runs/hepar -n 100"},
            description = "Print samples of a posterior as CSV, a column per latent variable: of the one that a run of "
                    + "'mdnf bn fit' kept, or of one that is fitted now.")
    int sample(@Mixin BnCase asked,
            @Option(names = {"-n", "--samples"}, paramLabel = "N", defaultValue = "1000", description = "How many")
            int count, @Mixin BnPlan asking, @Mixin SeedOption seed,
            @Option(names = "--out", paramLabel = "FILE", converter = FileToWrite.class,
                    description = "Write the CSV here instead of stdout.")
            Path file, @Mixin JsonOption json) throws IOException {
        UsageProblem.ifBelowOne("-n", count);
        if (asked.isRun()) {
            asking.refuseBeside(asked.name());
            Nd4jStart.now();
            try (NetworkPosterior kept = asked.kept()) {
                samples(kept, BnKept.answer(kept), count, seed, file, json);
            }
            return 0;
        }
        NetworkTarget target = asked.target();
        var plan = asking.plan(target, asked.memory());
        var exact = asked.truthBeside(plan, target);
        Nd4jStart.now();
        try (BnFitted fitted = BnFitted.fit(new Fitter(target, target.order()), target, exact, plan, seed.seed())) {
            Map<String, Object> answer = fitted.answer();
            answer.keySet().removeAll(List.of("marginals", "families"));
            samples(fitted.posterior(), answer, count, seed, file, json);
        }
        return 0;
    }

    private static void samples(NetworkPosterior posterior, Map<String, Object> about, int count, SeedOption seed,
            Path file, JsonOption json) throws IOException {
        Evidence evidence = posterior.evidence();
        List<Map<String, String>> samples = Arrays.stream(posterior.distribution().sample(count,
                seed.seed().fold("samples"))).map(code -> BnKept.named(evidence, code)).toList();
        CsvTable csv = new CsvTable(Arrays.stream(evidence.latents()).mapToObj(i -> evidence.network().node(i).name())
                .toArray(String[]::new));
        samples.forEach(sample -> csv.row(sample.values().toArray()));
        if (file != null) {
            csv.write(file);
        }
        json.answer(() -> {
            about.put("n", count);
            about.put(file == null ? "samples" : "file", file == null ? samples : file.toString());
            return about;
        }, out -> {
            if (file == null) {
                out.print(csv);
            }
            json.note(posterior.family() + " posterior. " + posterior.trust());
        });
    }
}
