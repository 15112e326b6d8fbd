package io.mdnf.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.random.Seed;
import io.mdnf.space.LogSpace;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** x_1 in {0, 1}, x_2 in {0, 1, 2} under a dependent prior; y = x_1 + x_2 is seen through noise. */
class CalibrationTest {

    private static final double[][] PRIOR = {{0.3, 0.1, 0.1}, {0.05, 0.15, 0.3}};

    private static Calibration.Case<Double> simulate(UniformRandomProvider rng) {
        double u = rng.nextDouble();
        int[] code = {1, 2};
        for (int i = 0; i < 6; i++) {
            u -= PRIOR[i / 3][i % 3];
            if (u < 0) {
                code = new int[] {i / 3, i % 3};
                break;
            }
        }
        // Logistic noise: its density is easy to write down.
        double v = rng.nextDouble();
        return new Calibration.Case<>(code, code[0] + code[1] + 0.5 * Math.log(v / (1 - v)));
    }

    /** The exact posterior, or one whose log likelihood is multiplied by a factor: over- or underconfident. */
    private static double[][] posterior(double y, double confidence) {
        double[] logs = new double[6];
        for (int i = 0; i < 6; i++) {
            double z = (y - i / 3 - i % 3) / 0.5;
            logs[i] = Math.log(PRIOR[i / 3][i % 3]) + confidence * (-z - 2 * Math.log1p(Math.exp(-z)));
        }
        double[] p = LogSpace.normalise(logs);
        return new double[][] {{p[0] + p[1] + p[2], p[3] + p[4] + p[5]}, {p[0] + p[3], p[1] + p[4], p[2] + p[5]}};
    }

    /** The p-value of a right posterior is uniform: 200 of them below 0.1 are Binomial(200, 0.1), 20 +- 4 * 4.2. */
    @Test
    @Tag("slow")
    void theFalseAlarmRateIsTheStatedOne() {
        int alarms = 0;
        for (int i = 0; i < 200; i++) {
            Calibration.Result result = Calibration.check(50, 5, CalibrationTest::simulate, y -> posterior(y, 1),
                    Seed.of(30).fold(i));
            alarms += result.calibrated(0.1) ? 0 : 1;
        }
        assertThat(alarms).isBetween(3, 37);
    }

    /** Seeds are fixed; for other seeds the first line fails once in 1,000 times. */
    @Test
    @Tag("slow")
    void wrongPosteriorsAreFoundAndTheRightOnePasses() {
        Seed seed = Seed.of(31);
        Calibration.Result right = Calibration.check(2000, 10, CalibrationTest::simulate, y -> posterior(y, 1), seed);
        assertThat(right.calibrated(0.001)).isTrue();
        assertThat(right.sentence()).contains("agree with how often", "2000 simulated cases");
        for (double confidence : new double[] {0.4, 2}) {
            Calibration.Result wrong = Calibration.check(2000, 10, CalibrationTest::simulate,
                    y -> posterior(y, confidence), seed);
            assertThat(wrong.pValue()).isLessThan(0.001);
            assertThat(wrong.sentence()).contains("do not agree");
        }
    }

    @Test
    void theBinsHoldAllCasesAndShowTheError() {
        Calibration.Result result = Calibration.check(1000, 4, CalibrationTest::simulate, y -> posterior(y, 4),
                Seed.of(32));
        assertThat(result.bins()).hasSize(4);
        assertThat(result.bins().stream().mapToInt(Calibration.Bin::cases).sum()).isEqualTo(1000);
        Calibration.Bin sure = result.bins().get(3);
        assertThat(sure.predicted()).isBetween(0.75, 1.0);
        // An overconfident posterior: what it is sure of happens less often than it says.
        assertThat(sure.observed()).isLessThan(sure.predicted() - 4 * sure.standardError());
    }

    @Test
    void whatWasCalledImpossibleAndHappensIsRejected() {
        Calibration.Result result = Calibration.check(100, 10, CalibrationTest::simulate,
                y -> new double[][] {{1, 0}, {1, 0, 0}}, Seed.of(33));
        assertThat(result.pValue()).isEqualTo(1 / 10_000.0);
    }

    @Test
    void badArgumentsAreNamed() {
        assertThatThrownBy(() -> Calibration.check(0, 1, CalibrationTest::simulate, y -> posterior(y, 1), Seed.of(1)))
                .hasMessageContaining("cases = 0");
        double[][] bad = {{2, 2}, {2, 2, 2}};
        assertThatThrownBy(() -> Calibration.check(1, 1, CalibrationTest::simulate, y -> bad, Seed.of(1)))
                .hasMessageContaining("= 2.0: not a probability");
    }
}
