package io.mdnf.mixture;

import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.ParameterValues;
import io.mdnf.network.Activation;
import io.mdnf.network.Made;
import io.mdnf.space.Codes;
import java.util.ArrayList;
import java.util.List;

/**
 * Samples shift flows with a {@link Made} network incrementally: every hidden unit is computed once, when the last
 * variable it sees is known, so a whole code costs one pass of the network instead of D.
 */
final class MadeSampler implements CodeSampler {

    private final Codes codes;
    private final Made made;
    private final int components;
    private final int[] order;
    /** Units of each hidden layer that become known at each position. */
    private final int[][][] unitsAt;
    /** Units of each hidden layer that are known before a position, as a count in the order of becoming known. */
    private final int[][] sequence;
    private final int[][] knownBefore;
    /** Weights, refreshed for every batch. */
    private double[][] biases;
    private double[] output;
    private double[] outputBias;
    private double[] direct;

    MadeSampler(Mixture mixture) {
        this.codes = mixture.codes();
        this.made = (Made) ((ShiftFlow) mixture.flow()).network();
        this.components = mixture.components();
        int variables = codes.variables();
        int[] positions = made.positions();
        this.order = new int[variables];
        for (int d = 0; d < variables; d++) {
            order[positions[d]] = d;
        }
        int[][] degrees = made.hiddenDegrees();
        unitsAt = new int[degrees.length][variables][];
        sequence = new int[degrees.length][];
        knownBefore = new int[degrees.length][variables + 1];
        for (int layer = 0; layer < degrees.length; layer++) {
            List<Integer> all = new ArrayList<>();
            for (int t = 0; t < variables; t++) {
                knownBefore[layer][t] = all.size();
                List<Integer> now = new ArrayList<>();
                for (int unit = 0; unit < degrees[layer].length; unit++) {
                    if (degrees[layer][unit] == t) {
                        now.add(unit);
                    }
                }
                unitsAt[layer][t] = now.stream().mapToInt(Integer::intValue).toArray();
                all.addAll(now);
            }
            knownBefore[layer][variables] = all.size();
            sequence[layer] = all.stream().mapToInt(Integer::intValue).toArray();
        }
    }

    @Override
    public int[][] codes(ParameterValues values, int[][] component, int[][] base) {
        ParameterValues own = values.under("flow").under("shift");
        int layers = made.hidden().length;
        double[][] weights = new double[layers][];
        biases = new double[layers][];
        for (int layer = 0; layer < layers; layer++) {
            weights[layer] = own.read("weights" + layer);
            biases[layer] = own.read("bias" + layer);
        }
        output = own.read("weights");
        outputBias = own.read("bias");
        direct = made.parameters().stream().anyMatch(p -> p.name().equals("direct")) ? own.read("direct") : null;
        int[][] x = new int[component.length][codes.variables()];
        for (int i = 0; i < x.length; i++) {
            sample(weights, component[i], base[i], x[i]);
        }
        return x;
    }

    private void sample(double[][] weights, int[] component, int[] base, int[] x) {
        int layers = made.hidden().length;
        int width = codes.width();
        boolean[] needed = new boolean[components];
        for (int b : component) {
            needed[b] = true;
        }
        double[][][] hidden = new double[components][][];
        double[] logits = new double[width];
        for (int t = 0; t < order.length; t++) {
            int d = order[t];
            int shift = shift(component[d], hidden[component[d]], d, t, x, logits);
            x[d] = (base[d] + shift) % codes.cardinality(d);
            for (int b = 0; b < components; b++) {
                if (needed[b] && layers > 0) {
                    if (hidden[b] == null) {
                        hidden[b] = start(b);
                    }
                    advance(weights, b, hidden[b], d, t, x);
                }
            }
        }
    }

    /** Pre-activations of the first layer start at the bias; deeper layers are filled in unit by unit. */
    private double[][] start(int b) {
        int[] widths = made.hidden();
        double[][] state = new double[widths.length + 1][];
        state[widths.length] = new double[widths[0]];
        System.arraycopy(biases[0], b * widths[0], state[widths.length], 0, widths[0]);
        for (int layer = 0; layer < widths.length; layer++) {
            state[layer] = new double[widths[layer]];
        }
        return state;
    }

    /** Adds the variable just sampled, then computes the units that see nothing later. */
    private void advance(double[][] weights, int b, double[][] state, int d, int t, int[] x) {
        int[] widths = made.hidden();
        Activation activation = made.activation();
        double[] sums = state[widths.length];
        int row = (b * codes.oneHotLength() + d * codes.width() + x[d]) * widths[0];
        double[] w = weights[0];
        // units of a lower degree do not see this variable, but they are already computed
        for (int j = 0; j < widths[0]; j++) {
            sums[j] += w[row + j];
        }
        for (int unit : unitsAt[0][t]) {
            state[0][unit] = activation.apply(sums[unit]);
        }
        for (int layer = 1; layer < widths.length; layer++) {
            int in = widths[layer - 1];
            int out = widths[layer];
            int known = knownBefore[layer - 1][t + 1];
            for (int unit : unitsAt[layer][t]) {
                double sum = biases[layer][b * out + unit];
                for (int s = 0; s < known; s++) {
                    int from = sequence[layer - 1][s];
                    sum += state[layer - 1][from] * weights[layer][(b * in + from) * out + unit];
                }
                state[layer][unit] = activation.apply(sum);
            }
        }
    }

    private int shift(int b, double[][] state, int d, int t, int[] x, double[] logits) {
        int width = codes.width();
        int length = codes.oneHotLength();
        int layers = made.hidden().length;
        System.arraycopy(outputBias, b * length + d * width, logits, 0, width);
        if (layers == 0) {
            addRows(output, b, d, t, x, logits);
        } else {
            int in = made.hidden()[layers - 1];
            int known = knownBefore[layers - 1][t];
            for (int s = 0; s < known; s++) {
                int unit = sequence[layers - 1][s];
                double activation = state[layers - 1][unit];
                if (activation != 0) {
                    int at = (b * in + unit) * length + d * width;
                    for (int k = 0; k < width; k++) {
                        logits[k] += activation * output[at + k];
                    }
                }
            }
        }
        if (direct != null) {
            addRows(direct, b, d, t, x, logits);
        }
        int best = 0;
        for (int k = 1; k < codes.cardinality(d); k++) {
            if (logits[k] > logits[best]) {
                best = k;
            }
        }
        return best;
    }

    /** Adds the rows of all variables before position t. */
    private void addRows(double[] weights, int b, int d, int t, int[] x, double[] logits) {
        int width = codes.width();
        int length = codes.oneHotLength();
        for (int earlier = 0; earlier < t; earlier++) {
            int from = order[earlier];
            int at = (b * length + from * width + x[from]) * length + d * width;
            for (int k = 0; k < width; k++) {
                logits[k] += weights[at + k];
            }
        }
    }
}
