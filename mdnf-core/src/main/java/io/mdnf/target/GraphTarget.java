package io.mdnf.target;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A model written as operations: log p(D, x) as a function from one-hot codes [n, D, K] to [n], of {@link Tensor}s or,
 * through {@link Graph#sameDiff} and {@link Graph#adopt}, of SameDiff variables.
 *
 * <p>The same operations serve both sides: gradients while fitting, and in double the exact values by which bounds are
 * evaluated. The function must give every row its own value, whatever n is.
 *
 * <pre>{@code
 * TargetModel target = new GraphTarget(space, (graph, x) -> x.reshape(x.extent(0), 6).matmul(weights).sum(1));
 * }</pre>
 */
public final class GraphTarget implements TargetModel, AutoCloseable {

    /** Codes of one run: enough for the neighbours of a code in one or two runs. */
    private static final int ROWS = 128;

    private final CodeSpace space;
    private final BiFunction<Graph, Tensor, Tensor> function;
    private ExecutionPlan plan;
    private Tensor input;
    private Tensor output;

    /** A target from operations that lay the log joint of one-hot codes [n, D, K] out in a graph: [n], finite. */
    public GraphTarget(CodeSpace space, BiFunction<Graph, Tensor, Tensor> function) {
        this.space = Objects.requireNonNull(space, "space");
        this.function = Objects.requireNonNull(function, "function");
    }

    @Override
    public CodeSpace space() {
        return space;
    }

    @Override
    public boolean isDifferentiable() {
        return true;
    }

    @Override
    public Tensor logJoint(Graph graph, Tensor oneHot) {
        Set<String> before = graph.trained();
        Tensor values = function.apply(graph, oneHot);
        List<String> own = graph.trained().stream().filter(name -> !before.contains(name)).toList();
        Check.that(own.isEmpty(), "the log joint has trainable parameters of its own, ", own,
                ": a target is what is fitted to and is not trained; give their values as constants, or learn them with"
                + " the posterior by a LatentModel and LatentTraining");
        Check.that(values.rank() == 1 && values.extent(0) == oneHot.extent(0), "the log joint of ", oneHot,
                " has the shape ", Arrays.toString(values.shape()), "; one value per code is needed, [",
                oneHot.extent(0), "]");
        return values;
    }

    @Override
    public synchronized double[] logJoint(int[][] batch) {
        if (plan == null) {
            Graph graph = new Graph(Precision.DOUBLE);
            input = graph.placeholder("codes", ROWS, space.variables(), space.width());
            output = logJoint(graph, input);
            plan = ExecutionPlan.forward(graph, output);
        }
        double[] values = new double[batch.length];
        for (int start = 0; start < batch.length; start += ROWS) {
            plan.write(input, space.oneHot(CodeSpace.batch(batch, start, ROWS)));
            plan.run();
            System.arraycopy(plan.read(output), 0, values, start, Math.min(ROWS, batch.length - start));
        }
        for (int i = 0; i < values.length; i++) {
            FunctionTarget.checked(values[i], batch[i]);
        }
        return values;
    }

    @Override
    public synchronized void close() {
        if (plan != null) {
            plan.close();
            plan = null;
        }
    }

    @Override
    public String toString() {
        return "GraphTarget(" + space + ")";
    }
}
