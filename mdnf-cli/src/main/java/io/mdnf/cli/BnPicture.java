package io.mdnf.cli;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.Evidence;
import io.mdnf.bn.Node;
import io.mdnf.file.AtomicFiles;
import io.mdnf.plot.LayeredLayout;
import io.mdnf.plot.NetworkPlot;
import io.mdnf.report.Decimals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** Mixin for a picture of a network, and the picture itself. */
final class BnPicture {

    /** More boxes than this nobody reads on a page of a report. */
    static final int READABLE = 150;

    @Option(names = "--picture", paramLabel = "FILE", converter = FileToWrite.class,
            description = "Draw the network: SVG, PNG or (for Graphviz) DOT, as the file is called.")
    private Path file;

    /** Writes the picture that was asked for, if any. */
    void write(Evidence evidence) throws IOException {
        if (file == null) {
            return;
        }
        String name = file.getFileName().toString();
        NetworkPlot plot = of(evidence, Map.of());
        if (name.endsWith(".svg")) {
            AtomicFiles.write(file, plot.svg());
        } else if (name.endsWith(".dot")) {
            AtomicFiles.write(file, plot.dot());
        } else if (name.endsWith(".png")) {
            AtomicFiles.write(file, plot.png().bytes());
        } else {
            throw new UsageProblem("--picture " + file + ": the name must end in .svg, .png or .dot");
        }
    }

    /**
     * A box for each variable: observed ones with their state, others with their most probable one.
     *
     * @param marginals {variable: {state: p}}, of those that are known
     */
    static NetworkPlot of(Evidence evidence, Map<String, Map<String, Double>> marginals) {
        BayesianNetwork network = evidence.network();
        List<NetworkPlot.Variable> variables = new ArrayList<>();
        List<LayeredLayout.Arc> arcs = new ArrayList<>();
        for (int i = 0; i < network.size(); i++) {
            int child = i;
            Node node = network.node(i);
            String note = evidence.isObserved(i) ? node.states().get(evidence.state(i))
                    : mostProbable(marginals.getOrDefault(node.name(), Map.of()));
            variables.add(new NetworkPlot.Variable(node.name(), note, node.name() + ": " + node.cardinality()
                    + " states (" + String.join(", ", node.states()) + ")", evidence.isObserved(i)));
            IntStream.of(network.parents(i)).forEach(parent -> arcs.add(new LayeredLayout.Arc(parent, child)));
        }
        String description = network.size() + " variables and " + arcs.size() + " arcs; observed ones are filled.";
        return new NetworkPlot(network.name(), description, variables, arcs);
    }

    private static String mostProbable(Map<String, Double> states) {
        return states.entrySet().stream().max(Map.Entry.comparingByValue())
                .map(state -> state.getKey() + " " + Decimals.fixed(state.getValue(), 2)).orElse("");
    }
}
