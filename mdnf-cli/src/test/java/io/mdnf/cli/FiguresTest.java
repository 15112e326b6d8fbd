package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.gmm.EmState;
import io.mdnf.gmm.GaussWishart;
import io.mdnf.gmm.GaussianMixtureData;
import io.mdnf.gmm.MixturePosterior;
import io.mdnf.gmm.Responsibilities;
import io.mdnf.plot.ScatterPlot;
import io.mdnf.space.Estimate;
import io.mdnf.vae.VaeEvaluation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What reports of mixtures and autoencoders show and say. */
class FiguresTest {

    @Test
    void aMixtureOfTwoColumnsIsDrawnByClusterWithEllipsesOfTwoStandardDeviations() {
        GaussianMixtureData data = GaussianMixtureData.of(new double[][] {{0, 1}, {5, 6}, {0.5, 1}});
        // E[precision] = nu * (inverse of the inverse scale), so the covariance is {{4, 1}, {1, 2}}
        GaussWishart cluster = new GaussWishart(1, 5, new double[] {1, 2}, new double[][] {{20, 5}, {5, 10}});
        EmState em = new EmState(1, new MixturePosterior(new double[] {1, 1}, List.of(cluster, cluster)),
                Responsibilities.of(new double[][] {{0.9, 0.1}, {0.2, 0.8}, {0.6, 0.4}}), -1, new double[0], 0);
        ScatterPlot plot = GmmRun.scatter(data, em);
        assertThat(plot.clouds()).extracting(ScatterPlot.Cloud::name).containsExactly("cluster 1", "cluster 2");
        assertThat(plot.clouds().get(0).points()).containsExactly(List.of(0.0, 1.0), List.of(0.5, 1.0));
        assertThat(plot.clouds().get(1).points()).containsExactly(List.of(5.0, 6.0));
        assertThat(plot.clouds().get(0).outline()).hasSizeGreaterThan(30).allSatisfy(point -> {
            double x = point.get(0) - 1;
            double y = point.get(1) - 2;
            // the inverse of {{4, 1}, {1, 2}} is {{2, -1}, {-1, 4}} / 7
            assertThat((2 * x * x - 2 * x * y + 4 * y * y) / 7).isCloseTo(4, within(1e-9));
        });
    }

    @Test
    void theGapToTheLikelihoodGetsASentenceWhereItIsKnown() {
        VaeEvaluation known = new VaeEvaluation(10, 1, new Estimate(-145.59, 0.4), -139, 6, 0, Optional.empty(),
                Optional.of(new Estimate(-139.62, 0.4)));
        assertThat(VaeFigures.text(known, "image"))
                .contains("The ELBO lies 5.97 nats below log p(x)", "KL(q(z | x) || p(z | x))");
        VaeEvaluation unknown = new VaeEvaluation(10, 1, new Estimate(-145.59, 0.4), -139, 6, 0, Optional.empty(),
                Optional.empty());
        assertThat(VaeFigures.text(unknown, "image")).doesNotContain("below");
    }
}
