package io.mdnf.cli;

import io.mdnf.bn.BifWriter;
import io.mdnf.bn.BuiltInNetworks;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.NamedFactors;
import io.mdnf.bn.NetworkPosterior;
import io.mdnf.bn.NetworkSource;
import io.mdnf.bn.NetworkTarget;
import io.mdnf.bn.Node;
import io.mdnf.bn.VariableElimination;
import io.mdnf.checkpoint.RunManifest;
import io.mdnf.elimination.TooLargeException;
import io.mdnf.fit.Plan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Mixin for commands about a network and what was observed. What is wrong with either is one line and exit code 2. */
final class BnCase {
    /** What a fit is compared with should not take longer than the fit. */
    private static final long BESIDE_A_FIT = 512L << 20;

    @Parameters(index = "0", paramLabel = "NETWORK", completionCandidates = Completion.Networks.class,
            description = "A built-in network (asia, cancer, earthquake, sachs, hepar2), the path of a file (BIF, "
                    + "XMLBIF, Hugin or UAI), or the folder of a run of 'mdnf bn fit', with its evidence.")
    private String network;

    @Option(names = "--evidence", paramLabel = "A=x,B=y", defaultValue = "",
            description = "What was observed; nothing unless given. Names with commas go in double quotes.")
    private String observed;

    @Option(names = "--memory", paramLabel = "SIZE",
            description = "What exact inference may take, such as 500m or 4g; unless given, most of what Java has "
                    + "left, but beside a fit no more than 512m, some seconds.")
    private String memory;

    String name() {
        return network;
    }

    Evidence evidence() throws IOException {
        if (isRun()) {
            try (NetworkPosterior posterior = kept()) {
                return posterior.evidence();
            }
        }
        return UsageProblem.ifRefused(() -> Evidence.parse(NetworkSource.open(network), observed));
    }

    /** Whether the folder of a run was named instead of a network. */
    boolean isRun() {
        return !BuiltInNetworks.names().contains(network) && Files.exists(folder().resolve(RunManifest.NAME));
    }

    private Path folder() {
        try {
            return Path.of(network);
        } catch (InvalidPathException e) {
            throw new UsageProblem("no file can be called '" + network + "'", e);
        }
    }

    /** What the run in the folder found; other evidence than the run's is refused. */
    NetworkPosterior kept() throws IOException {
        if (!Files.exists(folder().resolve(NetworkPosterior.NAME))) {
            throw new UsageProblem(network + ": no fit was finished in this run; 'mdnf bn fit' with --out " + network
                    + " --resume goes on with it");
        }
        NetworkPosterior posterior = NetworkPosterior.load(folder());
        Evidence evidence = posterior.evidence();
        if (evidenceGiven()
                && !UsageProblem.ifRefused(() -> Evidence.parse(evidence.network(), observed)).equals(evidence)) {
            posterior.close();
            throw new UsageProblem("--evidence " + observed + ": the run in " + network + " was fitted to "
                    + (evidence.toString().isEmpty() ? "nothing observed" : evidence)
                    + "; leave --evidence out, or fit again");
        }
        return posterior;
    }

    /** The network as factors; a UAI file may be a Markov field too. */
    NamedFactors model() throws IOException {
        return isRun() ? NamedFactors.of(evidence().network())
                : UsageProblem.ifRefused(() -> NetworkSource.factors(network));
    }

    boolean evidenceGiven() {
        return !observed.isBlank();
    }

    boolean memoryGiven() {
        return memory != null;
    }

    NetworkTarget target() throws IOException {
        return UsageProblem.ifRefused(() -> new NetworkTarget(evidence()));
    }

    long memory() {
        return TableOptions.bytes(memory);
    }

    /** What to do where exact inference needs too many bytes; more memory only if this machine has it. */
    String instead(double bytes) {
        double heap = Math.ceil(1.25 * bytes * TableOptions.GIGABYTES);
        return "use 'mdnf bn fit'" + (heap > Checkup.physicalMemory() * TableOptions.GIGABYTES ? ""
                : memory != null ? ", or a larger --memory"
                : String.format(Locale.ROOT, ", or give Java more memory with MDNF_JAVA_OPTS=-Xmx%.0fg", heap));
    }

    /** Exact inference; impossible evidence is refused. */
    ExactPosterior exact(Evidence evidence) throws IOException {
        long most = memory();
        return UsageProblem.ifRefused(() -> VariableElimination.posterior(evidence, most));
    }

    /** The same beside a fit, where it is feasible, and the fit does not find it itself. */
    Optional<ExactPosterior> truthBeside(Plan plan, NetworkTarget target) throws IOException {
        if (plan.findsTruth(target)) {
            return Optional.empty();
        }
        try {
            long most = memory == null ? Math.min(memory(), BESIDE_A_FIT) : memory();
            return Optional.of(UsageProblem.ifRefused(() -> VariableElimination.posterior(target.evidence(), most)));
        } catch (TooLargeException e) {
            return Optional.empty();
        }
    }

    /** Where the network came from, for a run's manifest. */
    RunManifest.Input input() throws IOException {
        return BuiltInNetworks.names().contains(network)
                ? RunManifest.Input.of(network,
                        BifWriter.text(NetworkSource.open(network)).getBytes(StandardCharsets.UTF_8))
                : RunManifest.Input.of(isRun() ? folder().resolve(NetworkPosterior.NAME) : Path.of(network));
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
}
