package io.mdnf.bn;

import io.mdnf.space.Check;
import io.mdnf.uai.UaiModel;
import io.mdnf.uai.UaiTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Bayesian networks from and to UAI models: the same numbers in another order of axes, to the last bit. A UAI file has
 * no names, so variable i comes back as {@code xi} with states {@code 0}, {@code 1} and so on.
 */
public final class UaiNetworks {

    private UaiNetworks() {
    }

    /** Returns a network as a model: table i is p(x_i | parents), parents first. */
    public static UaiModel model(BayesianNetwork network) {
        return new UaiModel(UaiModel.Kind.BAYES, network.cardinalities(), IntStream.range(0, network.size())
                .mapToObj(i -> new UaiTable(IntStream.concat(IntStream.of(network.parents(i)), IntStream.of(i))
                        .toArray(), network.node(i).table())).toList());
    }

    /**
     * Returns a model as a network called by a name; an IllegalArgumentException says why it is none: a Markov field,
     * not one table for each variable, rows that do not sum to 1, or a cycle.
     */
    public static BayesianNetwork network(UaiModel model, String name) {
        Check.that(model.kind() == UaiModel.Kind.BAYES, model, " is a Markov field, expected BAYES: only a network of "
                + "conditional probabilities has a BIF form");
        List<Node> nodes = new ArrayList<>(Collections.nCopies(model.variables(), null));
        for (UaiTable table : model.tables()) {
            int[] scope = table.variables();
            Check.that(scope.length > 0, "a table of ", model, " has no variables, expected a child");
            int child = scope[scope.length - 1];
            Check.that(nodes.get(child) == null, "variable ", child, " of ", model, " is the last of two scopes, "
                    + "expected one table p(child | parents) for each variable");
            nodes.set(child, new Node(variable(child), states(model.cardinality(child)),
                    IntStream.of(scope).limit(scope.length - 1L)
                    .mapToObj(UaiNetworks::variable).toList(), table.values()));
        }
        Check.that(!nodes.contains(null), "variable ", nodes.indexOf(null), " of ", model, " is the last of no scope, "
                + "expected one table p(child | parents) for each variable");
        return BayesianNetwork.of(name, nodes);
    }

    static String variable(int i) {
        return "x" + i;
    }

    static List<String> states(int cardinality) {
        return IntStream.range(0, cardinality).mapToObj(Integer::toString).toList();
    }
}
