package io.mdnf.elimination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JunctionTreeTest {

    private static final int CASES = 20;

    @Test
    void evidenceMarginalsAndFactorPosteriorsAreThoseOfAllCodes() {
        Random random = new Random(1);
        for (int trial = 0; trial < 200; trial++) {
            RandomFactors drawn = RandomFactors.draw(random, 7, 0.2 * (trial % 3));
            JunctionTree tree = JunctionTree.of(drawn.space(), drawn.factors(), Long.MAX_VALUE);
            answersAreThoseOfAllCodes(random, drawn, tree);
        }
    }

    /** Factors of up to e^+-2000 between them: as numbers, most of their products are 0. */
    @Test
    void casesTooSmallForNumbersAreAnsweredInLogarithms() {
        Random random = new Random(2);
        for (int trial = 0; trial < 100; trial++) {
            RandomFactors drawn = RandomFactors.draw(random, 6, 0.2 * (trial % 3));
            List<Factor> steep = drawn.factors().stream().map(factor -> new Factor(factor.variables(),
                    Arrays.stream(factor.logTable()).map(v -> 300 * v).toArray())).toList();
            JunctionTree tree = JunctionTree.of(drawn.space(), drawn.factors(), Long.MAX_VALUE).with(steep);
            answersAreThoseOfAllCodes(random, new RandomFactors(drawn.space(), steep), tree);
        }
    }

    private static void answersAreThoseOfAllCodes(Random random, RandomFactors drawn, JunctionTree tree) {
        CodeSpace space = drawn.space();
        double[] logJoint = drawn.logJoint();
        Calibration all = tree.calibrationOfAll();
        int target = random.nextInt(space.variables());
        Calibration one = tree.calibration(target);
        int[] observed = new int[space.variables()];
        for (int i = 0; i < CASES; i++) {
            // some variables change from case to case, as in a sorted table
            for (int v = random.nextInt(observed.length); v < observed.length; v++) {
                observed[v] = random.nextBoolean() ? JunctionTree.LATENT : random.nextInt(space.cardinality(v));
            }
            double[] agreeing = IntStream.range(0, logJoint.length).mapToDouble(code ->
                    agrees(space.code(code), observed) ? logJoint[code] : Double.NEGATIVE_INFINITY).toArray();
            double logEvidence = LogSpace.sumExp(agreeing);
            assertThat(one.observe(observed)).isEqualTo(all.observe(observed));
            if (logEvidence == Double.NEGATIVE_INFINITY) {
                assertThat(all.observe(observed)).isEqualTo(logEvidence);
                assertThatThrownBy(() -> all.addPosterior(0, 1, new double[1000]))
                        .hasMessageContaining("probability 0");
                continue;
            }
            assertThat(all.observe(observed)).isCloseTo(logEvidence,
                    within(1e-11 * Math.max(1, Math.abs(logEvidence))));
            double[] p = LogSpace.normalise(agreeing);
            for (int v = 0; v < observed.length; v++) {
                assertThat(all.marginal(v)).containsExactly(sums(space, p, v), within(1e-11));
            }
            assertThat(one.marginal(target)).containsExactly(sums(space, p, target), within(1e-11));
            for (int f = 0; f < drawn.factors().size(); f++) {
                int[] scope = drawn.factors().get(f).variables();
                double[] posterior = new double[drawn.factors().get(f).logTable().length];
                all.addPosterior(f, 2, posterior);
                double[] expected = sums(space, p, scope);
                assertThat(posterior).containsExactly(Arrays.stream(expected).map(e -> 2 * e).toArray(),
                        within(1e-11));
            }
        }
    }

    private static boolean agrees(int[] code, int[] observed) {
        return IntStream.range(0, code.length)
                .allMatch(v -> observed[v] == JunctionTree.LATENT || observed[v] == code[v]);
    }

    /** Probabilities of all codes summed for each configuration of some variables. */
    private static double[] sums(CodeSpace space, double[] p, int... variables) {
        double[] sums = new double[IntStream.of(variables).map(space::cardinality).reduce(1, (a, b) -> a * b)];
        for (int i = 0; i < p.length; i++) {
            int[] code = space.code(i);
            int at = 0;
            for (int v : variables) {
                at = at * space.cardinality(v) + code[v];
            }
            sums[at] += p[i];
        }
        return sums;
    }

    @Test
    void aChainOfThousandsIsAnsweredWithoutRecursion() {
        int n = 5000;
        CodeSpace space = CodeSpace.uniform(n, 2);
        List<Factor> links = IntStream.range(1, n).mapToObj(v -> new Factor(new int[] {v - 1, v},
                new double[] {Math.log(0.9), Math.log(0.1), Math.log(0.1), Math.log(0.9)})).toList();
        Calibration chain = JunctionTree.of(space, links, Long.MAX_VALUE).calibration(n - 1);
        int[] observed = new int[n];
        Arrays.fill(observed, 1, n, JunctionTree.LATENT);
        // the first state has no factor of its own: 1 of its 2 states, of a chain of probabilities
        assertThat(chain.observe(observed)).isCloseTo(0, within(1e-9));
        assertThat(chain.marginal(n - 1)).containsExactly(new double[] {0.5, 0.5}, within(1e-9));
        observed[n - 2] = 1;
        chain.observe(observed);
        assertThat(chain.marginal(n - 1)).containsExactly(new double[] {0.1, 0.9}, within(1e-12));
    }

    @Test
    void whatIsTooLargeIsRefusedBeforeAnyTableExists() {
        CodeSpace space = CodeSpace.uniform(20, 10);
        List<Factor> pairs = IntStream.range(0, 20).boxed().flatMap(a -> IntStream.range(0, a)
                .mapToObj(b -> new Factor(new int[] {a, b}, new double[100]))).toList();
        assertThatThrownBy(() -> JunctionTree.of(space, pairs, 1L << 30)).isInstanceOf(TooLargeException.class)
                .hasMessageContaining("a junction tree");
    }

    @Test
    void wrongCasesAndQuestionsAreRefused() {
        JunctionTree tree = JunctionTree.of(CodeSpace.of(2, 3), List.of(new Factor(new int[] {0}, new double[2])),
                Long.MAX_VALUE);
        Calibration cases = tree.calibration(0);
        assertThatThrownBy(() -> cases.observe(new int[] {0})).hasMessageContaining("1 variables, the tree has 2");
        assertThatThrownBy(() -> cases.observe(new int[] {0, 3})).hasMessageContaining("observed[1] = 3");
        cases.observe(new int[] {-1, -1});
        assertThatThrownBy(() -> cases.marginal(1)).hasMessageContaining("other variables");
        assertThatThrownBy(() -> tree.with(List.of())).hasMessageContaining("not over the variables");
    }
}
