package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.network.DenseLayers;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Arrays;
import java.util.function.BiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class VaeNetworksTest {

    private static final int IMAGES = 5;
    private static final int PIXELS = 9;

    /** A table of q and the gradient of a linear function of it, by all parameters. */
    private record Result(double[] table, double[] gradient) {}

    private static Result run(VaeSettings settings, BiFunction<VaeNetworks, Tensor, Tensor> tables) {
        Graph graph = new Graph(Precision.DOUBLE);
        VaeNetworks networks = VaeNetworks.training(settings, graph, PIXELS);
        Tensor image = graph.placeholder("image", IMAGES, PIXELS);
        Tensor q = tables.apply(networks, image);
        double[] slopes = new Draws(Seed.of(3)).normal("slopes", q.size());
        Tensor loss = q.times(graph.constant(slopes, q.shape())).sum();
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss, q)) {
            plan.load(graph.layout().initial(Seed.of(1)));
            plan.write(image, new Draws(Seed.of(2)).normal("image", image.size()));
            plan.run();
            return new Result(plan.read(q), plan.gradients());
        }
    }

    private static Tensor temperature(VaeNetworks networks) {
        return networks.graph().constant(new double[] {0.7}, 1, 1);
    }

    /** Two categories by differences against the general way: all logits, one-hot codes, mean over flows. */
    @ParameterizedTest
    @EnumSource(FlowHead.class)
    void twoCategoriesAreDecidedByDifferencesAlone(FlowHead head) {
        VaeSettings settings = VaeSettings.plain(LatentAlgorithm.MDNF, 3, 2, 4).withHidden(7, 6).withHead(head);
        Result fast = run(settings, (networks, image) ->
                networks.posterior(image, temperature(networks), 1).tables(null).q());
        Result general = run(settings, (networks, image) -> {
            Graph graph = networks.graph();
            Tensor own = new DenseLayers("encoder", PIXELS, 7, 6, 6).of(graph, networks.statistics(), image);
            Tensor logits = head == FlowHead.PAPER
                    ? new DenseLayers("head", 6, 24, 24).of(graph, networks.statistics(), own).reshape(IMAGES, 4, 3, 2)
                    : own.repeatAt(1, 4).plus(graph.under("posterior/flow/shift").parameter(
                            new Parameter("logits", Initialiser.gumbel(), 4, 3, 2)).reshape(4, 6).repeatLeading(IMAGES))
                            .reshape(IMAGES, 4, 3, 2);
            Tensor flows = StraightThrough.FIRST_ORDER.oneHot(logits, settings.space(), temperature(networks));
            return flows.sum(1).times(0.25);
        });
        assertThat(fast.table).containsExactly(general.table, within(1e-12));
        assertThat(fast.gradient).containsExactly(general.gradient, within(1e-12));
        assertThat(Arrays.stream(fast.gradient).map(Math::abs).max().orElseThrow()).isGreaterThan(1e-3);
        for (double share : fast.table) {
            // q is a multiple of 1 / B
            assertThat(share * 4).isCloseTo(Math.rint(share * 4), within(1e-12));
        }
    }

    /** A category no flow has must have probability 0, not a rounding error of either sign: its logarithm is taken. */
    @ParameterizedTest
    @CsvSource({"2, 40", "2, 7", "3, 40", "40, 40"})
    void inFloatTooWhatNoFlowHasIsExactlyZero(int categories, int components) {
        VaeSettings settings = VaeSettings.plain(LatentAlgorithm.MDNF, 3, categories, components).withHidden(7, 6);
        Graph graph = new Graph(Precision.FLOAT);
        VaeNetworks networks = VaeNetworks.training(settings, graph, PIXELS);
        Tensor image = graph.placeholder("image", IMAGES, PIXELS);
        Tensor q = networks.posterior(image, temperature(networks), 1).tables(null).q();
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, q)) {
            double[] alike = new double[components * 3 * categories];
            // without offsets all flows agree
            plan.load(plan.layout().with("posterior/flow/shift/logits", alike, plan.layout().initial(Seed.of(1))));
            plan.write(image, new Draws(Seed.of(2)).normal("image", image.size()));
            plan.run();
            for (double share : plan.read(q)) {
                assertThat(share == 0 || Math.abs(share - 1) < 1e-6).as("share " + share).isTrue();
            }
        }
    }
}
