package io.mdnf.evaluation;

/** Sums of numbers given by their logarithms, where -infinity is the logarithm of 0. */
public final class LogSpace {

    private LogSpace() {
    }

    /**
     * log sum_i exp(logs_i).
     *
     * @param logs logarithms, each below +infinity
     * @return the logarithm of the sum; -infinity if there is nothing to sum
     */
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

    /**
     * log of the mean of exp(logs_i).
     *
     * @param logs logarithms, at least one
     * @return the logarithm of the mean
     */
    public static double meanExp(double... logs) {
        if (logs.length == 0) {
            throw new IllegalArgumentException("logs is empty: there is no mean of nothing");
        }
        return sumExp(logs) - Math.log(logs.length);
    }

    /**
     * Probabilities proportional to exp(logs_i).
     *
     * @param logs logarithms, at least one of them finite
     * @return exp(logs_i) / sum_j exp(logs_j)
     */
    public static double[] normalise(double... logs) {
        double total = sumExp(logs);
        if (!Double.isFinite(total)) {
            throw new IllegalArgumentException("logs have the sum exp(" + total + "): they cannot be normalised");
        }
        double[] p = new double[logs.length];
        for (int i = 0; i < p.length; i++) {
            p[i] = Math.exp(logs[i] - total);
        }
        return p;
    }

    /** Refuses NaN and +infinity, which no logarithm of a probability is. */
    static void check(String what, double[] logs) {
        for (int i = 0; i < logs.length; i++) {
            if (Double.isNaN(logs[i]) || logs[i] == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException(
                        what + "[" + i + "] = " + logs[i] + ": must be finite, or -infinity for what is impossible");
            }
        }
    }
}
