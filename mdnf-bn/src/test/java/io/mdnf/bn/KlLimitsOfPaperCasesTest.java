package io.mdnf.bn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.evaluation.KlLimits;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The limits on the networks of the paper, computed independently in another language (mean field there from thousands
 * of restarts) and printed with four digits.
 */
class KlLimitsOfPaperCasesTest {

    private static final int[] ATOMS = {1, 2, 5, 10, 20, 40, 100};
    private static final double PRINTED = 0.00006;

    private static KlLimits limits(String network, String observed) {
        Evidence evidence = Evidence.parse(BuiltInNetworks.open(network), observed);
        return KlLimits.of(CodeSpace.of(evidence.latentCardinalities()), Enumerated.logJoints(evidence));
    }

    private static double[] numbers(String text) {
        return Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sachs      | Akt=LOW           | 3.5329 2.8946 2.1761 1.6788 1.2859 1.0195 0.7311
            sachs      | Akt=HIGH          | 2.4318 1.9459 1.2680 0.8482 0.5763 0.4690 0.2983
            asia       | asia=yes          | 1.2678 0.7583 0.3331 0.2681 0.1677 0.0890 0.0329
            asia       | asia=yes,xray=yes | 1.7530 1.3243 0.6800 0.3402 0.1610 0.0826 0.0138
            earthquake | MaryCalls=True    | 0.8301 0.3678 0.1467 0.1258 0.0612 0.0185 0.0070
            earthquake | MaryCalls=False   | 0.0713 0.0713 0.0713 0.0406 0.0200 0.0102 0.0068
            cancer     | Cancer=True       | 0.8979 0.5142 0.3779 0.2067 0.0731 0.0360 0.0124
            cancer     | Cancer=False      | 1.0312 0.7617 0.3210 0.2100 0.0852 0.0395 0.0105
            """)
    void equalAtomsReachThePrintedLimits(String network, String observed, String expected) {
        KlLimits limits = limits(network, observed);
        for (int i = 0; i < ATOMS.length; i++) {
            assertThat(limits.equalAtoms(ATOMS[i]).kl()).isCloseTo(numbers(expected)[i], within(PRINTED));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sachs      | Akt=LOW           | 3.5329 2.8931 2.1606 1.6489 1.2177 0.8965 0.5663
            sachs      | Akt=HIGH          | 2.4318 1.9246 1.2355 0.7853 0.4672 0.3026 0.1229
            asia       | asia=yes          | 1.2678 0.7415 0.2503 0.1134 0.0236 0.0010 0
            asia       | asia=yes,xray=yes | 1.7530 1.2897 0.6365 0.2491 0.0374 0 0
            earthquake | MaryCalls=True    | 0.8301 0.3414 0.0602 0.0012 0 0 0
            earthquake | MaryCalls=False   | 0.0713 0.0200 0.0021 0.0001 0 0 0
            cancer     | Cancer=True       | 0.8979 0.4671 0.2009 0.0308 0 0 0
            cancer     | Cancer=False      | 1.0312 0.6745 0.2100 0.0434 0 0 0
            """)
    void freeAtomsReachThePrintedLimits(String network, String observed, String expected) {
        KlLimits limits = limits(network, observed);
        for (int i = 0; i < ATOMS.length; i++) {
            assertThat(limits.freeAtoms(ATOMS[i]).kl()).isCloseTo(numbers(expected)[i], within(PRINTED));
        }
    }

    /** The last column is the best product of multiples of 1/20, printed with three digits. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sachs      | Akt=LOW           | -0.4952913597643 | 0.708050  | 0.758
            sachs      | Akt=HIGH          | -2.5228321518595 | 0.219897  | 0.251
            asia       | asia=yes          | -4.6051701859881 | 0.464291  | 0.466
            asia       | asia=yes,xray=yes | -6.5355539949067 | 1.037149  | 1.042
            earthquake | MaryCalls=True    | -3.8575917346425 | 0.753322  | 0.779
            earthquake | MaryCalls=False   | -0.0213449900864 | 0.004906  | 0.020
            cancer     | Cancer=True       | -4.4541673124516 | 0.078260  | 0.079
            cancer     | Cancer=False      | -0.0116981574125 | 2.447e-08 | 0.0001
            """)
    @Tag("slow")
    void productsReachThePrintedLimits(String network, String observed, double logEvidence, double meanField,
                                       double grid) {
        KlLimits limits = limits(network, observed);
        // Sachs' tables sum to 1 only within 1e-7, and the reader normalises them.
        assertThat(limits.logEvidence()).isCloseTo(logEvidence, within(network.equals("sachs") ? 1e-7 : 1e-12));
        List<KlLimits.Limit> found = limits.products(24, Seed.of(1));
        assertThat(found.get(0).kl()).isCloseTo(meanField, within(1e-6)).isPositive();
        assertThat(limits.gridProduct(20, found).kl()).isCloseTo(grid, within(0.0006));
    }
}
