package io.mdnf.inference;

import io.mdnf.random.Draws;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.TargetModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What it is worth to an atom to change one variable, for all atoms, variables and categories at once:
 *
 * <pre>L[b, d, k] = sum over the factors f of d of ln_kappa(f(y_b with d := k) / f(y_b)),
 * ln_kappa(r) = (r^kappa - 1) / kappa</pre>
 *
 * <p>kappa = 1 is the gradient of the log joint as the paper linearises it, kappa = 0 the true difference. Entries
 * of a table that are nearly 0 are raised by a floor, as a share of its largest: what is impossible becomes passable.
 *
 * <p>A target without factors counts as one, whose alternatives are evaluated in one batch. No factor tells what keeps
 * its atoms apart, so until kappa is 0 a second variable e, drawn for each b and d, may follow the change:
 *
 * <pre>L[b, d, k] = ln_kappa(max_l p(y_b with d := k, e := l) / max_l p(y_b with e := l))</pre>
 */
final class Alternatives {

    /** What is smaller, as a share of its factor's largest entry, is a barrier that a floor opens; the rest stays. */
    private static final double BARRIER = 1e-3;

    private final TargetModel target;
    private final CodeSpace space;
    private final int variables;
    private final int width;
    /** Probabilities of each factor, the largest 1. */
    private final List<double[]> tables = new ArrayList<>();
    /** Their logarithms, raised by the floor. */
    private final List<double[]> logs = new ArrayList<>();
    private final List<int[]> scopes = new ArrayList<>();
    private final List<int[]> strides = new ArrayList<>();
    private double floor = Double.NaN;

    Alternatives(TargetModel target) {
        this.target = target;
        this.space = target.space();
        this.variables = space.variables();
        this.width = space.width();
        for (Factor factor : target.factors()) {
            double[] log = factor.logTable();
            double most = Arrays.stream(log).max().orElseThrow();
            if (factor.variables().length == 0 || most == Double.NEGATIVE_INFINITY) {
                continue;
            }
            int[] scope = factor.variables();
            int[] stride = new int[scope.length];
            int size = 1;
            for (int j = scope.length - 1; j >= 0; j--) {
                stride[j] = size;
                size *= space.cardinality(scope[j]);
            }
            scopes.add(scope);
            strides.add(stride);
            tables.add(Arrays.stream(log).map(value -> Math.exp(value - most)).toArray());
            logs.add(new double[log.length]);
        }
    }

    /** The worth of all alternatives of codes y [B][D], flat [B, D, K]; 0 at the codes themselves. */
    double[] of(int[][] y, double kappa, double raised, Draws draws) {
        double[] worth = new double[y.length * space.oneHotLength()];
        if (tables.isEmpty()) {
            oneBatch(y, kappa, raised, draws, worth);
            return worth;
        }
        raise(raised);
        for (int f = 0; f < tables.size(); f++) {
            int[] scope = scopes.get(f);
            int[] stride = strides.get(f);
            double[] log = logs.get(f);
            for (int b = 0; b < y.length; b++) {
                int entry = 0;
                for (int j = 0; j < scope.length; j++) {
                    entry += stride[j] * y[b][scope[j]];
                }
                for (int j = 0; j < scope.length; j++) {
                    int d = scope[j];
                    int row = (b * variables + d) * width;
                    int first = entry - stride[j] * y[b][d];
                    for (int k = 0; k < space.cardinality(d); k++) {
                        worth[row + k] += softened(log[first + stride[j] * k] - log[entry], kappa);
                    }
                }
            }
        }
        return worth;
    }

    private static double softened(double difference, double kappa) {
        return kappa == 0 || difference == 0 ? difference : Math.expm1(kappa * difference) / kappa;
    }

    private static double raised(double probability, double floor) {
        return Math.log(probability < BARRIER ? probability + floor : probability);
    }

    private void raise(double raised) {
        if (raised != floor) {
            floor = raised;
            for (int f = 0; f < tables.size(); f++) {
                double[] table = tables.get(f);
                Arrays.setAll(logs.get(f), i -> raised(table[i], raised));
            }
        }
    }

    /** One factor: all alternatives of all codes in one batch, measured against the best of them. */
    private void oneBatch(int[][] y, double kappa, double raised, Draws draws, double[] worth) {
        int rows = y.length * variables;
        // which variable follows: none at the end, where a worth is what one change alone gains
        int[] after = kappa == 0 || variables == 1 ? null : draws.uniform("after", rows, variables - 1);
        List<int[]> codes = new ArrayList<>();
        int[] choices = new int[rows];
        for (int row = 0; row < rows; row++) {
            int d = row % variables;
            int e = after == null ? d : (d + 1 + after[row]) % variables;
            choices[row] = e == d ? 1 : space.cardinality(e);
            for (int k = 0; k < space.cardinality(d); k++) {
                for (int l = 0; l < choices[row]; l++) {
                    int[] other = y[row / variables].clone();
                    other[e] = l;
                    other[d] = k;
                    codes.add(other);
                }
            }
        }
        double[] values = target.logJoint(codes.toArray(int[][]::new));
        double most = Math.max(Arrays.stream(values).max().orElseThrow(), LogSpace.IMPOSSIBLE);
        Arrays.setAll(values, i -> raised(Math.exp(values[i] - most), raised));
        int next = 0;
        for (int row = 0; row < rows; row++) {
            double[] best = new double[space.cardinality(row % variables)];
            for (int k = 0; k < best.length; k++, next += choices[row]) {
                best[k] = Arrays.stream(values, next, next + choices[row]).max().orElseThrow();
            }
            for (int k = 0; k < best.length; k++) {
                worth[row * width + k] = softened(best[k] - best[y[row / variables][row % variables]], kappa);
            }
        }
    }
}
