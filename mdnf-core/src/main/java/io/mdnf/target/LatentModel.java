package io.mdnf.target;

import io.mdnf.graph.Graph;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A model of rows y with a code x behind each: log p_theta(y, x), written as operations, with parameters theta that are
 * learned together with the posterior q(x | y).
 *
 * <p>Theta is what the function asks the graph for by {@link Graph#parameter}. The same function serves training,
 * bounds and posteriors, so it must give every row its own value, whatever n is, and make a distribution of rows and
 * codes: sum over x and y of p_theta(y, x) = 1, or the bounds are not of a likelihood.
 *
 * <pre>{@code
 * LatentModel coins = new LatentModel(CodeSpace.of(2), (graph, rows, codes) -> {      // which of two coins was thrown?
 *     long n = rows.extent(0);
 *     Tensor heads = graph.parameter(new Parameter("heads", Initialiser.normal(1), 2, rows.extent(1)));
 *     Tensor logits = codes.reshape(n, 2).matmul(heads);
 *     return rows.times(logits).minus(logits.softplus()).sum(1).plus(-Math.log(2));
 * });
 * }</pre>
 *
 * @param space of the code behind each row
 * @param joint log p_theta(y, x)
 */
public record LatentModel(CodeSpace space, Joint joint) {

    /** The scope of theta in a graph. */
    public static final String SCOPE = "model";

    /** Lays log p_theta(y, x), [n], out in a graph. */
    @FunctionalInterface
    public interface Joint {

        /** The log joint, [n], finite, of rows [n, size] and one-hot codes [n, D, K]. */
        Tensor logJoint(Graph graph, Tensor rows, Tensor codes);
    }

    /** Checks that nothing is missing. */
    public LatentModel {
        Objects.requireNonNull(space, "space");
        Objects.requireNonNull(joint, "joint");
    }

    /** The log joint, [n], of rows [n, size] and one-hot codes [n, D, K]; theta is named under {@link #SCOPE}. */
    public Tensor logJoint(Graph graph, Tensor rows, Tensor codes) {
        Set<String> before = graph.trained();
        Tensor values = joint.logJoint(graph.under(SCOPE), rows, codes);
        List<String> known = graph.layout().parameters().stream().map(p -> p.name()).toList();
        List<String> stray = graph.trained().stream()
                .filter(name -> !before.contains(name) && !known.contains(name)).toList();
        Check.that(stray.isEmpty(), "the log joint has variables that nobody trains, ", stray,
                ": ask the graph for parameters, by graph.parameter(...)");
        Check.that(values.rank() == 1 && values.extent(0) == rows.extent(0), "the log joint of ", rows, " and ", codes,
                " has the shape ", Arrays.toString(values.shape()), "; one value per row is needed, [", rows.extent(0),
                "]");
        return values;
    }

    /** What a posterior of one row [size] is fitted to once theta is known: log p_theta(y, x) of codes x alone. The
     * values have theta under {@link #SCOPE}. */
    public GraphTarget at(float[] row, ParameterValues values) {
        double[] wide = new double[row.length];
        Arrays.setAll(wide, i -> row[i]);
        return new GraphTarget(space, (graph, codes) -> logJoint(graph.fixed(values),
                graph.constant(wide, row.length).repeatLeading(codes.extent(0)), codes));
    }

    @Override
    public String toString() {
        return "LatentModel(" + space + ")";
    }
}
