package io.mdnf.network;

import io.mdnf.graph.Tensor;

/** What a hidden layer applies to its sums. */
public enum Activation {
    /** max(z, 0). */
    RELU {
        @Override
        public Tensor apply(Tensor z) {
            return z.relu();
        }

        @Override
        public double apply(double z) {
            return Math.max(z, 0);
        }
    },
    /** z itself, as in the published code. */
    LINEAR {
        @Override
        public Tensor apply(Tensor z) {
            return z;
        }

        @Override
        public double apply(double z) {
            return z;
        }
    };

    /** In the graph. */
    public abstract Tensor apply(Tensor z);

    /** As a number. */
    public abstract double apply(double z);
}
