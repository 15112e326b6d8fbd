package io.mdnf.target;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Models of physics on a periodic square lattice of n x n sites, each linked to its right and its lower neighbour.
 *
 * <p>Example: {@code Lattice.ising(4, 0.4407)}.
 */
public final class Lattice {

    private Lattice() {}

    /** The Ising model: log p(x) = beta sum_links s_i s_j, with spins s = -1, 1 for x = 0, 1. */
    public static FactorTarget ising(int side, double beta) {
        return of(side, 2, link -> 1, beta, -beta);
    }

    /** The Potts model of so many states: log p(x) = beta sum_links [x_i = x_j]. */
    public static FactorTarget potts(int side, int states, double beta) {
        return of(side, states, link -> 1, beta, 0);
    }

    /** A spin glass: the Ising model with beta or -beta at every link, by the toss of a coin. */
    public static FactorTarget spinGlass(int side, double beta, Seed seed) {
        int[] coins = new Draws(seed).uniform("couplings", 2 * side * side, 2);
        return of(side, 2, link -> 2 * coins[link] - 1, beta, -beta);
    }

    private static FactorTarget of(int side, int states, IntUnaryOperator sign, double equal, double different) {
        Check.that(side >= 3 && states >= 2, "side = ", side, ", states = ", states,
                ": a periodic lattice has at least 3 x 3 sites of 2 states");
        List<Factor> factors = new ArrayList<>();
        for (int site = 0; site < side * side; site++) {
            int row = site / side;
            int column = site % side;
            int[] others = {row * side + (column + 1) % side, (row + 1) % side * side + column};
            for (int other : others) {
                int coupling = sign.applyAsInt(factors.size());
                double[] table = new double[states * states];
                for (int i = 0; i < table.length; i++) {
                    table[i] = coupling * (i / states == i % states ? equal : different);
                }
                factors.add(new Factor(new int[] {site, other}, table));
            }
        }
        return new FactorTarget(CodeSpace.uniform(side * side, states), factors);
    }

    /**
     * The log of the sum over all codes of {@link #ising}, exactly, by Kaufman's formula of 1949: with cosh gamma_r =
     * cosh(2 beta)^2 / sinh(2 beta) - cos(r pi / n), gamma_0 = 2 beta + log tanh(beta),
     *
     * <pre>{@code Z = (2 sinh 2 beta)^(n n / 2) / 2 (prod 2 cosh(n gamma_odd / 2) + prod 2 sinh(n gamma_odd / 2)
     *         + prod 2 cosh(n gamma_even / 2) + prod 2 sinh(n gamma_even / 2)), }</pre>
     *
     * <p>products over n values of r each; below the critical temperature's beta the last one is negative.
     */
    public static double isingLogSum(int side, double beta) {
        Check.that(beta > 0, "beta = ", beta, ": above 0");
        double ratio = Math.cosh(2 * beta) * Math.cosh(2 * beta) / Math.sinh(2 * beta);
        double[] logs = new double[4];
        double sign = 1;
        for (int r = 0; r < 2 * side; r++) {
            double cosh = ratio - Math.cos(Math.PI * r / side);
            double gamma = r == 0 ? 2 * beta + Math.log(Math.tanh(beta))
                    : Math.log(cosh + Math.sqrt(cosh * cosh - 1));
            double half = Math.abs(side * gamma / 2);
            int at = r % 2 == 1 ? 0 : 2;
            logs[at] += half + Math.log1p(Math.exp(-2 * half));
            logs[at + 1] += half + Math.log(-Math.expm1(-2 * half));
            sign = r == 0 ? Math.signum(gamma) : sign;
        }
        double most = Math.max(logs[0], logs[2]);
        double sum = Math.exp(logs[0] - most) + Math.exp(logs[1] - most) + Math.exp(logs[2] - most)
                + sign * Math.exp(logs[3] - most);
        return side * side / 2.0 * Math.log(2 * Math.sinh(2 * beta)) - Math.log(2) + most + Math.log(sum);
    }
}
