package io.mdnf.mixture;

import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.ParameterValues;
import io.mdnf.network.Activation;
import io.mdnf.network.Made;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Samples shift flows with a {@link Made} network incrementally: every hidden unit is computed once, when the last
 * variable it sees is known, so a whole code costs one pass of the network instead of D.
 *
 * <p>Where the flows share one network and start at 0 it scores codes too: one pass gives the logits that all flows add
 * their constants to, where a graph would hold B times as many numbers.
 */
final class MadeSampler implements CodeSampler {

    private final CodeSpace codes;
    private final Made made;
    private final int components;
    private final boolean scores;
    private final int[] order;
    /** Units of each hidden layer in the order of becoming known, and how many of them are known before a position. */
    private final int[][] sequence;
    private final int[][] knownBefore;
    /** All parameters, refreshed for every batch, and where those of the network start. */
    private double[] flat;
    private final int[] weights;
    private final int[] biases;
    private int output;
    private int outputBias;
    private int direct;

    MadeSampler(Mixture mixture) {
        this.codes = mixture.space();
        this.made = (Made) ((ShiftFlow) mixture.flow()).network();
        this.components = mixture.components();
        this.scores = made.shared() && mixture.structure() == Structure.PER_VARIABLE && mixture.base().isZero();
        this.order = made.order();
        this.weights = new int[made.hidden().length];
        this.biases = new int[made.hidden().length];
        this.sequence = Arrays.stream(made.degrees()).map(degrees -> IntStream.range(0, degrees.length).boxed()
                .sorted(Comparator.comparing(unit -> degrees[unit])).mapToInt(unit -> unit).toArray())
                .toArray(int[][]::new);
        this.knownBefore = Arrays.stream(made.degrees()).map(degrees -> IntStream.rangeClosed(0, order.length)
                .map(t -> (int) IntStream.of(degrees).filter(degree -> degree < t).count()).toArray())
                .toArray(int[][]::new);
    }

    @Override
    public boolean scores() {
        return scores;
    }

    @Override
    public int[][] codes(ParameterValues values, int[][] component, int[][] base) {
        load(values);
        int[][] x = new int[component.length][codes.variables()];
        for (int i = 0; i < x.length; i++) {
            sample(component[i], base[i], x[i]);
        }
        return x;
    }

