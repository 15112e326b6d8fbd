package io.mdnf.dl4j;

import io.mdnf.space.CodeSpace;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/** The graph of {@link Patterns} in plain Java loops over one image, reading its weights from the graph. */
final class AutoencoderTwin {

    private final ComputationGraph graph;
    private final MdnfLatent latent;
    private final CodeSpace space;

    AutoencoderTwin(ComputationGraph graph, MdnfLatent latent) {
        this.graph = graph;
        this.latent = latent;
        this.space = latent.space();
    }

    /** Logits of all flows, [B][D * K]. */
    double[][] logits(double[] image) {
        double[] hidden = affine("encoder", image);
        for (int i = 0; i < hidden.length; i++) {
            hidden[i] = Math.max(0, hidden[i]);
        }
        double[] flat = affine("posterior", hidden);
        double[][] logits = new double[latent.isUnlimited() ? 1 : latent.getComponents()][space.oneHotLength()];
        for (int i = 0; i < flat.length; i++) {
            logits[i / space.oneHotLength()][i % space.oneHotLength()] = flat[i];
        }
        return logits;
    }

    /** The frequencies of the flows' largest logits, [D * K]. */
    double[] table(double[] image) {
        double[] q = new double[space.oneHotLength()];
        for (double[] logits : logits(image)) {
            int[] chosen = space.indices(logits)[0];
            for (int d = 0; d < chosen.length; d++) {
                q[d * space.width() + chosen[d]] += 1.0 / latent.getComponents();
            }
        }
        return q;
    }

    /** The mean of the flows' softmax(logits / temperature), whose gradient the table has. */
    double[] softTable(double[] image) {
        double[] q = new double[space.oneHotLength()];
        for (double[] logits : logits(image)) {
            for (int d = 0; d < space.variables(); d++) {
                double sum = 0;
                for (int k = 0; k < space.cardinality(d); k++) {
                    sum += Math.exp(logits[d * space.width() + k] / latent.getTemperature());
                }
                for (int k = 0; k < space.cardinality(d); k++) {
                    int i = d * space.width() + k;
                    q[i] += Math.exp(logits[i] / latent.getTemperature()) / sum / latent.getComponents();
                }
            }
        }
        return q;
    }

    /** The category in which each variable's count of flows passes its choice. */
    int[] code(double[] table, double[] choice) {
        int[] code = new int[space.variables()];
        for (int d = 0; d < code.length; d++) {
            long counted = 0;
            for (int k = 0; k < space.cardinality(d); k++) {
                counted += Math.round(table[d * space.width() + k] * latent.getComponents());
                if (counted > choice[d]) {
                    code[d] = k;
                    break;
                }
            }
        }
        return code;
    }

    double[] decode(int[] code) {
        return affine("decoder", space.oneHot(new int[][] {code}));
    }

    /** log p(image | code). */
    double logLikelihood(double[] image, int[] code) {
        double[] logits = decode(code);
        double total = 0;
        for (int p = 0; p < image.length; p++) {
            total += image[p] * logits[p] - Math.log1p(Math.exp(logits[p]));
        }
        return total;
    }

    /** log p(image), by enumeration of all codes under the uniform prior. */
    double logEvidence(double[] image) {
        double p = 0;
        for (int[] code : space.all(1000)) {
            p += Math.exp(logLikelihood(image, code)) / space.size();
        }
        return Math.log(p);
    }

    /** KL(q || uniform). */
    double divergence(double[] table) {
        double kl = 0;
        for (int i = 0; i < table.length; i++) {
            if (table[i] > 0) {
                kl += table[i] * Math.log(table[i] * space.cardinality(i / space.width()));
            }
        }
        return kl;
    }

    /** The exact ELBO: the expectation over all codes. */
    double elbo(double[] image) {
        double[] q = table(image);
        double elbo = -divergence(q);
        for (int[] code : space.all(1000)) {
            double probability = 1;
            for (int d = 0; d < code.length; d++) {
                probability *= q[d * space.width() + code[d]];
            }
            elbo += probability * logLikelihood(image, code);
        }
        return elbo;
    }

    /**
     * The derivative of q log(q + floor) + q log K_d, the divergence with a hundredth of a flow's weight in the
     * logarithm.
     */
    double[] divergenceSlope(double[] table) {
        double floor = 0.01 / latent.getComponents();
        double[] slope = new double[table.length];
        for (int i = 0; i < slope.length; i++) {
            slope[i] = Math.log(table[i] + floor) + table[i] / (table[i] + floor)
                    + Math.log(space.cardinality(i / space.width()));
        }
        return slope;
    }

    /** The derivative of -log p(image | code) by the code, [D * K]. */
    double[] likelihoodSlope(double[] image, int[] code) {
        double[] logits = decode(code);
        INDArray weights = graph.getParam("decoder_W");
        double[] slope = new double[space.oneHotLength()];
        for (int i = 0; i < slope.length; i++) {
            for (int p = 0; p < logits.length; p++) {
                slope[i] += (1 / (1 + Math.exp(-logits[p])) - image[p]) * weights.getDouble(i, p);
            }
        }
        return slope;
    }

    /** 2 softmax-like reweighting of q by c minus q / 2, where c takes the table to halfway between it and the code. */
    double[] secondOrder(double[] q, double[] table, int[] code) {
        double[] x = space.oneHot(new int[][] {code});
        double[] result = new double[q.length];
        for (int d = 0; d < space.variables(); d++) {
            double sum = 0;
            for (int k = 0; k < space.cardinality(d); k++) {
                sum += weight(x, table, d * space.width() + k) * q[d * space.width() + k];
            }
            for (int k = 0; k < space.cardinality(d); k++) {
                int i = d * space.width() + k;
                result[i] = 2 * weight(x, table, i) * q[i] / sum - q[i] / 2;
            }
        }
        return result;
    }

    private static double weight(double[] x, double[] table, int i) {
        return x[i] == 0 ? 0.5 : (x[i] + table[i]) / 2 / table[i];
    }

    private double[] affine(String layer, double[] x) {
        double[][] weights = graph.getParam(layer + "_W").castTo(DataType.DOUBLE)
                .toDoubleMatrix();
        double[] y = graph.getParam(layer + "_b").castTo(DataType.DOUBLE).toDoubleVector();
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < y.length; j++) {
                y[j] += x[i] * weights[i][j];
            }
        }
        return y;
    }
}
