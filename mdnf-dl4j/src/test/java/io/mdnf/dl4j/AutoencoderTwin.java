package io.mdnf.dl4j;

import io.mdnf.space.Codes;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/** The graph of {@link Patterns} in plain Java loops over one image, reading its weights from the graph. */
final class AutoencoderTwin {

    private final ComputationGraph graph;
    private final MdnfLatent latent;
    private final Codes codes;

    AutoencoderTwin(ComputationGraph graph, MdnfLatent latent) {
        this.graph = graph;
        this.latent = latent;
        this.codes = latent.codes();
    }

    /** Logits of all flows, [B][D * K]. */
    double[][] logits(double[] image) {
        double[] hidden = affine("encoder", image);
        for (int i = 0; i < hidden.length; i++) {
            hidden[i] = Math.max(0, hidden[i]);
        }
        double[] flat = affine("posterior", hidden);
        double[][] logits = new double[latent.getComponents()][codes.oneHotLength()];
        for (int i = 0; i < flat.length; i++) {
            logits[i / codes.oneHotLength()][i % codes.oneHotLength()] = flat[i];
        }
        return logits;
    }

    /** The frequencies of the flows' largest logits, [D * K]. */
    double[] table(double[] image) {
        double[] q = new double[codes.oneHotLength()];
        for (double[] logits : logits(image)) {
            int[] chosen = codes.indices(logits)[0];
            for (int d = 0; d < chosen.length; d++) {
                q[d * codes.width() + chosen[d]] += 1.0 / latent.getComponents();
            }
        }
        return q;
    }

    /** The mean of the flows' softmax(logits / temperature), whose gradient the table has. */
    double[] softTable(double[] image) {
        double[] q = new double[codes.oneHotLength()];
        for (double[] logits : logits(image)) {
            for (int d = 0; d < codes.variables(); d++) {
                double sum = 0;
                for (int k = 0; k < codes.cardinality(d); k++) {
                    sum += Math.exp(logits[d * codes.width() + k] / latent.getTemperature());
                }
                for (int k = 0; k < codes.cardinality(d); k++) {
                    int i = d * codes.width() + k;
                    q[i] += Math.exp(logits[i] / latent.getTemperature()) / sum / latent.getComponents();
                }
            }
        }
        return q;
    }

    /** The category in which each variable's count of flows passes its choice. */
    int[] code(double[] table, double[] choice) {
        int[] code = new int[codes.variables()];
        for (int d = 0; d < code.length; d++) {
            long counted = 0;
            for (int k = 0; k < codes.cardinality(d); k++) {
                counted += Math.round(table[d * codes.width() + k] * latent.getComponents());
                if (counted > choice[d]) {
                    code[d] = k;
                    break;
                }
            }
        }
        return code;
    }

    double[] decode(int[] code) {
        return affine("decoder", codes.oneHot(new int[][] {code}));
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
        for (int[] code : codes.all(1000)) {
            p += Math.exp(logLikelihood(image, code)) / codes.size();
        }
        return Math.log(p);
    }

    /** KL(q || uniform). */
    double divergence(double[] table) {
        double kl = 0;
        for (int i = 0; i < table.length; i++) {
            if (table[i] > 0) {
                kl += table[i] * Math.log(table[i] * codes.cardinality(i / codes.width()));
            }
        }
        return kl;
    }

    /** The exact ELBO: the expectation over all codes. */
    double elbo(double[] image) {
        double[] q = table(image);
        double elbo = -divergence(q);
        for (int[] code : codes.all(1000)) {
            double probability = 1;
            for (int d = 0; d < code.length; d++) {
                probability *= q[d * codes.width() + code[d]];
            }
            elbo += probability * logLikelihood(image, code);
        }
        return elbo;
    }

    /** The derivative of q log(q + floor) + q log K_d, the divergence with half a flow's weight in the logarithm. */
    double[] divergenceSlope(double[] table) {
        double floor = 0.5 / latent.getComponents();
        double[] slope = new double[table.length];
        for (int i = 0; i < slope.length; i++) {
            slope[i] = Math.log(table[i] + floor) + table[i] / (table[i] + floor)
                    + Math.log(codes.cardinality(i / codes.width()));
        }
        return slope;
    }

    /** The derivative of -log p(image | code) by the code, [D * K]. */
    double[] likelihoodSlope(double[] image, int[] code) {
        double[] logits = decode(code);
        INDArray weights = graph.getParam("decoder_W");
        double[] slope = new double[codes.oneHotLength()];
        for (int i = 0; i < slope.length; i++) {
            for (int p = 0; p < logits.length; p++) {
                slope[i] += (1 / (1 + Math.exp(-logits[p])) - image[p]) * weights.getDouble(i, p);
            }
        }
        return slope;
    }

    /** 2 softmax-like reweighting of q by c minus q / 2, where c takes the table to halfway between it and the code. */
    double[] secondOrder(double[] q, double[] table, int[] code) {
        double[] x = codes.oneHot(new int[][] {code});
        double[] result = new double[q.length];
        for (int d = 0; d < codes.variables(); d++) {
            double sum = 0;
            for (int k = 0; k < codes.cardinality(d); k++) {
                sum += weight(x, table, d * codes.width() + k) * q[d * codes.width() + k];
            }
            for (int k = 0; k < codes.cardinality(d); k++) {
                int i = d * codes.width() + k;
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
