package io.mdnf.bn;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.FactorisedExpectation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The latent variables of a network given evidence, as the target of variational inference:
 *
 * <pre>{@code log p(D, x) = sum_i log p(x_i | x_parents(i)) }</pre>
 *
 * <p>with the observed nodes at their states D. The sum of p(D, x) over all codes is the evidence p(D). Variable d of a
 * code is the latent node {@code nodes()[d]}: latents in the order of the network's nodes, which is also the order of
 * {@link Evidence#latents()} and {@link Enumeration}. Zeros of a table are -infinity when evaluated exactly, and
 * {@link #PENALTY} in a graph.
 *
 * <pre>{@code
 * Evidence evidence = Evidence.parse(BuiltInNetworks.open("asia"), "asia=yes,xray=yes");
 * NetworkTarget target = new NetworkTarget(evidence);
 * }</pre>
 */
public final class NetworkTarget implements FactorisedExpectation {

    private final Evidence evidence;
    private final int[] nodes;
    private final FactorTarget target;

    /**
     * A target from evidence.
     *
     * @param evidence the network and what was observed; at least one variable must be latent
     * @throws IllegalArgumentException if every variable was observed
     */
    public NetworkTarget(Evidence evidence) {
        this.evidence = evidence;
        this.nodes = evidence.latents();
        BayesianNetwork network = evidence.network();
        if (nodes.length == 0) {
            throw new IllegalArgumentException("evidence {" + evidence + "} observes every variable of network "
                    + Names.quote(network.name()) + ", expected at least one latent variable");
        }
        int[] positions = positions();
        List<Factor> factors = new ArrayList<>();
        for (int i = 0; i < network.size(); i++) {
            LogFactor conditional = LogFactor.conditional(evidence, i);
            int[] variables = Arrays.stream(conditional.variables()).map(node -> positions[node]).toArray();
            factors.add(new Factor(variables, conditional.values()));
        }
        this.target = new FactorTarget(CodeSpace.of(evidence.latentCardinalities()), factors);
    }

    /** The variable of each node, -1 for observed ones. */
    private int[] positions() {
        int[] positions = new int[evidence.network().size()];
        Arrays.fill(positions, -1);
        for (int d = 0; d < nodes.length; d++) {
            positions[nodes[d]] = d;
        }
        return positions;
    }

    /** {@return the network and what was observed} */
    public Evidence evidence() {
        return evidence;
    }

    /** {@return positions of the latent nodes in the network, ascending, [D], a fresh array} */
    public int[] nodes() {
        return nodes.clone();
    }

    /** {@return names of the latent nodes, [D]} */
    public List<String> variables() {
        return Arrays.stream(nodes).mapToObj(i -> evidence.network().node(i).name()).toList();
    }

    /**
     * Names of the states of a variable.
     *
     * @param variable d, from 0
     * @return its categories, [K_d]
     */
    public List<String> states(int variable) {
        return evidence.network().node(nodes[variable]).states();
    }

    /**
     * The variables with parents before children: the order in which an autoregressive posterior does best.
     *
     * @return a permutation of 0 .. D - 1, a fresh array
     */
    public int[] order() {
        int[] positions = positions();
        return IntStream.of(evidence.network().topologicalOrder()).map(i -> positions[i]).filter(d -> d >= 0).toArray();
    }

    @Override
    public CodeSpace space() {
        return target.space();
    }

    @Override
    public double[] logJoint(int[][] codes) {
        return target.logJoint(codes);
    }

    @Override
    public List<Factor> factors() {
        return target.factors();
    }

    @Override
    public double[][] neighbours(int[] code) {
        return target.neighbours(code);
    }

    @Override
    public double[] conditional(int[] code, int variable) {
        return target.conditional(code, variable);
    }

    @Override
    public double expectedLogJoint(double[][] q) {
        return target.expectedLogJoint(q);
    }

    @Override
    public double[] conditionalLogJoint(double[][] q, int variable) {
        return target.conditionalLogJoint(q, variable);
    }

    @Override
    public boolean isDifferentiable() {
        return target.isDifferentiable();
    }

    @Override
    public Tensor logJoint(Graph graph, Tensor codes) {
        return target.logJoint(graph, codes);
    }

    @Override
    public String toString() {
        return "NetworkTarget(" + evidence.network() + "; observed {" + evidence + "})";
    }
}
