package io.mdnf.inference;

import io.mdnf.flow.Setting;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Sampling;
import io.mdnf.mixture.Structure;
import io.mdnf.random.Draws;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.LatentModel;
import io.mdnf.target.Rows;
import java.util.stream.IntStream;

/** Rows [n, size] with a drawn code each, and q(x | y) of each, laid out in a graph: what is trained is what is
 * evaluated. */
final class LatentGraph {

    /** The scope of the mixture's parameters. */
    static final String POSTERIOR = "posterior";

    private final Tensor rows;
    private final Tensor numbers;
    private final Tensor inverseTemperature;
    private final Estimator estimator;
    private final Sampling sampling;
    /** What the mixture is given, [n, D, K] or [n, features]. */
    final Tensor given;
    /** q(x | y). */
    final MixtureGraph q;
    /** log p_theta(y, x) of the drawn codes, [n]. */
    final Tensor logJoint;

    LatentGraph(Graph graph, LatentModel model, LatentPosterior.Flows posterior, int n, Rows like,
            Estimator estimator) {
        this.estimator = estimator;
        rows = graph.placeholder("rows", n, like.size());
        numbers = posterior.byNumber() ? graph.placeholder("numbers", n, like.count()) : null;
        inverseTemperature = graph.placeholder("inverseTemperature", 1, 1);
        given = posterior.given(graph, numbers == null ? rows : numbers);
        q = posterior.mixture().in(
                new Setting(graph.under(POSTERIOR), StraightThrough.FIRST_ORDER, inverseTemperature, given));
        sampling = q.sample(n, estimator);
        logJoint = model.logJoint(graph, rows, sampling.codes());
    }

    /** All codes with each of rows [n, size]: log p_theta(y, x), [n, codes]. */
    static Tensor table(Graph graph, LatentModel model, Tensor rows) {
        CodeSpace space = model.space();
        int[][] all = space.all();
        long n = rows.extent(0);
        Tensor codes = graph.constant(space.oneHot(all), all.length, space.variables(), space.width());
        return model.logJoint(graph, rows.repeatAt(1, all.length).reshape(n * all.length, rows.extent(1)),
                codes.repeatLeading(n).reshape(n * all.length, space.variables(), space.width()))
                .reshape(n, all.length);
    }

    /** log q(x | y) of the drawn codes, [n], exact. */
    Tensor logProb() {
        return q.logProb(sampling.drawn(), logJoint.graph().precision().tiny());
    }

    /** log p_theta(y, x) - log q(x | y) of the drawn codes, [n]. With averaged estimators log q is replaced by its mean
     * over each variable in turn, given the earlier draws, which are held fixed: chaining them gains nothing. */
    private Tensor values() {
        return logJoint.minus(q.mixture().structure() == Structure.PER_VARIABLE && estimator.isAveraged()
                ? q.tables(sampling.drawn()).entropy().times(-1)
                : q.logProb(sampling.codes(), MixtureGraph.TRAINING));
    }

    /** Minus the mean of the values, whose gradient reaches q through the drawn codes. */
    Tensor loss() {
        Tensor values = values();
        return sampling.withChoices(values.times(sampling.weights()).sum().times(-1), values);
    }

    /** Writes some rows, by their numbers, what draws their codes, and a temperature. */
    void write(ExecutionPlan plan, Rows from, int[] which, Draws draws, double temperature) {
        plan.write(rows, from.read(which));
        if (numbers != null) {
            float[] oneHot = new float[numbers.size()];
            IntStream.range(0, which.length).forEach(i -> oneHot[i * from.count() + which[i]] = 1);
            plan.write(numbers, oneHot);
        }
        plan.write(inverseTemperature, 1 / temperature);
        sampling.draw(plan, draws);
    }
}
