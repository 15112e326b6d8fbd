package io.mdnf.target;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The log joint of every code, listed: for small spaces and for tests.
 *
 * <p>In a graph it is the multilinear extension sum_c logJoint[c] prod_d x[d, c_d]: the two halves of the variables are
 * expanded to [n, W_left] and [n, W_right], and the table stands between them as a matrix.
 *
 * <pre>{@code
 * CodeSpace codes = CodeSpace.of(2, 3);
 * TargetModel target = new TableTarget(codes, new double[] {-1, -2, -3, -1, -1, Double.NEGATIVE_INFINITY});
 * }</pre>
 */
public final class TableTarget implements TargetModel {

    private final CodeSpace space;
    private final double[] logJoint;

    /**
     * A target from a list.
     *
     * @param space the space of codes
     * @param logJoint [prod K_d], log p(D, x) of all codes in lexicographic order, the last variable fastest
     */
    public TableTarget(CodeSpace space, double[] logJoint) {
        if (logJoint.length != space.size()) {
            throw new IllegalArgumentException("logJoint has " + logJoint.length + " values, " + space + " has "
                    + Math.round(space.size()) + " codes");
        }
        LogSpace.check("logJoint", logJoint);
        this.space = space;
        this.logJoint = logJoint.clone();
    }

    @Override
    public CodeSpace space() {
        return space;
    }

    @Override
    public double[] logJoint(int[][] batch) {
        double[] values = new double[batch.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = logJoint[(int) space.rank(batch[i])];
        }
        return values;
    }

    @Override
    public boolean isDifferentiable() {
        return true;
    }

    @Override
    public Tensor logJoint(Graph graph, Tensor oneHot) {
        return new MultilinearForm(space, factors()).of(oneHot);
    }

    /** {@inheritDoc} The whole table is one. */
    @Override
    public List<Factor> factors() {
        return List.of(new Factor(IntStream.range(0, space.variables()).toArray(), logJoint));
    }

    @Override
    public String toString() {
        return "TableTarget(" + space + ")";
    }
}
