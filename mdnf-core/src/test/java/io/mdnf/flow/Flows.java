package io.mdnf.flow;

import io.mdnf.graph.Initialiser;
import io.mdnf.graph.StraightThrough;
import io.mdnf.network.Activation;
import io.mdnf.network.Bipartite;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Made;
import io.mdnf.network.Recurrent;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.random.Seed;
import io.mdnf.space.Codes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every kind of flow on every kind of network, for the contract tests. */
public final class Flows {

    /** Straight-through codes replaced by their surrogate: the whole graph is smooth, so gradients can be differenced. */
    public static final StraightThrough SOFT =
            (logits, codes, inverse) -> StraightThrough.restrict(logits, codes).scaledBy(inverse).softmax();

    private Flows() {}

    public static Map<String, ShiftNetwork> networks(Codes codes, int b) {
        int last = codes.variables() - 1;
        int[] reversed = new int[codes.variables()];
        Arrays.setAll(reversed, d -> last - d);
        Map<String, ShiftNetwork> networks = new LinkedHashMap<>();
        networks.put("direct", new DirectLogits(codes, b));
        networks.put("made", Made.with(codes, b).hidden(7).build());
        networks.put("made linear, no hidden", Made.with(codes, b).hidden().activation(Activation.LINEAR).build());
        networks.put("made deep, random degrees, reversed, direct", Made.with(codes, b).hidden(8, 6).order(reversed)
                .randomDegrees(Seed.of(3)).directConnections().build());
        networks.put("made with shared weights, direct", Made.with(codes, b).hidden(6).directConnections().sharedWeights()
                .build());
        networks.put("bipartite", new Bipartite(codes, b, new int[] {1}, 5));
        networks.put("bipartite without hidden", new Bipartite(codes, b, new int[] {0, last}));
        networks.put("gru", new Recurrent(codes, b, Recurrent.Cell.GRU, 4));
        networks.put("lstm", new Recurrent(codes, b, Recurrent.Cell.LSTM, 4));
        return networks;
    }

    /** Flows that PER_VARIABLE mixtures can use too. */
    public static Map<String, VariableWiseFlow> variableWise(Codes codes, int b) {
        Map<String, VariableWiseFlow> flows = new LinkedHashMap<>();
        networks(codes, b).forEach((name, network) -> flows.put("shift " + name, new ShiftFlow(network)));
        networks(codes, b).forEach((name, network) -> {
            if (name.equals("direct") || name.equals("made")) {
                flows.put("location-scale " + name, new LocationScaleFlow(network, network));
            }
        });
        // variable 1 moves: modulo 2 there is only one unit, so no scale to learn
        ShiftNetwork coupling = new Bipartite(codes, b, new int[] {0}, 5);
        flows.put("location-scale bipartite", new LocationScaleFlow(coupling, coupling));
        Codes two = Codes.uniform(codes.variables(), 2);
        flows.put("partial", new PartialFlow(codes, new DirectLogits(two, b), 1, 0));
        flows.put("variable-wise stack", new VariableWiseStack(List.of(
                new ShiftFlow(Made.with(codes, b).hidden(5).build()),
                new LocationScaleFlow(new DirectLogits(codes, b), new DirectLogits(codes, b)))));
        if (codes.isUniform()) {
            flows.put("bubble", SortingNetwork.bubble(codes, b, Initialiser.normal(1)));
            flows.put("bitonic", SortingNetwork.bitonic(codes, b, Initialiser.normal(1)));
        }
        return flows;
    }

    public static Map<String, Flow> all(Codes codes, int b) {
        Map<String, Flow> flows = new LinkedHashMap<>(variableWise(codes, b));
        List<Flow> layers = new ArrayList<>();
        layers.add(new ShiftFlow(Made.with(codes, b).hidden(5).build()));
        layers.add(new ShiftFlow(new Bipartite(codes, b, new int[] {0}, 4)));
        if (codes.cardinality(0) == codes.cardinality(codes.variables() - 1)) {
            int[] order = new int[codes.variables()];
            Arrays.setAll(order, d -> d);
            order[0] = codes.variables() - 1;
            order[codes.variables() - 1] = 0;
            layers.add(new VariablePermutation(codes, b, order));
        }
        layers.add(new LocationScaleFlow(new DirectLogits(codes, b), new DirectLogits(codes, b)));
        flows.put("stack", new FlowStack(layers));
        return flows;
    }
}
