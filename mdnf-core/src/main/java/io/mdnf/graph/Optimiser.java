package io.mdnf.graph;

import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.ops.transforms.Transforms;

/**
 * How a gradient becomes an update of the flat parameter vector w, in place.
 *
 * <p>Each rule is written three times, for float and double blocks on the host and for whole ND4J arrays on a device;
 * a test keeps them equal.
 *
 * <p>Example: {@code plan.update(new Optimiser.RmsProp(), 0.01)} after each {@code plan.run()}.
 */
public sealed interface Optimiser {

    /** Returns how many vectors of state the rule keeps beside the parameters. */
    int slots();

    /** Updates the first n values of a block. */
    void update(double[] w, double[] g, double[][] slots, int n, double rate, long step);

    /** Updates the first n values of a block. */
    void update(float[] w, float[] g, float[][] slots, int n, double rate, long step);

    /** Updates whole arrays on the device. */
    void update(INDArray w, INDArray g, INDArray[] slots, double rate, long step);

    /** Steepest descent: w -= rate * g. */
    record Sgd() implements Optimiser {
        @Override
        public int slots() {
            return 0;
        }

        @Override
        public void update(double[] w, double[] g, double[][] slots, int n, double rate, long step) {
            for (int i = 0; i < n; i++) {
                w[i] -= rate * g[i];
            }
        }

        @Override
        public void update(float[] w, float[] g, float[][] slots, int n, double rate, long step) {
            float r = (float) rate;
            for (int i = 0; i < n; i++) {
                w[i] -= r * g[i];
            }
        }

        @Override
        public void update(INDArray w, INDArray g, INDArray[] slots, double rate, long step) {
            w.subi(g.mul(rate));
        }
    }

    /**
     * RMSprop as in Keras: v = decay v + (1 - decay) g^2, w -= rate g / (sqrt(v) + epsilon).
     *
     * @param decay of the running mean square
     * @param epsilon added to its root
     */
    record RmsProp(double decay, double epsilon) implements Optimiser {
        /** Keras' defaults: decay 0.9, epsilon 1e-7. */
        public RmsProp() {
            this(0.9, 1e-7);
        }

        @Override
        public int slots() {
            return 1;
        }

        @Override
        public void update(double[] w, double[] g, double[][] slots, int n, double rate, long step) {
            double[] v = slots[0];
            for (int i = 0; i < n; i++) {
                v[i] = decay * v[i] + (1 - decay) * g[i] * g[i];
                w[i] -= rate * g[i] / (Math.sqrt(v[i]) + epsilon);
            }
        }

        @Override
        public void update(float[] w, float[] g, float[][] slots, int n, double rate, long step) {
            float[] v = slots[0];
            float d = (float) decay;
            float e = (float) epsilon;
            float r = (float) rate;
            for (int i = 0; i < n; i++) {
                v[i] = d * v[i] + (1 - d) * g[i] * g[i];
                w[i] -= r * g[i] / ((float) Math.sqrt(v[i]) + e);
            }
        }

        @Override
        public void update(INDArray w, INDArray g, INDArray[] slots, double rate, long step) {
            slots[0].muli(decay).addi(g.mul(g).muli(1 - decay));
            w.subi(g.mul(rate).divi(Transforms.sqrt(slots[0], true).addi(epsilon)));
        }
    }

    /**
     * Adam as in Keras: m and v are running means of g and g^2, w -= rate_t m / (sqrt(v) + epsilon) with
     * rate_t = rate sqrt(1 - beta2^t) / (1 - beta1^t).
     *
     * @param beta1 decay of the running mean
     * @param beta2 decay of the running mean square
     * @param epsilon added to its root
     */
    record Adam(double beta1, double beta2, double epsilon) implements Optimiser {
        /** Keras' defaults: 0.9, 0.999, 1e-7. */
        public Adam() {
            this(0.9, 0.999, 1e-7);
        }

        @Override
        public int slots() {
            return 2;
        }

        private double corrected(double rate, long step) {
            return rate * Math.sqrt(1 - Math.pow(beta2, step)) / (1 - Math.pow(beta1, step));
        }

        @Override
        public void update(double[] w, double[] g, double[][] slots, int n, double rate, long step) {
            double[] m = slots[0];
            double[] v = slots[1];
            double r = corrected(rate, step);
            for (int i = 0; i < n; i++) {
                m[i] = beta1 * m[i] + (1 - beta1) * g[i];
                v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
                w[i] -= r * m[i] / (Math.sqrt(v[i]) + epsilon);
            }
        }

        @Override
        public void update(float[] w, float[] g, float[][] slots, int n, double rate, long step) {
            float[] m = slots[0];
            float[] v = slots[1];
            float r = (float) corrected(rate, step);
            float b1 = (float) beta1;
            float b2 = (float) beta2;
            float e = (float) epsilon;
            for (int i = 0; i < n; i++) {
                m[i] = b1 * m[i] + (1 - b1) * g[i];
                v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
                w[i] -= r * m[i] / ((float) Math.sqrt(v[i]) + e);
            }
        }

        @Override
        public void update(INDArray w, INDArray g, INDArray[] slots, double rate, long step) {
            slots[0].muli(beta1).addi(g.mul(1 - beta1));
            slots[1].muli(beta2).addi(g.mul(g).muli(1 - beta2));
            w.subi(slots[0].mul(corrected(rate, step)).divi(Transforms.sqrt(slots[1], true).addi(epsilon)));
        }
    }
}
