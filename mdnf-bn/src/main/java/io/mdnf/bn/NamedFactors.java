package io.mdnf.bn;

import io.mdnf.elimination.JunctionTree;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import io.mdnf.uai.UaiEvidence;
import io.mdnf.uai.UaiModel;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Variables with names, and the factors whose product is their joint, up to a constant: what questions are put to,
 * whatever file it came from. A case is a state for each variable, or {@link JunctionTree#LATENT}, [D].
 *
 * @param name of the model, for messages
 * @param variables their names
 * @param states the names of each variable's states
 * @param factors over variables by position
 */
public record NamedFactors(String name, List<String> variables, List<List<String>> states, List<Factor> factors)
        implements Serializable {

    /** Copies the lists. */
    public NamedFactors {
        variables = List.copyOf(variables);
        states = states.stream().map(List::copyOf).toList();
        factors = List.copyOf(factors);
    }

    /** A network's p(variable | parents), one factor for each node, parents first. */
    public static NamedFactors of(BayesianNetwork network) {
        return new NamedFactors(network.name(), network.nodes().stream().map(Node::name).toList(),
                network.nodes().stream().map(Node::states).toList(), Evidence.none(network).factors());
    }

    /** A model of a UAI file: variable i is {@code xi} with states {@code 0}, {@code 1} and so on. */
    public static NamedFactors of(UaiModel model, String name) {
        return new NamedFactors(name, IntStream.range(0, model.variables()).mapToObj(UaiNetworks::variable).toList(),
                IntStream.of(model.cardinalities()).mapToObj(UaiNetworks::states).toList(),
                model.target(UaiEvidence.none(model)).factors());
    }

    /** {@return the space of all variables} */
    public CodeSpace space() {
        return CodeSpace.of(states.stream().mapToInt(List::size).toArray());
    }

    /** Returns the position of a variable; an IllegalArgumentException names the nearest if there is none. */
    public int indexOf(String variable) {
        int at = variables.indexOf(variable);
        Check.that(at >= 0, "network ", Names.quote(name), " has no variable ", Names.quote(variable),
                at >= 0 ? "" : Names.didYouMean(variable, variables) + ", variables: " + Names.list(variables));
        return at;
    }

    /** Returns the log joint given a case, over all variables: an observed one keeps the category it was seen in. */
    public FactorTarget target(int[] observed) {
        CodeSpace space = space();
        int[] kept = space.cardinalities();
        Arrays.setAll(kept, v -> observed[v] == JunctionTree.LATENT ? kept[v] : 1);
        CodeSpace left = CodeSpace.of(kept);
        return new FactorTarget(left, factors.stream().map(factor -> given(space, left, factor, observed)).toList());
    }

    private static Factor given(CodeSpace space, CodeSpace left, Factor factor, int[] observed) {
        int[] variables = factor.variables();
        double[] table = factor.logTable();
        return new Factor(variables, Arrays.stream(left.configurations(variables)).mapToDouble(states -> {
            int entry = 0;
            for (int v = 0; v < variables.length; v++) {
                entry = entry * space.cardinality(variables[v])
                        + (observed[variables[v]] == JunctionTree.LATENT ? states[v] : observed[variables[v]]);
            }
            return table[entry];
        }).toArray());
    }

    @Override
    public String toString() {
        return name + ": " + variables.size() + " variables, " + factors.size() + " factors";
    }
}