    @Override
    public double[] logProb(ParameterValues values, double[] rho, int[][] x) {
        load(values);
        double[][] own = ownLogits();
        double[] result = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            codes.check(x[i]);
            result[i] = logProb(own, rho, x[i]);
        }
        return result;
    }

    /** What each flow adds to the logits, [D][B * K_d]. */
    private double[][] ownLogits() {
        double[][] own = new double[codes.variables()][];
        for (int d = 0; d < own.length; d++) {
            int k = codes.cardinality(d);
            own[d] = new double[components * k];
            for (int b = 0; b < components; b++) {
                System.arraycopy(flat, outputBias + b * codes.oneHotLength() + d * codes.width(), own[d], b * k, k);
            }
        }
        return own;
    }

    private double logProb(double[][] own, double[] rho, int[] x) {
        double[][] state = made.hidden().length > 0 ? start(0) : null;
        double[] logits = new double[codes.width()];
        double sum = 0;
        for (int t = 0; t < order.length; t++) {
            int d = order[t];
            logits(0, state, d, t, x, logits);
            int k = codes.cardinality(d);
            double q = 0;
            for (int b = 0; b < components; b++) {
                if (best(logits, own[d], b * k, k) == x[d]) {
                    q += rho[d * components + b];
                }
            }
            sum += Math.log(q);
            if (state != null) {
                advance(0, state, d, t, x);
            }
        }
        return sum;
    }

    private void load(ParameterValues values) {
        ParameterValues own = values.under("flow").under("shift");
        flat = own.flat();
        for (int layer = 0; layer < weights.length; layer++) {
            weights[layer] = own.offset("weights" + layer);
            biases[layer] = own.offset("bias" + layer);
        }
        output = own.offset("weights");
        outputBias = own.offset("bias");
        direct = made.parameters().stream().anyMatch(p -> p.name().equals("direct")) ? own.offset("direct") : -1;
    }

    private void sample(int[] component, int[] base, int[] x) {
        int layers = made.hidden().length;
        int width = codes.width();
        int[] networks = layers == 0 ? new int[0] : IntStream.of(component).map(this::network).distinct().toArray();
        double[][][] hidden = new double[components][][];
        for (int network : networks) {
            hidden[network] = start(network);
        }
        double[] logits = new double[width];
        for (int t = 0; t < order.length; t++) {
            int d = order[t];
            int b = component[d];
            logits(network(b), hidden[network(b)], d, t, x, logits);
            int shift = best(logits, flat, outputBias + b * codes.oneHotLength() + d * width, codes.cardinality(d));
            x[d] = (base[d] + shift) % codes.cardinality(d);
            for (int network : networks) {
                advance(network, hidden[network], d, t, x);
            }
        }
    }

    /** Pre-activations of the first layer start at the bias; deeper layers are filled in unit by unit. */
    private double[][] start(int b) {
        int[] widths = made.hidden();
        double[][] state = new double[widths.length + 1][];
        state[widths.length] = new double[widths[0]];
        System.arraycopy(flat, biases[0] + b * widths[0], state[widths.length], 0, widths[0]);
        for (int layer = 0; layer < widths.length; layer++) {
            state[layer] = new double[widths[layer]];
        }
        return state;
    }

    /** Adds the variable just sampled, then computes the units that see nothing later. */
    private void advance(int b, double[][] state, int d, int t, int[] x) {
        int[] widths = made.hidden();
        Activation activation = made.activation();
        double[] sums = state[widths.length];
        int row = weights[0] + (b * codes.oneHotLength() + d * codes.width() + x[d]) * widths[0];
        // units of a lower degree do not see this variable, but they are already computed
        for (int j = 0; j < widths[0]; j++) {
            sums[j] += flat[row + j];
        }
        for (int s = knownBefore[0][t]; s < knownBefore[0][t + 1]; s++) {
            int unit = sequence[0][s];
            state[0][unit] = activation.apply(sums[unit]);
        }
        for (int layer = 1; layer < widths.length; layer++) {
            int in = widths[layer - 1];
            int out = widths[layer];
            int known = knownBefore[layer - 1][t + 1];
            for (int next = knownBefore[layer][t]; next < knownBefore[layer][t + 1]; next++) {
                int unit = sequence[layer][next];
                double sum = flat[biases[layer] + b * out + unit];
                for (int s = 0; s < known; s++) {
                    int from = sequence[layer - 1][s];
                    sum += state[layer - 1][from] * flat[weights[layer] + (b * in + from) * out + unit];
                }
                state[layer][unit] = activation.apply(sum);
            }
        }
    }

    /** The network of a component. */
    private int network(int b) {
        return made.shared() ? 0 : b;
    }

    /** The first of the largest sums of logits and what stands at an offset. */
    private static int best(double[] logits, double[] added, int offset, int categories) {
        int best = 0;
        for (int k = 1; k < categories; k++) {
            if (logits[k] + added[offset + k] > logits[best] + added[offset + best]) {
                best = k;
            }
        }
        return best;
    }

    /** The logits of a network without the output bias. */
    private void logits(int network, double[][] state, int d, int t, int[] x, double[] logits) {
        int width = codes.width();
        int length = codes.oneHotLength();
        int layers = made.hidden().length;
        Arrays.fill(logits, 0);
        if (layers == 0) {
            addRows(output, network, d, t, x, logits);
        } else {
            int in = made.hidden()[layers - 1];
            int known = knownBefore[layers - 1][t];
            for (int s = 0; s < known; s++) {
                int unit = sequence[layers - 1][s];
                double activation = state[layers - 1][unit];
                if (activation != 0) {
                    int at = output + (network * in + unit) * length + d * width;
                    for (int k = 0; k < width; k++) {
                        logits[k] += activation * flat[at + k];
                    }
                }
            }
        }
        if (direct >= 0) {
            addRows(direct, network, d, t, x, logits);
        }
    }

    /** Adds the rows of all variables before position t. */
    private void addRows(int rows, int network, int d, int t, int[] x, double[] logits) {
        int width = codes.width();
        int length = codes.oneHotLength();
        for (int earlier = 0; earlier < t; earlier++) {
            int from = order[earlier];
            int at = rows + (network * length + from * width + x[from]) * length + d * width;
            for (int k = 0; k < width; k++) {
                logits[k] += flat[at + k];
            }
        }
    }
}
