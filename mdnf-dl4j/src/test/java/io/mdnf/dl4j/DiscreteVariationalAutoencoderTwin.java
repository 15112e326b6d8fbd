package io.mdnf.dl4j;

import io.mdnf.dl4j.DenseParameters.Dense;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.nn.conf.layers.variational.ReconstructionDistribution;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** A {@link DiscreteVariationalAutoencoderLayer} of tanh units in plain Java loops over one row. */
final class DiscreteVariationalAutoencoderTwin {

    final CodeSpace space;
    private final DiscreteVariationalAutoencoderLayer layer;
    private final DiscreteVariationalAutoencoder conf;

    DiscreteVariationalAutoencoderTwin(DiscreteVariationalAutoencoderLayer layer) {
        this.layer = layer;
        conf = layer.layerConf();
        space = conf.space();
    }

    /** The logits of every variable given a code whose earlier variables it may look at, [D K]. */
    double[] logits(double[] x, double[] z) {
        double[] logits = run(conf.encoder(), x);
        if (conf.getLooking() == 0) {
            return logits;
        }
        List<Dense> encoder = conf.encoder();
        double[] hidden = Arrays.stream(run(encoder.subList(0, encoder.size() - 1), x)).map(Math::tanh).toArray();
        double[] sums = affine(conf.start(), hidden);
        INDArray rows = layer.getParam(conf.rows().weights());
        INDArray weights = layer.getParam(conf.weights().weights());
        for (int i = 0; i < logits.length; i++) {
            for (int h = 0; h < sums.length; h++) {
                double sum = sums[h];
                for (int e = 0; e < i / space.width() * space.width(); e++) {
                    sum += z[e] * rows.getDouble(e, h);
                }
                logits[i] += Math.max(0, sum) * weights.getDouble(h, i);
            }
        }
        return logits;
    }

    /** The one-hot code whose variables are, one after the other, the largest of logits and something added. */
    double[] largest(double[] x, double[] added) {
        double[] z = new double[added.length];
        for (int d = 0; d < space.variables(); d++) {
            double[] logits = logits(x, z);
            int best = d * space.width();
            for (int i = best; i < (d + 1) * space.width(); i++) {
                best = logits[i] + added[i] > logits[best] + added[best] ? i : best;
            }
            z[best] = 1;
        }
        return z;
    }

    /** softmax(l / tau), variable by variable. */
    double[] softmax(double[] logits, double temperature) {
        double[] p = new double[logits.length];
        for (int d = 0; d < space.variables(); d++) {
            double sum = 0;
            for (int k = 0; k < space.width(); k++) {
                sum += Math.exp(logits[d * space.width() + k] / temperature);
            }
            for (int k = 0; k < space.width(); k++) {
                p[d * space.width() + k] = Math.exp(logits[d * space.width() + k] / temperature) / sum;
            }
        }
        return p;
    }

    /** J(p) g, variable by variable. */
    double[] jacobian(double[] p, double[] g) {
        double[] result = new double[p.length];
        for (int d = 0; d < space.variables(); d++) {
            double mean = 0;
            for (int k = 0; k < space.width(); k++) {
                mean += p[d * space.width() + k] * g[d * space.width() + k];
            }
            for (int k = 0; k < space.width(); k++) {
                int i = d * space.width() + k;
                result[i] = p[i] * (g[i] - mean);
            }
        }
        return result;
    }

    /** -log p(x | z) by DL4J's own distribution, at any z. */
    double missed(double[] x, double[] z) {
        ReconstructionDistribution distribution = conf.getOutputDistribution();
        return distribution.exampleNegLogProbability(Nd4j.createFromArray(new double[][] {x}),
                Nd4j.createFromArray(new double[][] {run(conf.decoder(), z)})).getDouble(0);
    }

    double divergence(double[] p) {
        return Arrays.stream(p).map(each -> each * Math.log(each * space.width())).sum();
    }

    /** log p(x) by enumeration of all codes. */
    double logEvidence(double[] x) {
        double[] logs = Arrays.stream(space.all(1000))
                .mapToDouble(code -> -missed(x, space.oneHot(new int[][] {code})) - Math.log(space.size())).toArray();
        return LogSpace.sumExp(logs);
    }

    /** The exact ELBO by enumeration of all codes. */
    double elbo(double[] x) {
        double elbo = 0;
        for (int[] code : space.all(1000)) {
            double logQ = logProb(x, code);
            elbo -= Math.exp(logQ)
                    * (missed(x, space.oneHot(new int[][] {code})) + logQ + Math.log(space.size()));
        }
        return elbo;
    }

    /** log q(code | x). */
    double logProb(double[] x, int[] code) {
        double[] p = softmax(logits(x, space.oneHot(new int[][] {code})), 1);
        double log = 0;
        for (int d = 0; d < code.length; d++) {
            log += Math.log(p[d * space.width() + code[d]]);
        }
        return log;
    }

    private double[] run(List<Dense> network, double[] x) {
        double[] current = x;
        for (Dense dense : network) {
            if (current != x) {
                current = Arrays.stream(current).map(Math::tanh).toArray();
            }
            current = affine(dense, current);
        }
        return current;
    }

    private double[] affine(Dense dense, double[] x) {
        INDArray weights = layer.getParam(dense.weights());
        double[] y = layer.getParam(dense.bias()).castTo(DataType.DOUBLE).toDoubleVector();
        for (int j = 0; j < y.length; j++) {
            for (int i = 0; i < x.length; i++) {
                y[j] += x[i] * weights.getDouble(i, j);
            }
        }
        return y;
    }
}
