package io.mdnf.target;

import io.mdnf.space.CodeSpace;
import io.mdnf.target.FactorisedExpectation;
import java.util.Random;

/** log p(x) = sum_d u_d(x_d) + sum_{e < d} w_de(x_d, x_e), all potentials normal. */
public final class PairwiseField implements TargetModel, FactorisedExpectation {

    private final CodeSpace codes;
    private final double[][] single;
    private final double[][][][] pair;

    public PairwiseField(CodeSpace codes, double scale, long seed) {
        this.codes = codes;
        Random random = new Random(seed);
        int variables = codes.variables();
        single = new double[variables][];
        pair = new double[variables][variables][][];
        for (int d = 0; d < variables; d++) {
            single[d] = normal(codes.cardinality(d), scale, random);
            for (int e = 0; e < d; e++) {
                pair[d][e] = new double[codes.cardinality(d)][];
                for (int k = 0; k < pair[d][e].length; k++) {
                    pair[d][e][k] = normal(codes.cardinality(e), scale, random);
                }
            }
        }
    }

    /** D of 3 to 6 variables with 2 to 4 categories each, standard normal potentials. */
    public static PairwiseField small(long seed) {
        Random random = new Random(1000 + seed);
        int[] cardinalities = new int[3 + random.nextInt(4)];
        for (int d = 0; d < cardinalities.length; d++) {
            cardinalities[d] = 2 + random.nextInt(3);
        }
        return new PairwiseField(CodeSpace.of(cardinalities), 1, seed);
    }

    private static double[] normal(int count, double scale, Random random) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = scale * random.nextGaussian();
        }
        return values;
    }

    public double logJoint(int[] x) {
        double sum = 0;
        for (int d = 0; d < x.length; d++) {
            sum += single[d][x[d]];
            for (int e = 0; e < d; e++) {
                sum += pair[d][e][x[d]][x[e]];
            }
        }
        return sum;
    }

    public BlackBox asBlackBox() {
        return new BlackBox(codes, this::logJoint);
    }

    @Override
    public CodeSpace space() {
        return codes;
    }

    @Override
    public double[] logJoint(int[][] codes) {
        double[] values = new double[codes.length];
        for (int i = 0; i < codes.length; i++) {
            values[i] = logJoint(codes[i]);
        }
        return values;
    }

    @Override
    public double expectedLogJoint(double[][] q) {
        double sum = 0;
        for (int d = 0; d < q.length; d++) {
            for (int k = 0; k < q[d].length; k++) {
                double value = single[d][k];
                for (int e = 0; e < d; e++) {
                    value += dot(pair[d][e][k], q[e]);
                }
                sum += q[d][k] * value;
            }
        }
        return sum;
    }

    @Override
    public double[] conditionalLogJoint(double[][] q, int variable) {
        double[] values = single[variable].clone();
        for (int k = 0; k < values.length; k++) {
            for (int e = 0; e < q.length; e++) {
                if (e < variable) {
                    values[k] += dot(pair[variable][e][k], q[e]);
                }
                for (int l = 0; e > variable && l < q[e].length; l++) {
                    values[k] += q[e][l] * pair[e][variable][l][k];
                }
            }
        }
        return values;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
