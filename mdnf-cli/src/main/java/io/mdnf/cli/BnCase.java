package io.mdnf.cli;

import io.mdnf.bn.BifWriter;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.NetworkSource;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.Node;
import io.mdnf.bn.TooLargeException;
import io.mdnf.bn.VariableElimination;
import io.mdnf.checkpoint.RunManifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Mixin for commands about a network and what was observed. What is wrong with either is one line and exit code 2. */
final class BnCase {

    @Parameters(index = "0", paramLabel = "NETWORK", completionCandidates = Completion.Networks.class,
            description = "A built-in network (asia, cancer, earthquake, sachs, hepar2) or the path of a BIF file.")
    private String network;

    @Option(names = "--evidence", paramLabel = "A=x,B=y", defaultValue = "",
            description = "What was observed; nothing unless given. Names with commas go in double quotes.")
    private String observed;

    String name() {
        return network;
    }

    Evidence evidence() throws IOException {
        return orRefuse(() -> Evidence.parse(NetworkSource.open(network), observed));
    }

    NetworkTarget target() throws IOException {
        return orRefuse(() -> new NetworkTarget(evidence()));
    }

    /** Exact inference; impossible evidence is refused. */
    static ExactPosterior exact(Evidence evidence) throws IOException {
        return orRefuse(() -> VariableElimination.posterior(evidence));
    }

    /** The same where it is feasible. */
    static Optional<ExactPosterior> exactIfFeasible(Evidence evidence) throws IOException {
        try {
            return Optional.of(exact(evidence));
        } catch (TooLargeException e) {
            return Optional.empty();
        }
    }

    /** Where the network came from, for a run's manifest. */
    RunManifest.Input input() throws IOException {
        return BuiltInNetworks.names().contains(network)
                ? RunManifest.Input.of(network, BifWriter.text(NetworkSource.open(network)).getBytes(StandardCharsets.UTF_8))
                : RunManifest.Input.of(Path.of(network));
    }

    /** The beginning of an answer: the network's name, and what was observed as variable to state. */
    static Map<String, Object> answer(Evidence evidence) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (int i = 0; i < evidence.network().size(); i++) {
            if (evidence.isObserved(i)) {
                Node node = evidence.network().node(i);
                pairs.put(node.name(), node.states().get(evidence.state(i)));
            }
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("network", evidence.network().name());
        answer.put("evidence", pairs);
        return answer;
    }

    private interface Made<T> {
        T get() throws IOException;
    }

    private static <T> T orRefuse(Made<T> made) throws IOException {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(e.getMessage(), e);
        }
    }
}
