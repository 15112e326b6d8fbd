package io.mdnf.inference;

import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Mixture;
import io.mdnf.network.DenseLayers;
import io.mdnf.network.Given;
import io.mdnf.network.Nade;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.stream.IntStream;

/**
 * Which q(x | y) a {@link LatentTraining} learns with the model: none, since few codes can all be summed, or a
 * conditional mixture, given what an encoder makes of each row or what each row has of its own.
 *
 * <pre>{@code
 * LatentPosterior few = LatentPosterior.exact();
 * LatentPosterior amortised = LatentPosterior.product(space, 64);            // one hidden layer of 64
 * LatentPosterior rich = LatentPosterior.autoregressive(space, 64);
 * LatentPosterior free = LatentPosterior.product(space).ofEachRow();         // no encoder
 * }</pre>
 */
public sealed interface LatentPosterior {

    /** All codes are summed, log p_theta(y) is maximised itself and q is the true posterior, by Bayes. */
    record Exact() implements LatentPosterior {}

    /**
     * A conditional mixture: q(x | y) for every row y.
     *
     * @param mixture which is given logits, or features, from outside
     * @param encoder makes them
     * @param byNumber whether the encoder sees, in place of a row, its number among all rows, one-hot [n, count]
     */
    record Flows(Mixture mixture, Encoder encoder, boolean byNumber) implements LatentPosterior {

        /** Checks that the mixture takes what an encoder makes. */
        public Flows {
            Check.that(mixture.isConditional(), "mixture = ", mixture,
                    ": takes nothing from outside; build it on Given, Conditioned or Nade");
        }

        /** The same mixture without an encoder: every row has logits, or features, of its own. Nothing is lost by
         * amortising, and rows that were not learned from have no posterior here. */
        public Flows ofEachRow() {
            Encoder table = (graph, number) -> number.matmul(graph.parameter(
                    new Parameter("given", Initialiser.normal(0.01), number.extent(1), width())));
            return new Flows(mixture, table, true);
        }

        /** Returns how many numbers the mixture is given for a row. */
        int width() {
            int features = mixture.flow().features();
            return features > 0 ? features : mixture.space().oneHotLength();
        }

        /** What the mixture is given, [n, D, K] or [n, features], of what the encoder sees, [n, size or count]. */
        Tensor given(Graph graph, Tensor seen) {
            Tensor made = encoder.given(graph.under("encoder"), seen);
            long n = seen.extent(0);
            return mixture.flow().features() > 0 ? made.reshape(n, width())
                    : made.reshape(n, mixture.space().variables(), mixture.space().width());
        }
    }

    /** Lays out what a conditional mixture is given. */
    @FunctionalInterface
    interface Encoder {

        /** Logits [n, D * K], or features [n, m] where the mixture's network takes those, of rows [n, size]. */
        Tensor given(Graph graph, Tensor rows);
    }

    /** Returns the posterior of few codes, by Bayes. */
    static LatentPosterior exact() {
        return new Exact();
    }

    /** Returns a product, q_d(x_d | y) = softmax(logits_d), the logits by dense layers of hidden widths, or none. */
    static Flows product(CodeSpace space, int... hidden) {
        return new Flows(Mixture.unlimited(new Given(space, 1)),
                (graph, rows) -> dense(graph, rows, hidden, space.oneHotLength()), false);
    }

    /** Returns conditionals q_d(x_d | x_&lt;d, y), by a {@link Nade} that looks at the last of the hidden layers of a
     * row, at least one. */
    static Flows autoregressive(CodeSpace space, int... hidden) {
        Check.that(hidden.length >= 1, "hidden is empty: at least one hidden layer is looked at");
        int last = hidden[hidden.length - 1];
        int[] before = IntStream.of(hidden).limit(hidden.length - 1).toArray();
        return new Flows(Mixture.unlimited(new Nade(space, 1, last, last)),
                (graph, rows) -> dense(graph, rows, before, last).relu(), false);
    }

    private static Tensor dense(Graph graph, Tensor rows, int[] hidden, int last) {
        int[] widths = IntStream.concat(IntStream.of((int) rows.extent(1)),
                IntStream.concat(IntStream.of(hidden), IntStream.of(last))).toArray();
        return new DenseLayers("layers", widths).of(graph, rows);
    }
}
