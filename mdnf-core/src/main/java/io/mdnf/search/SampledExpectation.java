package io.mdnf.search;

import io.mdnf.space.CodeSpace;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Expectations of a black box from samples of q, with the variable in question summed over exactly (Rao-Blackwell).
 *
 * <p>The uniform numbers behind the samples are drawn once, so that two q's are compared on the same numbers, and an
 * update that pays on the samples keeps paying. Sample s has x_sd = the inverse of q_d's distribution function at u_sd.
 */
final class SampledExpectation implements MeanFieldExpectation {

    private static final int BATCH = 4096;

    private final TargetModel target;
    private final CodeSpace space;
    private final double[][] uniforms;
    private final int[][] samples;
    private final double[][] drawnFrom;
    private long evaluations;

    SampledExpectation(TargetModel target, int count, UniformRandomProvider random) {
        this.target = target;
        this.space = target.space();
        this.uniforms = new double[space.variables()][count];
        this.samples = new int[count][space.variables()];
        this.drawnFrom = new double[space.variables()][0];
        for (double[] row : uniforms) {
            // Stratified per variable: the marginals of the samples are then nearly those of q.
            for (int s = 0; s < count; s++) {
                row[s] = (s + random.nextDouble()) / count;
            }
            for (int s = count - 1; s > 0; s--) {
                int other = random.nextInt(s + 1);
                double kept = row[s];
                row[s] = row[other];
                row[other] = kept;
            }
        }
    }

    long evaluations() {
        return evaluations;
    }

    /** The log joints of the samples of q. */
    double[] logJoints(double[][] q) {
        draw(q, -1);
        double[] values = new double[samples.length];
        for (int from = 0; from < values.length; from += BATCH) {
            int[][] batch = Arrays.copyOfRange(samples, from, Math.min(values.length, from + BATCH));
            System.arraycopy(target.logJoint(batch), 0, values, from, batch.length);
        }
        evaluations += values.length;
        return values;
    }

    @Override
    public double expected(double[][] q) {
        return Arrays.stream(logJoints(q)).sum() / samples.length;
    }

    @Override
    public double[] conditional(double[][] q, int variable) {
        draw(q, variable);
        int categories = space.cardinality(variable);
        double[] sums = new double[categories];
        int rows = Math.max(1, BATCH / categories);
        for (int from = 0; from < samples.length; from += rows) {
            int count = Math.min(rows, samples.length - from);
            int[][] variants = new int[count * categories][];
            for (int i = 0; i < variants.length; i++) {
                variants[i] = samples[from + i / categories].clone();
                variants[i][variable] = i % categories;
            }
            double[] values = target.logJoint(variants);
            for (int i = 0; i < values.length; i++) {
                sums[i % categories] += values[i];
            }
            evaluations += values.length;
        }
        for (int k = 0; k < categories; k++) {
            sums[k] /= samples.length;
        }
        return sums;
    }

    private void draw(double[][] q, int except) {
        for (int d = 0; d < q.length; d++) {
            if (d == except || Arrays.equals(q[d], drawnFrom[d])) {
                continue;
            }
            drawnFrom[d] = q[d].clone();
            for (int s = 0; s < samples.length; s++) {
                samples[s][d] = category(q[d], uniforms[d][s]);
            }
        }
    }

    private static int category(double[] q, double uniform) {
        int last = 0;
        double left = uniform;
        for (int k = 0; k < q.length; k++) {
            if (q[k] > 0) {
                last = k; // rounding may leave a little over: it goes to the last possible category
                left -= q[k];
                if (left < 0) {
                    break;
                }
            }
        }
        return last;
    }
}
