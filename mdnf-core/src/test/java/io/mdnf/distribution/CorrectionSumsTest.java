package io.mdnf.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.space.CodeSpace;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CorrectionSumsTest {

    /** logits += x D + relu(x W) V, looked up number by number. */
    private static double[] twin(Correction correction, CodeSpace space, int[] code) {
        int width = correction.hidden() + correction.categories();
        double[] sums = new double[width];
        int row = 0;
        for (int variable : correction.seen()) {
            for (int i = 0; i < width; i++) {
                sums[i] += correction.first()[(row + code[variable]) * width + i];
            }
            row += space.cardinality(variable);
        }
        double[] logits = new double[correction.categories()];
        for (int k = 0; k < logits.length; k++) {
            logits[k] = sums[correction.hidden() + k] + correction.first()[row * width + correction.hidden() + k];
            for (int h = 0; h < correction.hidden(); h++) {
                double unit = Math.max(0, sums[h] + correction.first()[row * width + h]);
                logits[k] += unit * correction.second()[h * logits.length + k];
            }
        }
        return logits;
    }

    @Test
    void groupsOfVariablesAddUpToWhatEachOfThemAdds() {
        Random random = new Random(5);
        for (int trial = 0; trial < 200; trial++) {
            int n = 1 + random.nextInt(9);
            CodeSpace space = CodeSpace.of(random.ints(n, 1, 6).map(k -> k == 5 ? 20 : k).toArray());
            int[] seen = IntStream.range(1, n).filter(v -> random.nextInt(4) > 0).toArray();
            int hidden = 1 + random.nextInt(3);
            int categories = space.cardinality(0);
            Correction correction = new Correction(seen, hidden, categories,
                    random.doubles((long) Correction.inputs(space, seen) * (hidden + categories), -1, 1).toArray(),
                    random.doubles((long) hidden * categories, -1, 1).toArray());
            int[] code = IntStream.range(0, n).map(v -> random.nextInt(space.cardinality(v))).toArray();
            double[] logits = new double[categories];
            new CorrectionSums(correction, space).addTo(logits, code, new double[hidden + categories]);
            assertThat(logits).containsExactly(twin(correction, space, code), within(1e-12));
        }
    }
}
