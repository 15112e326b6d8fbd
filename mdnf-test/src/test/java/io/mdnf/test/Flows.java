package io.mdnf.test;

import io.mdnf.flow.Flow;
import io.mdnf.flow.FlowStack;
import io.mdnf.flow.LocationScaleFlow;
import io.mdnf.flow.PartialFlow;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.flow.SortingNetwork;
import io.mdnf.flow.VariablePermutation;
import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.flow.VariableWiseStack;
import io.mdnf.graph.Initialiser;
import io.mdnf.network.Activation;
import io.mdnf.network.Bipartite;
import io.mdnf.network.Conditioned;
import io.mdnf.network.DirectLogits;
import io.mdnf.network.Given;
import io.mdnf.network.Made;
import io.mdnf.network.Nade;
import io.mdnf.network.Narrowed;
import io.mdnf.network.Recurrent;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every kind of flow on every kind of network, for the contract tests. */
final class Flows {

    private Flows() {}

    /** The same network with hidden degrees that are drawn, as in the paper of MADE, in place of dealt out. */
    static Made withRandomDegrees(Made made, Seed seed) {
        int highest = Math.max(1, made.space().variables() - 1);
        int[][] degrees = new int[made.hidden().length][];
        Arrays.setAll(degrees, layer -> new Draws(seed).uniform("layer" + layer, made.hidden()[layer], highest));
        return new Made(made.space(), made.components(), made.hidden(), made.activation(), made.direct(), made.order(),
                degrees, made.shared(), made.first());
    }

    static Map<String, ShiftNetwork> networks(CodeSpace space, int b) {
        int last = space.variables() - 1;
        int[] reversed = new int[space.variables()];
        Arrays.setAll(reversed, d -> last - d);
        Map<String, ShiftNetwork> networks = new LinkedHashMap<>();
        networks.put("direct", new DirectLogits(space, b));
        networks.put("made", Made.with(space, b).hidden(7).build());
        networks.put("made linear, no hidden", Made.with(space, b).hidden().activation(Activation.LINEAR).build());
        networks.put("made deep, random degrees, reversed, direct", withRandomDegrees(
                Made.with(space, b).hidden(8, 6).order(reversed).directConnections().build(), Seed.of(3)));
        networks.put("made with shared weights, direct", Made.with(space, b).hidden(6).directConnections()
                .sharedWeights()
                .build());
        networks.put("nade", new Nade(space, b, 0, 6));
        networks.put("bipartite", new Bipartite(space, b, new int[] {1}, 5));
        networks.put("bipartite without hidden", new Bipartite(space, b, new int[] {0, last}));
        networks.put("gru", new Recurrent(space, b, Recurrent.Cell.GRU, 4));
        networks.put("lstm", new Recurrent(space, b, Recurrent.Cell.LSTM, 4));
        networks.put("given", new Given(space, b));
        networks.put("given and direct", new Conditioned(new DirectLogits(space, b)));
        networks.put("given and made", new Conditioned(Made.with(space, b).hidden(6).build()));
        return networks;
    }

    /** Flows that PER_VARIABLE mixtures can use too. */
    static Map<String, VariableWiseFlow> variableWise(CodeSpace space, int b) {
        Map<String, VariableWiseFlow> flows = new LinkedHashMap<>();
        networks(space, b).forEach((name, network) -> flows.put("shift " + name, new ShiftFlow(network)));
        networks(space, b).forEach((name, network) -> {
            if (name.equals("direct") || name.equals("made")) {
                flows.put("location-scale " + name, new LocationScaleFlow(network, network));
            }
        });
        // variable 1 moves: modulo 2 there is only one unit, so no scale to learn
        ShiftNetwork coupling = new Bipartite(space, b, new int[] {0}, 5);
        flows.put("location-scale given", new LocationScaleFlow(new Given(space, b), new DirectLogits(space, b)));
        flows.put("location-scale bipartite", new LocationScaleFlow(coupling, coupling));
        CodeSpace two = CodeSpace.uniform(space.variables(), 2);
        flows.put("partial", new PartialFlow(space, new DirectLogits(two, b), 1, 0));
        flows.put("partial direct, of all", new PartialFlow(space, new DirectLogits(space, b), 1, 0));
        flows.put("partial made", new PartialFlow(space, Made.with(space, b).hidden(5).build(), 0, 1));
        flows.put("partial bipartite", new PartialFlow(space, new Bipartite(space, b, new int[] {1}, 5), 1, 0));
        flows.put("partial given", new PartialFlow(space, new Given(space, b), 0, 1));
        if (Arrays.stream(space.cardinalities()).min().getAsInt() > 3) {
            // of fewer categories only one is a unit: no scale to learn
            ShiftNetwork direct = new DirectLogits(CodeSpace.uniform(space.variables(), 3), b);
            ShiftNetwork made = new Narrowed(Made.with(space, b).hidden(6).build(), 3);
            flows.put("partial location-scale direct", new PartialFlow(space, new LocationScaleFlow(direct, direct),
                    3, 0, 2));
            flows.put("partial location-scale made",
                    new PartialFlow(space, new LocationScaleFlow(made, made), 1, 3, 0));
            flows.put("partial in a stack", new VariableWiseStack(List.of(new ShiftFlow(new DirectLogits(space, b)),
                    new PartialFlow(space, new LocationScaleFlow(made, made), 2, 3, 1))));
        }
        flows.put("variable-wise stack", new VariableWiseStack(List.of(
                new ShiftFlow(Made.with(space, b).hidden(5).build()),
                new LocationScaleFlow(new DirectLogits(space, b), new DirectLogits(space, b)))));
        if (space.isUniform()) {
            flows.put("bubble", SortingNetwork.bubble(space, b, Initialiser.normal(1)));
            flows.put("bitonic", SortingNetwork.bitonic(space, b, Initialiser.normal(1)));
        }
        return flows;
    }

    static Map<String, Flow> all(CodeSpace space, int b) {
        Map<String, Flow> flows = new LinkedHashMap<>(variableWise(space, b));
        List<Flow> layers = new ArrayList<>();
        layers.add(new ShiftFlow(Made.with(space, b).hidden(5).build()));
        layers.add(new ShiftFlow(new Bipartite(space, b, new int[] {0}, 4)));
        if (space.cardinality(0) == space.cardinality(space.variables() - 1)) {
            int[] order = new int[space.variables()];
            Arrays.setAll(order, d -> d);
            order[0] = space.variables() - 1;
            order[space.variables() - 1] = 0;
            layers.add(new VariablePermutation(space, b, order));
        }
        layers.add(new LocationScaleFlow(new DirectLogits(space, b), new DirectLogits(space, b)));
        flows.put("stack", new FlowStack(layers));
        return flows;
    }
}
