package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** REINFORCE and wake-sleep against the sum over all codes. */
class ComparedCodesTest {

    private static final int PIXELS = 6;
    private static final VaeSettings SETTINGS = VaeSettings.of(3, 2).withHidden(5).withLooking(4).withNormalised(false);

    /** A loss with its value and its gradient by all parameters, averaged over repeated draws. */
    private record Mean(double[] gradient, double[] error, double bound) {}

    private static double[] parameters(Graph graph) {
        double[] flat = graph.layout().initial(Seed.of(1));
        double[] noise = new Draws(Seed.of(2)).normal("noise", flat.length);
        Arrays.setAll(flat, i -> flat[i] + 0.5 * noise[i]);
        return flat;
    }

    private static Mean mean(VaeSettings settings, int images, int repeats) {
        Graph graph = new Graph(Precision.DOUBLE);
        VaeNetworks networks = VaeNetworks.training(settings, graph, PIXELS);
        Tensor image = graph.placeholder("image", images, PIXELS);
        Latent latent = Latent.of(networks, image, graph.ones(1, 1));
        Tensor loss = latent.loss().sum();
        Tensor bound = latent.logLikelihood().minus(latent.divergence()).sum();
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, loss, bound)) {
            plan.load(parameters(graph));
            double[] pixels = new double[images * PIXELS];
            Arrays.setAll(pixels, i -> i % 4 == 0 || i % 7 == 0 ? 1 : 0);
            plan.write(image, pixels);
            double[] sum = new double[plan.layout().size()];
            double[] squares = new double[sum.length];
            double value = 0;
            for (int r = 0; r < repeats; r++) {
                latent.drawing().draw(plan, new Draws(Seed.of(3).fold(r)), 1);
                plan.run();
                double[] g = plan.gradients();
                for (int i = 0; i < g.length; i++) {
                    sum[i] += g[i] / repeats;
                    squares[i] += g[i] * g[i] / repeats;
                }
                value += plan.value(bound) / repeats;
            }
            double[] error = new double[sum.length];
            Arrays.setAll(error, i -> Math.sqrt(Math.max(0, squares[i] - sum[i] * sum[i]) / repeats));
            return new Mean(sum, error, value);
        }
    }

    /** The ELBO of q(z | x), every code weighed by its probability, and its gradient by central differences. */
    private static double exactLoss(VaeSettings settings, double[] flat) {
        Graph graph = new Graph(Precision.DOUBLE);
        VaeNetworks networks = VaeNetworks.training(settings, graph, PIXELS);
        int codes = 8;
        Tensor image = graph.placeholder("image", codes, PIXELS);
        Tensor all = Latent.all(networks);
        Tensor logQ = networks.posterior(image, graph.ones(1, 1), 1).logProb(all, 1e-300);
        Tensor bound = networks.logLikelihood(all, image).plus(networks.logPriorOf(all)).minus(logQ);
        Tensor loss = logQ.exp().times(bound).sum().times(-1);
        // the same parameters, in the order in which this graph names them
        Graph trained = new Graph(Precision.DOUBLE);
        Latent.of(VaeNetworks.training(settings, trained, PIXELS), trained.placeholder("image", 1, PIXELS),
                trained.ones(1, 1));
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, loss)) {
            double[] own = new double[plan.layout().size()];
            plan.layout().parameters().forEach(p -> System.arraycopy(trained.layout().read(p.name(), flat), 0, own,
                    plan.layout().offset(p.name()), p.size()));
            plan.load(own);
            double[] pixels = new double[codes * PIXELS];
            // one image, for each of its codes
            Arrays.setAll(pixels, i -> i % PIXELS % 4 == 0 || i % PIXELS % 7 == 0 ? 1 : 0);
            plan.write(image, pixels);
            plan.run();
            return plan.value(loss);
        }
    }

    /** 5 standard errors for some 130 parameters: by chance once in 10,000 runs. */
    @Test
    @Tag("slow")
    void reinforceHasTheGradientOfTheSumOverAllCodes() {
        VaeSettings settings = SETTINGS.withAlgorithm(LatentAlgorithm.REINFORCE, 3);
        Mean found = mean(settings, 1, 4000);
        Graph graph = new Graph(Precision.DOUBLE);
        Latent.of(VaeNetworks.training(settings, graph, PIXELS), graph.placeholder("image", 1, PIXELS),
                graph.ones(1, 1));
        double[] flat = parameters(graph);
        assertThat(found.bound).isCloseTo(-exactLoss(settings, flat), within(0.1));
        double step = 1e-5;
        for (int i = 0; i < flat.length; i += 3) {
            double[] up = flat.clone();
            double[] down = flat.clone();
            up[i] += step;
            down[i] -= step;
            double exact = (exactLoss(settings, up) - exactLoss(settings, down)) / (2 * step);
            assertThat(found.gradient[i]).as("parameter %d", i).isCloseTo(exact,
                    within(5 * found.error[i] + 1e-6));
        }
    }

    @Test
    void codesDecodedOnceForAllHaveTheirOwnLikelihoods() {
        int images = 4;
        int samples = 2;
        Graph graph = new Graph(Precision.DOUBLE);
        VaeNetworks networks = VaeNetworks.training(SETTINGS, graph, PIXELS);
        int[][] codes = {{0, 1, 0}, {1, 1, 1}, {0, 0, 0}, {1, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 1}, {1, 1, 0}};
        Tensor z = graph.constant(SETTINGS.space().oneHot(codes), codes.length, 3, 2);
        Tensor image = graph.constant(new Draws(Seed.of(4)).normal("image", images * PIXELS), images, PIXELS);
        // 8 codes, as many as are drawn: each is decoded once
        Tensor picked = Latent.logLikelihood(networks, z, image, samples);
        Tensor own = networks.logLikelihood(z, image.repeatLeading(samples).reshape(codes.length, PIXELS));
        try (ExecutionPlan plan = ExecutionPlan.forward(graph, picked, own)) {
            plan.load(parameters(graph));
            plan.run();
            assertThat(plan.read(picked)).containsExactly(plan.read(own), within(1e-12));
        }
    }

    /** Gradients of two still images beside two moved ones, by name. */
    private static Map<String, double[]> gradients(double[] moved) {
        Graph graph = new Graph(Precision.DOUBLE);
        VaeNetworks networks = VaeNetworks.training(SETTINGS.withMoved(true), graph, PIXELS);
        Tensor still = graph.constant(new Draws(Seed.of(4)).normal("still", 2 * PIXELS), 2, PIXELS);
        Latent latent = Latent.of(networks, still, graph.constant(moved, 2, PIXELS), graph.ones(1, 1));
        try (ExecutionPlan plan = ExecutionPlan.compile(graph, latent.loss().sum())) {
            plan.load(parameters(graph));
            latent.drawing().draw(plan, new Draws(Seed.of(3)), 1);
            plan.run();
            double[] all = plan.gradients();
            return graph.layout().parameters().stream().collect(Collectors.toMap(Parameter::name,
                    p -> graph.layout().read(p.name(), all)));
        }
    }

    @Test
    void theModelLearnsNothingFromMovedImagesAndTheirPosteriorDoes() {
        Map<String, double[]> some = gradients(new Draws(Seed.of(5)).normal("moved", 2 * PIXELS));
        Map<String, double[]> others = gradients(new Draws(Seed.of(6)).normal("moved", 2 * PIXELS));
        assertThat(some.keySet()).anyMatch(name -> name.startsWith("prior")).anyMatch(name -> name.startsWith("dec"));
        some.forEach((name, gradient) -> {
            boolean model = name.startsWith("prior") || name.startsWith("decoder");
            double most = IntStream.range(0, gradient.length).mapToDouble(
                    i -> Math.abs(gradient[i] - others.get(name)[i])).max().orElseThrow();
            if (model) {
                // rounding: codes of moved images are decoded beside those of the others
                assertThat(most).as(name).isLessThan(1e-12);
            } else {
                assertThat(most).as(name).isGreaterThan(1e-6);
            }
        });
    }

    @Test
    void imagesMoveByAPixelAtMost() {
        float[][] centre = new float[500][9];
        Arrays.stream(centre).forEach(image -> image[4] = 1);
        ImageRows moved = new MovedRows(ImageRows.of(centre).shaped(3, 3), Seed.of(7));
        int[] places = new int[9];
        float[] image = new float[9];
        for (int row = 0; row < moved.count(); row++) {
            moved.read(row, image, 0);
            float[] one = image;
            int place = IntStream.range(0, 9).filter(i -> one[i] == 1).findFirst().orElseThrow();
            places[place]++;
            image[place] = 0;
            assertThat(image).containsOnly(0f);
        }
        // 500 / 9 = 56 each; fewer than 25 by chance less than once in 100,000 times
        assertThat(Arrays.stream(places)).allMatch(count -> count >= 25);
    }
}
