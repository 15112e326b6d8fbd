package io.mdnf.evaluation;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What independent samples x_i of q with weights w_i = p(D, x_i) / q(x_i) say of a posterior, gathered batch by batch:
 *
 * <pre>{@code p(x_d = k | D) ~ sum_i w_i f_idk / sum_i w_i,   f_idk = p(x_d = k | x_i without d, D) }</pre>
 *
 * <p>where the conditional f, known for every sample, takes the place of counting whether x_id = k (Rao and Blackwell):
 * it has the same mean and varies less.
 *
 * <pre>{@code
 * WeightedSamples weighted = new WeightedSamples(space);
 * weighted.add(logWeights, i -> conditional);
 * double[][] marginals = weighted.marginals();
 * }</pre>
 */
public final class WeightedSamples {

    /** A share of the largest weight that no marginal would show. */
    private static final double NEGLIGIBLE = 1e-10;

    private final double[][] sums;
    private final double[][] weightedSquares;
    private final double[][] crossed;
    private double[] logWeights = new double[1024];
    private int count;
    /** The largest log weight so far, by which all sums are scaled. */
    private double scale = Double.NEGATIVE_INFINITY;
    private double total;
    private double squares;

    /** Nothing yet. */
    public WeightedSamples(CodeSpace space) {
        sums = zeros(space);
        weightedSquares = zeros(space);
        crossed = zeros(space);
    }

    private static double[][] zeros(CodeSpace space) {
        return IntStream.of(space.cardinalities()).mapToObj(double[]::new).toArray(double[][]::new);
    }

    /** Gives the distribution of each variable given the others, [D][K_d], at a sample of a batch. */
    @FunctionalInterface
    public interface Conditional {
        /** Returns the distributions at sample i; asked for only where its weight counts. */
        double[][] at(int i);
    }

    /** Takes a batch of log weights [n], -infinity for impossible codes. */
    public void add(double[] batch, Conditional conditional) {
        if (count + batch.length > logWeights.length) {
            logWeights = Arrays.copyOf(logWeights, Math.max(2 * logWeights.length, count + batch.length));
        }
        System.arraycopy(batch, 0, logWeights, count, batch.length);
        count += batch.length;
        rescale(Arrays.stream(batch).max().orElse(scale));
        for (int i = 0; i < batch.length; i++) {
            double w = scale == Double.NEGATIVE_INFINITY ? 0 : Math.exp(batch[i] - scale);
            if (w > NEGLIGIBLE) {
                add(w, conditional.at(i));
            }
        }
    }

    private void add(double w, double[][] f) {
        total += w;
        squares += w * w;
        for (int d = 0; d < f.length; d++) {
            for (int k = 0; k < f[d].length; k++) {
                double wf = w * f[d][k];
                sums[d][k] += wf;
                crossed[d][k] += w * wf;
                weightedSquares[d][k] += wf * wf;
            }
        }
    }

    private void rescale(double larger) {
        if (larger <= scale) {
            return;
        }
        double by = Math.exp(scale - larger);
        scale = larger;
        total *= by;
        squares *= by * by;
        for (int d = 0; d < sums.length; d++) {
            for (int k = 0; k < sums[d].length; k++) {
                sums[d][k] *= by;
                crossed[d][k] *= by * by;
                weightedSquares[d][k] *= by * by;
            }
        }
    }

    /** {@return how many samples there are} */
    public int count() {
        return count;
    }

    /** {@return the log weights of all samples, a fresh array} */
    public double[] logWeights() {
        return Arrays.copyOf(logWeights, count);
    }

    /** {@return how many equally weighted samples they are worth, (sum w)^2 / sum w^2; 0 if no weight is positive} */
    private double effectiveSize() {
        return total == 0 ? 0 : total * total / squares;
    }

    /** Returns estimates of the marginals, [D][K_d]; uniform if no weight is positive. */
    public double[][] marginals() {
        return Arrays.stream(sums).map(row -> {
            double[] p = new double[row.length];
            Arrays.setAll(p, k -> total == 0 ? 1.0 / row.length : row[k] / total);
            return p;
        }).toArray(double[][]::new);
    }

    /**
     * Returns their standard errors, the square root of sum_i w_i^2 (f_i - p)^2 / (sum_i w_i)^2 + 1 / m^2, [D][K_d]:
     * where all f_i agree there may still be codes elsewhere that m samples, as many as these are worth, do not meet.
     */
    public double[][] standardErrors() {
        double[][] p = marginals();
        double unmet = 1 / effectiveSize();
        double[][] errors = new double[p.length][];
        for (int d = 0; d < p.length; d++) {
            errors[d] = new double[p[d].length];
            for (int k = 0; k < p[d].length; k++) {
                double sum = weightedSquares[d][k] - 2 * p[d][k] * crossed[d][k] + p[d][k] * p[d][k] * squares;
                errors[d][k] = Math.hypot(total == 0 ? Double.POSITIVE_INFINITY : Math.sqrt(Math.max(0, sum)) / total,
                        unmet);
            }
        }
        return errors;
    }

    /** {@return the standard error of a marginal, on average over all} */
    public double meanError() {
        return Arrays.stream(standardErrors()).flatMapToDouble(Arrays::stream).average().orElse(0);
    }

    /** Returns log p(D) between a lower bound by these weights and a given upper one. */
    public LogEvidence logEvidence(double upper) {
        return LogEvidence.of(logWeights(), upper);
    }

    @Override
    public String toString() {
        return count + " samples, worth " + Math.round(effectiveSize()) + ", mean weight exp "
                + LogSpace.meanExp(logWeights());
    }
}
