package io.mdnf.gmm;

/** log Gamma and digamma for positive arguments: shifted above 10 by the recurrence, then the Stirling series. */
final class GammaFunctions {
    private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);
    /** Where six terms of either series are exact to double precision. */
    private static final double LARGE = 10;

    private GammaFunctions() {
    }

    static double logGamma(double x) {
        double product = 1;
        double y = x;
        while (y < LARGE) {
            product *= y;
            y += 1;
        }
        double u = 1 / (y * y);
        double series = (1.0 / 12 + u * (-1.0 / 360 + u * (1.0 / 1260 + u * (-1.0 / 1680
                + u * (1.0 / 1188 + u * (-691.0 / 360360 + u / 156)))))) / y;
        return (y - 0.5) * Math.log(y) - y + HALF_LOG_TWO_PI + series - Math.log(product);
    }

    static double digamma(double x) {
        double sum = 0;
        double y = x;
        while (y < LARGE) {
            sum -= 1 / y;
            y += 1;
        }
        double u = 1 / (y * y);
        double series = u * (1.0 / 12 - u * (1.0 / 120 - u * (1.0 / 252 - u * (1.0 / 240
                - u * (1.0 / 132 - u * (691.0 / 32760 - u / 12))))));
        return sum + Math.log(y) - 0.5 / y - series;
    }
}
