package io.mdnf.space;

/**
 * Sums of numbers given by their logarithms, where -infinity is the logarithm of 0.
 *
 * <p>Example: {@code LogSpace.normalise(logits)} is their softmax.
 *
 * <p>Internal: it serves the other rooms and changes with them.
 */
public final class LogSpace {

    /**
     * -infinity, but finite, for logits: what cannot be chosen is lowered to this. -infinity itself would make
     * gradients NaN; this is beyond the reach of any trained logit, its exponential is 0 in 32 and 64 bits at every
     * temperature in use.
     */
    public static final double IMPOSSIBLE = -1e6;

    /** What is added to a probability so that its logarithm is finite, as published: an impossible entry costs 34.5
     * nats, and whatever is worth a code stays what it is. */
    public static final double FLOOR = 1e-15;

    private LogSpace() {
    }

    /** Returns log sum_i exp(logs_i), each below +infinity; -infinity if there is nothing to sum. */
    public static double sumExp(double... logs) {
        double max = Double.NEGATIVE_INFINITY;
        for (double log : logs) {
            max = Math.max(max, log);
        }
        if (max == Double.NEGATIVE_INFINITY) {
            return max;
        }
        double shift = max;
        return max + Math.log(CompensatedSum.over(logs.length, i -> Math.exp(logs[i] - shift)));
    }

    /** Returns the logarithm of the mean of exp(logs_i), at least one. */
    public static double meanExp(double... logs) {
        Check.that(logs.length != 0, "logs is empty: there is no mean of nothing");
        return sumExp(logs) - Math.log(logs.length);
    }

    /** Returns exp(logs_i) / sum_j exp(logs_j); at least one is finite. */
    public static double[] normalise(double... logs) {
        double[] p = logs.clone();
        normalise(p, 0, p.length);
        return p;
    }

    /**
     * Turns a part of an array, {@code from} inclusive to {@code to} exclusive, in place, from logarithms, at least
     * one of them finite, into probabilities proportional to their exponentials.
     */
    public static void normalise(double[] values, int from, int to) {
        double max = Double.NEGATIVE_INFINITY;
        for (int i = from; i < to; i++) {
            max = Math.max(max, values[i]);
        }
        if (!Double.isFinite(max)) {
            throw new IllegalArgumentException("logs have the maximum " + max + ": they cannot be normalised");
        }
        double sum = 0;
        for (int i = from; i < to; i++) {
            values[i] = values[i] == max ? 1 : Math.exp(values[i] - max);
            sum += values[i];
        }
        for (int i = from; i < to; i++) {
            values[i] /= sum;
        }
    }

    /** Returns 1 / (1 + exp(-logit)). */
    public static double sigmoid(double logit) {
        return 1 / (1 + Math.exp(-logit));
    }

    /** Returns x log x, 0 at 0. */
    public static double xLogX(double x) {
        return x > 0 ? x * Math.log(x) : 0;
    }

    /** Returns the entropy -sum_i p_i log p_i in nats. */
    public static double entropy(double... p) {
        double entropy = 0;
        for (double each : p) {
            entropy -= xLogX(each);
        }
        return entropy;
    }

    /** Refuses NaN and +infinity, which no logarithm of a probability is, naming the array. */
    public static void check(String what, double[] logs) {
        for (int i = 0; i < logs.length; i++) {
            if (Double.isNaN(logs[i]) || logs[i] == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException(
                        what + "[" + i + "] = " + logs[i] + ": must be finite, or -infinity for what is impossible");
            }
        }
    }

    /** Returns weights [n] proportional to exp(logs), summing to 1; all on the first if every one is -infinity. */
    public static double[] weights(double[] logs) {
        if (sumExp(logs) == Double.NEGATIVE_INFINITY) {
            double[] weights = new double[logs.length];
            weights[0] = 1;
            return weights;
        }
        return normalise(logs);
    }
}
