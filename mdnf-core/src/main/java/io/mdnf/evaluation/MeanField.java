package io.mdnf.evaluation;

import java.util.Arrays;
import java.util.List;

/**
 * The best product q(x) = prod_d q_d(x_d) that coordinate ascent found.
 *
 * <p>The problem has local optima, so this is an upper estimate of the smallest KL, exact when one of the starts
 * reached the global optimum.
 *
 * @param optima the distinct local optima found, at most 16, best first
 * @param elbo log p(D) - KL of the best
 */
public record MeanField(List<Optimum> optima, double elbo) {

    /**
     * A local optimum.
     *
     * @param kl KL(q || p)
     * @param q the marginals, [D][K_d]
     * @param starts how many of the starts ended here
     */
    public record Optimum(double kl, double[][] q, int starts) {

        /** Copies the marginals. */
        public Optimum {
            q = copy(q);
        }

        @Override
        public double[][] q() {
            return copy(q);
        }

        @Override
        public String toString() {
            return "Optimum(KL " + kl + ", reached by " + starts + " starts)";
        }
    }

    /** Copies the list. */
    public MeanField {
        optima = List.copyOf(optima);
    }

    /** Returns KL(q || p) of the best. */
    public double kl() {
        return optima.get(0).kl();
    }

    /** Returns the marginals of the best, [D][K_d]. */
    public double[][] q() {
        return optima.get(0).q();
    }

    static double[][] copy(double[][] q) {
        return Arrays.stream(q).map(double[]::clone).toArray(double[][]::new);
    }
}
