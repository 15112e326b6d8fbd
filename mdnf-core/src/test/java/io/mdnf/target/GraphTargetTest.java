package io.mdnf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.fit.Fit;
import io.mdnf.fit.Fitter;
import io.mdnf.fit.Plan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.inference.Vif;
import io.mdnf.inference.VifSettings;
import io.mdnf.mixture.Mixture;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.linalg.api.buffer.DataType;

class GraphTargetTest {

    private static final CodeSpace CODES = CodeSpace.of(3, 2, 3, 3, 2);
    /** x^T A x of one-hot codes, as a plain loop and as operations. */
    private static final double[] COUPLING = new Draws(Seed.of(3)).normal("coupling", 225);

    private static double loop(int[] code) {
        double sum = 0;
        for (int d = 0; d < 5; d++) {
            for (int e = 0; e < 5; e++) {
                sum += COUPLING[(3 * d + code[d]) * 15 + 3 * e + code[e]];
            }
        }
        return sum;
    }

    private static Tensor operations(Graph graph, Tensor x) {
        long n = x.extent(0);
        Tensor flat = x.reshape(n, 15);
        return flat.matmul(graph.constant(COUPLING, 15, 15)).times(flat).sum(1);
    }

    private static Tensor sameDiff(Graph graph, Tensor x) {
        long n = x.extent(0);
        SDVariable flat = x.variable().reshape(n, 15);
        SDVariable product = flat.mmul(graph.constant(COUPLING, 15, 15).variable()).mul(flat);
        return graph.adopt(product.sum(1), n);
    }

    @Test
    void operationsAreEvaluatedOnEveryCode() {
        int[][] all = CODES.all(108);
        try (GraphTarget own = new GraphTarget(CODES, GraphTargetTest::operations);
                GraphTarget theirs = new GraphTarget(CODES, GraphTargetTest::sameDiff)) {
            double[] values = own.logJoint(all);
            double[] same = theirs.logJoint(all);
            for (int i = 0; i < all.length; i++) {
                assertThat(values[i]).isCloseTo(loop(all[i]), within(1e-12));
                assertThat(same[i]).isCloseTo(loop(all[i]), within(1e-12));
            }
        }
    }

    @Test
    void aPosteriorIsFittedToSameDiffOperations() throws IOException {
        double sum = 0;
        for (int[] code : CODES.all(108)) {
            sum += Math.exp(loop(code));
        }
        try (GraphTarget target = new GraphTarget(CODES, GraphTargetTest::sameDiff)) {
            Fit fit = new Fitter(target).fit(Plan.joint().withComponents(108), Seed.of(1));
            fit.close();
            // 108 equal atoms on 108 codes: near the log evidence, never above it
            assertThat(fit.bound().value()).isLessThanOrEqualTo(Math.log(sum) + 1e-9)
                    .isGreaterThan(Math.log(sum) - 0.05);
        }
    }

    /** A target is not trained: parameters inside would stay where they start, or spoil the mixture's. */
    @Test
    void parametersOfItsOwnAreRefused() {
        Parameter scale = new Parameter("scale", Initialiser.glorot(), 15, 15);
        try (GraphTarget ours = new GraphTarget(CODES, (graph, x) -> {
            Tensor flat = x.reshape(x.extent(0), 15);
            return flat.matmul(graph.parameter(scale)).times(flat).sum(1);
        }); GraphTarget theirs = new GraphTarget(CODES, (graph, x) -> {
            SDVariable weights = graph.sameDiff().var("decoder", DataType.DOUBLE, 15, 1);
            return graph.adopt(x.variable().reshape(x.extent(0), 15).mmul(weights).sum(1), x.extent(0));
        })) {
            Mixture atoms = Mixture.atoms(CODES, 4);
            assertThatThrownBy(() -> ours.logJoint(CODES.all(108))).hasMessageContaining("[scale]");
            assertThatThrownBy(() -> new Vif(ours, atoms, VifSettings.forMixture(atoms, 10)))
                    .hasMessageContaining("trainable parameters of its own, [scale]");
            assertThatThrownBy(() -> new Fitter(theirs).fit(Plan.joint(), Seed.of(1)))
                    .hasMessageContaining("[decoder]").hasMessageContaining("constants")
                    .hasMessageContaining("LatentTraining");
        }
    }

    @Test
    void aWrongShapeIsNamed() {
        Graph graph = new Graph(Precision.DOUBLE);
        try (GraphTarget target = new GraphTarget(CODES, (g, x) -> x.sum(2))) {
            assertThatThrownBy(() -> target.logJoint(graph, graph.placeholder("x", 7, 5, 3)))
                    .hasMessageContaining("[7, 5]").hasMessageContaining("one value per code");
        }
    }
}
