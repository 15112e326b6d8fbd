package io.mdnf.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CodeSpaceTest {

    private final CodeSpace space = CodeSpace.of(2, 3, 1);

    @Test
    void ranksRunThroughAllCodesWithTheLastVariableFastest() {
        assertThat(space.all(6)).isDeepEqualTo(new int[][] {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {1, 1, 0},
                {1, 2, 0}});
        for (int i = 0; i < 6; i++) {
            assertThat(space.rank(space.code(i))).isEqualTo(i);
        }
    }

    @Test
    void oneHotAndIndicesAreInverse() {
        int[][] all = space.all(6);
        double[] oneHot = space.oneHot(all);
        assertThat(oneHot).hasSize(6 * 9);
        assertThat(space.indices(oneHot)).isDeepEqualTo(all);
        double[] valid = space.validity();
        for (int i = 0; i < oneHot.length; i++) {
            assertThat(oneHot[i]).isLessThanOrEqualTo(valid[i % 9]);
        }
    }

    @Test
    void badArgumentsAreNamed() {
        assertThatThrownBy(() -> CodeSpace.of(2, 0)).hasMessageContaining("cardinalities[1] = 0");
        assertThatThrownBy(CodeSpace::of).hasMessageContaining("at least one variable");
        assertThatThrownBy(() -> CodeSpace.uniform(0, 2)).hasMessageContaining("variables = 0");
        assertThatThrownBy(() -> space.rank(new int[] {0, 3, 0})).hasMessageContaining("code[1] = 3");
        assertThatThrownBy(() -> space.check(new int[] {0})).hasMessageContaining("1 variables");
        assertThatThrownBy(() -> space.code(6)).hasMessageContaining("rank = 6");
        assertThatThrownBy(() -> CodeSpace.uniform(100, 10).sizeAtMost(1000)).hasMessageContaining("1.000e+100");
        assertThatThrownBy(() -> space.indices(new double[7])).hasMessageContaining("7 entries");
    }
}
