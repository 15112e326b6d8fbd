package io.mdnf.bn;

import io.mdnf.elimination.Reduction;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
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
 * {@link Evidence#latents()}. Zeros of a table are -infinity when evaluated exactly, and
 * {@link #PENALTY} in a graph.
 *
 * <pre>{@code
 * Evidence evidence = Evidence.parse(BuiltInNetworks.open("asia"), "asia=yes,xray=yes");
 * NetworkTarget target = new NetworkTarget(evidence);
 * }</pre>
 */
public final class NetworkTarget extends FactorTarget {

    private final Evidence evidence;
    private final int[] nodes;

    /** A target from evidence; an IllegalArgumentException if every variable was observed. */
    public NetworkTarget(Evidence evidence) {
        super(latentSpace(evidence), evidence.factors());
        this.evidence = evidence;
        this.nodes = evidence.latents();
    }

    private static CodeSpace latentSpace(Evidence evidence) {
        Check.that(evidence.latents().length != 0, "evidence {" + evidence + "} observes every variable of network "
                + Names.quote(evidence.network().name()) + ", expected at least one latent variable");
        return CodeSpace.of(evidence.latentCardinalities());
    }

    /** {@return the network and what was observed} */
    public Evidence evidence() {
        return evidence;
    }

    /** {@inheritDoc} Exact inference on the evidence shares it. */
    @Override
    public Reduction reduction() {
        return evidence.reduction();
    }

    /** {@return positions of the latent nodes in the network, ascending, [D], a fresh array} */
    public int[] nodes() {
        return nodes.clone();
    }

    /** {@return names of the latent nodes, [D]} */
    public List<String> variables() {
        return Arrays.stream(nodes).mapToObj(i -> evidence.network().node(i).name()).toList();
    }

    /** Returns the names of the states of variable d, [K_d]. */
    public List<String> states(int variable) {
        return evidence.network().node(nodes[variable]).states();
    }

    /** Returns the variables with parents before children, the best order of an autoregressive posterior, [D]. */
    public int[] order() {
        return IntStream.of(evidence.network().topologicalOrder()).map(i -> Arrays.binarySearch(nodes, i))
                .filter(d -> d >= 0).toArray();
    }

    /** Returns the target whose tables have {@link LogSpace#FLOOR} added to every entry: no code is impossible. */
    public FactorTarget floored() {
        return new FactorTarget(space(), factors().stream().map(factor -> new Factor(factor.variables(),
                Arrays.stream(factor.logTable()).map(v -> Math.log(Math.exp(v) + LogSpace.FLOOR)).toArray())).toList());
    }

    @Override
    public String toString() {
        return "NetworkTarget(" + evidence.network() + "; observed {" + evidence + "})";
    }
}
