package io.mdnf.vae;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CodePosteriorTest {

    private static final CodeSpace CODES = CodeSpace.uniform(2, 3);

    static Stream<CodePosterior> posteriors() {
        return Stream.of(
                new CodePosterior.Product(new double[] {0.5, 0.25, 0.25, 0, 0.1, 0.9}, 3),
                new CodePosterior.Atoms(new int[][] {{0, 1}, {2, 2}, {0, 1}, {1, 0}, {0, 2}}, 3));
    }

    @ParameterizedTest
    @MethodSource("posteriors")
    void whatIsDrawnIsWhatIsScored(CodePosterior q) {
        int draws = 20_000;
        int[] counts = new int[9];
        var random = new Draws(Seed.of(3)).stream("code");
        for (int i = 0; i < draws; i++) {
            counts[(int) CODES.rank(q.draw(random))]++;
        }
        double sum = 0;
        for (int[] code : CODES.all(9)) {
            double p = Math.exp(q.logProb(code));
            sum += p;
            // 5 standard deviations, 9 codes: a false alarm in 200,000 seeds
            assertThat((double) counts[(int) CODES.rank(code)] / draws)
                    .isCloseTo(p, within(5 * Math.sqrt(p * (1 - p) / draws) + 1e-12));
        }
        assertThat(sum).isCloseTo(1, within(1e-12));
    }

    @ParameterizedTest
    @MethodSource("posteriors")
    void theDivergenceIsTheSumOverAllCodes(CodePosterior q) {
        double[] logPrior = Arrays.stream(new double[] {0.2, 0.3, 0.5, 0.6, 0.3, 0.1}).map(Math::log).toArray();
        double sum = 0;
        double best = Double.NEGATIVE_INFINITY;
        for (int[] code : CODES.all(9)) {
            double logQ = q.logProb(code);
            best = Math.max(best, logQ);
            if (logQ > Double.NEGATIVE_INFINITY) {
                sum += Math.exp(logQ) * (logQ - logPrior[code[0]] - logPrior[3 + code[1]]);
            }
        }
        assertThat(q.divergence(logPrior)).isCloseTo(sum, within(1e-12));
        assertThat(q.logProb(q.mostProbable())).isEqualTo(best);
    }
}
