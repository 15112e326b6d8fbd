package io.mdnf.gmm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class GammaFunctionsTest {

    @Test
    void knownValuesAreExactToRounding() {
        // Gamma(1/2) = sqrt(pi), Gamma(5) = 24, Gamma(1) = Gamma(2) = 1.
        assertThat(GammaFunctions.logGamma(0.5)).isCloseTo(0.5 * Math.log(Math.PI), within(1e-14));
        assertThat(GammaFunctions.logGamma(5)).isCloseTo(Math.log(24), within(1e-14));
        assertThat(GammaFunctions.logGamma(1)).isCloseTo(0, within(1e-14));
        assertThat(GammaFunctions.logGamma(2)).isCloseTo(0, within(1e-14));
        double euler = 0.57721566490153286;
        assertThat(GammaFunctions.digamma(1)).isCloseTo(-euler, within(1e-14));
        assertThat(GammaFunctions.digamma(0.5)).isCloseTo(-euler - 2 * Math.log(2), within(1e-14));
    }

    @Test
    void logGammaOfIntegersIsTheLogOfTheFactorial() {
        double logFactorial = 0;
        for (int n = 1; n < 3000; n++) {
            logFactorial += Math.log(n);
            assertThat(GammaFunctions.logGamma(n + 1)).isCloseTo(logFactorial, within(1e-12 * (1 + logFactorial)));
        }
    }

    @Test
    void digammaIsTheDerivativeOfLogGamma() {
        for (double x = 0.01; x < 500; x *= 1.3) {
            double h = 1e-4 * x;
            // The five-point rule has error of order h^4: (1e-4)^4 relative, below the rounding of the differences.
            double derivative = (8 * (GammaFunctions.logGamma(x + h) - GammaFunctions.logGamma(x - h))
                    - GammaFunctions.logGamma(x + 2 * h) + GammaFunctions.logGamma(x - 2 * h)) / (12 * h);
            assertThat(GammaFunctions.digamma(x)).isCloseTo(derivative, within(1e-8 * (1 + 1 / x)));
        }
    }

    @Test
    void bothSidesOfTheSwitchToTheSeriesAgree() {
        // The recurrences Gamma(x + 1) = x Gamma(x) and psi(x + 1) = psi(x) + 1/x across the switch at 10.
        for (double x = 9.01; x < 10; x += 0.01) {
            assertThat(GammaFunctions.logGamma(x + 1))
                    .isCloseTo(GammaFunctions.logGamma(x) + Math.log(x), within(1e-13));
            assertThat(GammaFunctions.digamma(x + 1)).isCloseTo(GammaFunctions.digamma(x) + 1 / x, within(1e-14));
        }
    }
}
