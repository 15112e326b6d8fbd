package io.mdnf.graph;

/**
 * How a gradient becomes an update of the flat parameter vector w, in place.
 *
 * <p>Each rule is written for float and for double blocks on the host; {@link DeviceUpdate} does the same to whole
 * arrays on a device. A test keeps them equal.
 *
 * <p>Example: {@code plan.update(new Optimiser.RmsProp(), 0.01)} after each {@code plan.run()}.
 */
public sealed interface Optimiser {

    /** Returns how many vectors of state the rule keeps beside the parameters. */
    int slots();

    /** Returns how many neighbours, counted from the first parameter, are updated together: no block parts them. */
    default int shared() {
        return 1;
    }

    /** Updates the first n values of a block; vectors are w, g and the state. */
    void update(double[][] vectors, int n, double rate, long step);

    /** Updates the first n values of a block; vectors are w, g and the state. */
    void update(float[][] vectors, int n, double rate, long step);

    /** Steepest descent: w -= rate * g. */
    record Sgd() implements Optimiser {
        @Override
        public int slots() {
            return 0;
        }

        @Override
        public void update(double[][] vectors, int n, double rate, long step) {
            double[] w = vectors[0];
            double[] g = vectors[1];
            for (int i = 0; i < n; i++) {
                w[i] -= rate * g[i];
            }
        }

        @Override
        public void update(float[][] vectors, int n, double rate, long step) {
            float[] w = vectors[0];
            float[] g = vectors[1];
            float r = (float) rate;
            for (int i = 0; i < n; i++) {
                w[i] -= r * g[i];
            }
        }
    }

    /**
     * RMSprop as in Keras: v = decay v + (1 - decay) g^2, w -= rate g / (sqrt(v) + epsilon); so many neighbours share
     * one scale, the mean of their g^2: 1 in Keras, the K logits of a variable where their order is to be kept.
     */
    record RmsProp(double decay, double epsilon, int shared) implements Optimiser {
        /** Keras' defaults: decay 0.9, epsilon 1e-7. */
        public RmsProp() {
            this(0.9, 1e-7, 1);
        }

        @Override
        public int slots() {
            return 1;
        }

        @Override
        public void update(double[][] vectors, int n, double rate, long step) {
            double[] w = vectors[0];
            double[] g = vectors[1];
            double[] v = vectors[2];
            for (int row = 0; row < n; row += shared) {
                int end = Math.min(n, row + shared);
                double square = 0;
                for (int i = row; i < end; i++) {
                    square += g[i] * g[i] / (end - row);
                }
                for (int i = row; i < end; i++) {
                    v[i] = decay * v[i] + (1 - decay) * square;
                    w[i] -= rate * g[i] / (Math.sqrt(v[i]) + epsilon);
                }
            }
        }

        @Override
        public void update(float[][] vectors, int n, double rate, long step) {
            float[] w = vectors[0];
            float[] g = vectors[1];
            float[] v = vectors[2];
            float d = (float) decay;
            float e = (float) epsilon;
            float r = (float) rate;
            // by itself, so that it is compiled to vectors
            for (int i = 0; i < n && shared == 1; i++) {
                v[i] = d * v[i] + (1 - d) * (g[i] * g[i]);
            }
            for (int row = 0; row < n && shared > 1; row += shared) {
                int end = Math.min(n, row + shared);
                float square = 0;
                for (int i = row; i < end; i++) {
                    square += g[i] * g[i] / (end - row);
                }
                for (int i = row; i < end; i++) {
                    v[i] = d * v[i] + (1 - d) * square;
                }
            }
            for (int i = 0; i < n; i++) {
                w[i] -= r * g[i] / ((float) Math.sqrt(v[i]) + e);
            }
        }
    }

    /**
     * Adam as in Keras: m and v are running means of g and g^2 that decay by beta1 and beta2,
     * w -= rate_t m / (sqrt(v) + epsilon) with rate_t = rate sqrt(1 - beta2^t) / (1 - beta1^t).
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

        /** The rate with the correction of both means, which start at 0. */
        double corrected(double rate, long step) {
            return rate * Math.sqrt(1 - Math.pow(beta2, step)) / (1 - Math.pow(beta1, step));
        }

        @Override
        public void update(double[][] vectors, int n, double rate, long step) {
            double[] w = vectors[0];
            double[] g = vectors[1];
            double[] m = vectors[2];
            double[] v = vectors[3];
            double r = corrected(rate, step);
            for (int i = 0; i < n; i++) {
                m[i] = beta1 * m[i] + (1 - beta1) * g[i];
                v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
                w[i] -= r * m[i] / (Math.sqrt(v[i]) + epsilon);
            }
        }

        @Override
        public void update(float[][] vectors, int n, double rate, long step) {
            float[] w = vectors[0];
            float[] g = vectors[1];
            float[] m = vectors[2];
            float[] v = vectors[3];
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
    }

    /**
     * Rectified Adam (Liu et al., 2020): Adam's step times r_t, which grows to 1 as v becomes known; while v is hardly
     * known, rho_t at most 5, the step is the corrected mean of g alone, not divided by sqrt(v).
     * <pre>
     *   rho = 2 / (1 - beta2) - 1,   rho_t = rho - 2 t beta2^t / (1 - beta2^t)
     *   r_t^2 = (rho_t - 4) (rho_t - 2) rho / ((rho - 4) (rho - 2) rho_t)
     * </pre>
     */
    record RAdam(Adam adam) implements Optimiser {
        /** Of fewer terms the variance of 1 / sqrt(v) is not known. */
        private static final double LEAST_KNOWN = 5;

        /** PyTorch's defaults: 0.9, 0.999, 1e-8. */
        public RAdam() {
            this(new Adam(0.9, 0.999, 1e-8));
        }

        @Override
        public int slots() {
            return adam.slots();
        }

        /** r_t, or 0 while v is hardly known. */
        double rectified(long step) {
            double power = Math.pow(adam.beta2, step);
            double most = 2 / (1 - adam.beta2) - 1;
            double known = most - 2 * step * power / (1 - power);
            return known > LEAST_KNOWN
                    ? Math.sqrt((known - 4) * (known - 2) * most / ((most - 4) * (most - 2) * known)) : 0;
        }

        /** What the mean of g is multiplied by where it is not divided by sqrt(v). */
        double plain(double rate, long step) {
            return rate / (1 - Math.pow(adam.beta1, step));
        }

        @Override
        public void update(double[][] vectors, int n, double rate, long step) {
            double share = rectified(step);
            adam.update(vectors, n, rate * share, step);
            if (share == 0) {
                new Sgd().update(new double[][] {vectors[0], vectors[2]}, n, plain(rate, step), step);
            }
        }

        @Override
        public void update(float[][] vectors, int n, double rate, long step) {
            double share = rectified(step);
            adam.update(vectors, n, rate * share, step);
            if (share == 0) {
                new Sgd().update(new float[][] {vectors[0], vectors[2]}, n, plain(rate, step), step);
            }
        }
    }
}
