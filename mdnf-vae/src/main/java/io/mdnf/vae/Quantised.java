package io.mdnf.vae;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import java.util.Arrays;

/**
 * Codes without a distribution: variable d takes the category whose word w_dk, of length m, is nearest to what the
 * encoder says, e_d; the decoder sees the words. So q(z | x) is one code and the bound log p(x | z) + log p(z).
 *
 * <ul>
 *   <li>VQ: words are learned, m = K numbers, so that layers are as wide as those of other algorithms;
 *   <li>FSQ, finite scalar quantisation: words are K levels from -1 to 1, m = 1, and e_d goes through tanh.
 * </ul>
 *
 * @param codes the nearest words' numbers, one-hot [n, D, K], without gradient
 * @param words what the decoder sees, [n, D * m], with the gradient of e
 * @param distances codebook and commitment term, |sg(e) - w|^2 + |e - sg(w)|^2 / 4, [n]; null if words are not learned
 */
record Quantised(Tensor codes, Tensor words, Tensor distances) {

    /** The commitment's share of the distances, as is usual. */
    private static final double COMMITMENT = 0.25;

    /** m, the length of a word. */
    static int length(VaeSettings settings) {
        return settings.algorithm() == LatentAlgorithm.FSQ ? 1 : settings.categories();
    }

    /** Quantises what an encoder says, [n, D * m]. */
    static Quantised of(VaeSettings settings, Graph graph, Tensor said) {
        boolean learned = settings.algorithm() == LatentAlgorithm.VQ;
        long n = said.extent(0);
        int length = length(settings);
        Tensor e = learned ? said : said.tanh();
        Tensor book = book(settings, graph).stopGradient();
        // |e - w|^2 = |e|^2 - 2 (e w - |w|^2 / 2)
        Tensor squares = book.times(book).sum(2).times(0.5).repeatAt(1, n);
        Tensor codes = e.stopGradient().reshape(n, settings.latents(), length).permute(1, 0, 2)
                .matmulTransposed(book).minus(squares).permute(1, 0, 2).argmaxOneHot();
        Tensor words = words(settings, graph, codes);
        Tensor carried = StraightThrough.carryGradient(words.stopGradient(), e);
        if (!learned) {
            return new Quantised(codes, carried, null);
        }
        Tensor toBook = words.minus(e.stopGradient());
        Tensor toEncoder = e.minus(words.stopGradient());
        return new Quantised(codes, carried, toBook.times(toBook).sum(1)
                .plus(toEncoder.times(toEncoder).sum(1).times(COMMITMENT)));
    }

    /** The words of one-hot codes [n, D, K], [n, D * m]. */
    static Tensor words(VaeSettings settings, Graph graph, Tensor codes) {
        return codes.permute(1, 0, 2).matmul(book(settings, graph)).permute(1, 0, 2)
                .reshape(codes.extent(0), (long) settings.latents() * length(settings));
    }

    /** All words, [D, K, m]. */
    private static Tensor book(VaeSettings settings, Graph graph) {
        int latents = settings.latents();
        int categories = settings.categories();
        if (settings.algorithm() == LatentAlgorithm.VQ) {
            return graph.under("codebook").parameter(new Parameter("words",
                    Initialiser.normal(1 / Math.sqrt(categories)), latents, categories, categories));
        }
        double[] levels = new double[latents * categories];
        Arrays.setAll(levels, i -> 2.0 * (i % categories) / (categories - 1) - 1);
        return graph.constant(levels, latents, categories, 1);
    }
}
