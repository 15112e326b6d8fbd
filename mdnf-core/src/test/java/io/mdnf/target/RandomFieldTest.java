package io.mdnf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RandomFieldTest {

    @Test
    void everySizeOccursAndNoneIsLarger() {
        Set<Integer> variables = new HashSet<>();
        Set<Integer> categories = new HashSet<>();
        // the chance that 200 draws miss one of 5 sizes is below 5 * 0.8^200 < 1e-18
        for (int seed = 0; seed < 200; seed++) {
            CodeSpace space = RandomField.pairwise(Seed.of(seed), 6, 4).space();
            variables.add(space.variables());
            for (int d = 0; d < space.variables(); d++) {
                categories.add(space.cardinality(d));
            }
        }
        assertThat(variables).containsExactlyInAnyOrder(2, 3, 4, 5, 6);
        assertThat(categories).containsExactlyInAnyOrder(2, 3, 4);
    }

    @Test
    void logJointHasOneStandardNormalTermPerPair() {
        // over 400 fields the log joint of one code has mean 0 and variance 6, the number of pairs of 4 variables
        double[] values = new double[400];
        for (int seed = 0; seed < values.length; seed++) {
            values[seed] = RandomField.pairwise(Seed.of(seed), CodeSpace.of(2, 3, 2, 4))
                    .logJoint(new int[][] {{1, 2, 0, 3}})[0];
        }
        double mean = Arrays.stream(values).average().orElseThrow();
        double variance = Arrays.stream(values).map(v -> v * v).average().orElseThrow();
        // four standard errors: sqrt(6 / 400) of the mean, 6 sqrt(2 / 400) of the variance; false alarms below 1e-3
        assertThat(Math.abs(mean)).isLessThan(4 * Math.sqrt(6 / 400.0));
        assertThat(Math.abs(variance - 6)).isLessThan(4 * 6 * Math.sqrt(2 / 400.0));
    }

    @Test
    void sameSeedGivesTheSameFieldAndAnotherOneAnother() {
        int[][] code = {{1, 1}};
        assertThat(at(1, code)).isEqualTo(at(1, code)).isNotEqualTo(at(2, code));
        assertThatThrownBy(() -> RandomField.pairwise(Seed.of(1), 1, 4)).hasMessageContaining("maxVariables = 1");
    }

    private static double at(long seed, int[][] code) {
        return RandomField.pairwise(Seed.of(seed), CodeSpace.of(2, 2)).logJoint(code)[0];
    }
}
