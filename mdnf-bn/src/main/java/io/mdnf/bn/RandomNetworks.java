package io.mdnf.bn;

import io.mdnf.elimination.JunctionTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Random networks and evidence, a test bed: mixed cardinalities, zeros, nodes in no topological order. */
public final class RandomNetworks {

    private RandomNetworks() {
    }

    /**
     * A network whose variables have 1 to 4 states.
     *
     * @param mostParents of a node; how many it has is uniform
     * @param zeros the probability that an entry of a table is 0, as long as another of its row is not
     */
    public static BayesianNetwork network(Random random, int size, int mostParents, double zeros) {
        List<Integer> order = new ArrayList<>();
        int[] cardinalities = new int[size];
        for (int i = 0; i < size; i++) {
            order.add(i);
            cardinalities[i] = 1 + random.nextInt(4);
        }
        Collections.shuffle(order, random);
        Node[] nodes = new Node[size];
        for (int position = 0; position < size; position++) {
            int i = order.get(position);
            List<Integer> before = new ArrayList<>(order.subList(0, position));
            Collections.shuffle(before, random);
            List<Integer> parents = before.subList(0, Math.min(before.size(), random.nextInt(mostParents + 1)));
            int rows = parents.stream().mapToInt(p -> cardinalities[p]).reduce(1, (a, b) -> a * b);
            nodes[i] = new Node("v" + i, states(cardinalities[i]), parents.stream().map(p -> "v" + p).toList(),
                    table(random, rows, cardinalities[i], zeros));
        }
        return BayesianNetwork.of("random", List.of(nodes));
    }

    private static List<String> states(int cardinality) {
        return IntStream.range(0, cardinality).mapToObj(k -> "s" + k).toList();
    }

    private static double[] table(Random random, int rows, int cardinality, double zeros) {
        double[] table = new double[rows * cardinality];
        for (int row = 0; row < rows; row++) {
            int sure = random.nextInt(cardinality);
            double sum = 0;
            for (int k = 0; k < cardinality; k++) {
                boolean zero = k != sure && random.nextDouble() < zeros;
                double weight = zero ? 0 : Math.exp(3 * random.nextGaussian());
                table[row * cardinality + k] = weight;
                sum += weight;
            }
            for (int k = 0; k < cardinality; k++) {
                table[row * cardinality + k] /= sum;
            }
        }
        return table;
    }

    /** Observes about a third of the nodes as some sample has them, so that the evidence is possible. */
    public static Evidence possibleEvidence(Random random, BayesianNetwork network) {
        int[] sample = network.sample(random);
        Map<String, String> observed = new HashMap<>();
        for (int i = 0; i < network.size(); i++) {
            if (random.nextInt(3) == 0) {
                observed.put(network.node(i).name(), network.node(i).states().get(sample[i]));
            }
        }
        return Evidence.of(network, observed);
    }

    /** Samples of a network, each cell left out with a probability: a state or -1 for each node. */
    public static List<int[]> cases(Random random, BayesianNetwork network, int count, double missing) {
        List<int[]> cases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int[] states = network.sample(random);
            Arrays.setAll(states, v -> random.nextDouble() < missing ? JunctionTree.LATENT : states[v]);
            cases.add(states);
        }
        return cases;
    }
}
