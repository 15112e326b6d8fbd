package io.mdnf.vae;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Codes of a table's rows with weights, by which their averages are those over p(z | x): half of them are drawn from
 * q(z | x), half from the prior, and the weight of a code is in proportion to
 * <pre>
 *   w(z) = p(x | z) p(z) / (q(z | x) / 2 + p(z) / 2)  &lt;=  2 p(x | z)
 * </pre>
 * Of a row that the encoder knows how to read, q's codes have nearly all of the weight; of one with hardly a cell
 * known, where q may be sure of anything, the prior's.
 */
final class ImportanceCodes implements AutoCloseable {

    private final TrainedVae vae;
    private final CodeSpace space;
    private final int batch;
    /** Null where q is p(z | x) itself, or one code, which has no score at others: all of q's codes weigh the same. */
    private final ExecutionPlan plan;
    private final Tensor image;
    private final Tensor code;
    private final Tensor logLikelihood;
    /** log q(z | x), [n]. */
    private final Tensor logQ;

    ImportanceCodes(TrainedVae vae) {
        this.vae = vae;
        VaeSettings settings = vae.settings();
        space = settings.space();
        batch = settings.batch();
        Graph graph = new Graph(Precision.FLOAT);
        VaeNetworks networks = VaeNetworks.trained(settings, graph, vae.likelihood());
        image = graph.placeholder("image", batch, vae.likelihood().size());
        code = graph.placeholder("code", batch, space.variables(), space.width());
        boolean scored = settings.posterior() != Posterior.EXACT && !settings.algorithm().isQuantised();
        logLikelihood = scored ? networks.logLikelihood(code, image) : null;
        logQ = scored ? networks.posterior(image, graph.ones(1, 1), 1).logProb(code, graph.precision().tiny()) : null;
        plan = scored ? vae.plan(graph, logLikelihood, logQ) : null;
    }

    /**
     * Codes [2 S][rows][D] and what they weigh, [2 S][rows]; the weights of a row sum to 1.
     */
    record Drawn(int[][][] codes, double[][] weights) {}

    /** So many codes of every row from q, and as many from the prior. */
    Drawn draw(ImageRows rows, int count, Seed seed) {
        int n = rows.count();
        int all = plan == null ? count : 2 * count;
        int[][][] codes = new int[all][][];
        double[][] weights = new double[all][n];
        for (int s = 0; s < all; s++) {
            Seed own = seed.fold("code").fold(s);
            codes[s] = s < count ? vae.drawn(rows, own) : vae.prior().sample(n, own);
            double[] logPrior = vae.prior().logProb(codes[s]);
            for (int start = 0; start < n && plan != null; start += batch) {
                weigh(rows, start, codes[s], logPrior, weights[s]);
            }
        }
        for (int i = 0; i < n; i++) {
            int row = i;
            double[] own = LogSpace.normalise(IntStream.range(0, all).mapToDouble(s -> weights[s][row]).toArray());
            IntStream.range(0, all).forEach(s -> weights[s][row] = own[s]);
        }
        return new Drawn(codes, weights);
    }

    /** Log weights of a batch's codes. */
    private void weigh(ImageRows rows, int start, int[][] codes, double[] logPrior, double[] logWeights) {
        int n = Math.min(batch, rows.count() - start);
        // the cells of a table are not drawn: every seed shows the same
        plan.write(image, vae.pixels(rows, start, n, Seed.of(0)));
        plan.write(code, Arrays.copyOf(space.oneHot(Arrays.copyOfRange(codes, start, start + n)), code.size()));
        plan.run();
        double[] likelihoods = plan.read(logLikelihood);
        double[] q = plan.read(logQ);
        for (int i = 0; i < n; i++) {
            double prior = logPrior[start + i];
            logWeights[start + i] = likelihoods[i] + prior - LogSpace.sumExp(q[i], prior);
        }
    }

    @Override
    public void close() {
        if (plan != null) {
            plan.close();
        }
    }
}
