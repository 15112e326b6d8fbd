package io.mdnf.search;

import io.mdnf.random.Draws;
import io.mdnf.space.CodeSpace;
import io.mdnf.target.FactorisedExpectation;
import io.mdnf.target.TargetModel;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Expectations of a black box from samples of q, with the variable in question summed over exactly (Rao-Blackwell).
 *
 * <p>The uniform numbers behind the samples are drawn once, so that two q's are compared on the same numbers, and an
 * update that pays on the samples keeps paying. Sample s has x_sd = the inverse of q_d's distribution function at u_sd.
 */
final class SampledExpectation implements FactorisedExpectation {

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
        double[] values = target.logJoint(samples);
        evaluations += values.length;
        return values;
    }

    @Override
    public double expectedLogJoint(double[][] q) {
        return Arrays.stream(logJoints(q)).sum() / samples.length;
    }

    @Override
    public double[] conditionalLogJoint(double[][] q, int variable) {
        draw(q, variable);
        double[] sums = new double[space.cardinality(variable)];
        for (double[] row : target.conditionals(samples, variable)) {
            for (int k = 0; k < sums.length; k++) {
                sums[k] += row[k] / samples.length;
            }
        }
        evaluations += (long) samples.length * sums.length;
        return sums;
    }

    private void draw(double[][] q, int except) {
        for (int d = 0; d < q.length; d++) {
            if (d == except || Arrays.equals(q[d], drawnFrom[d])) {
                continue;
            }
            drawnFrom[d] = q[d].clone();
            for (int s = 0; s < samples.length; s++) {
                samples[s][d] = Draws.category(uniforms[d][s], q[d], 0, q[d].length);
            }
        }
    }
}
