package io.mdnf.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FactorLogitsTest {

    private static final CodeSpace CODES = CodeSpace.of(3, 2, 4, 2, 3);
    private static final double FORBIDDEN = -5000;

    /** Factors of up to three variables, a part of their entries impossible. */
    private static List<Factor> factors(Random random, int count, double zeros) {
        List<Factor> factors = new ArrayList<>();
        for (int f = 0; f < count; f++) {
            int[] variables = Arrays.copyOf(order(random), 1 + random.nextInt(3));
            double[] table = new double[IntStream.of(variables).map(CODES::cardinality).reduce(1, (a, b) -> a * b)];
            Arrays.setAll(table, i -> random.nextDouble() < zeros ? Double.NEGATIVE_INFINITY : random.nextGaussian());
            factors.add(new Factor(variables, table));
        }
        return factors;
    }

    private static int[] order(Random random) {
        List<Integer> all = new ArrayList<>(IntStream.range(0, CODES.variables()).boxed().toList());
        Collections.shuffle(all, random);
        return all.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The plain sum of all factors. */
    private static double sum(List<Factor> factors, int[] code) {
        double sum = 0;
        for (Factor factor : factors) {
            int entry = 0;
            for (int d : factor.variables()) {
                entry = entry * CODES.cardinality(d) + code[d];
            }
            sum += factor.logTable()[entry];
        }
        return sum;
    }

    private static double[] logits(FactorLogits logits, int[] code, int variable) {
        double[] row = new double[CODES.cardinality(variable)];
        logits.add(code, variable, row);
        return row;
    }

    @Test
    void chosenLogitsSumToTheFactors() {
        Random random = new Random(1);
        for (int repeat = 0; repeat < 20; repeat++) {
            List<Factor> factors = factors(random, 6, 0);
            FactorLogits logits = FactorLogits.of(CODES, order(random), factors);
            for (int[] code : CODES.all(1000)) {
                double sum = 0;
                for (int d = 0; d < code.length; d++) {
                    sum += logits(logits, code, d)[code[d]];
                }
                assertThat(sum).isCloseTo(sum(factors, code), within(1e-12));
            }
        }
    }

    /** p(x_0) p(x_2 | x_0) p(x_1 | x_0, x_2), causes first: the softmax of the logits is each conditional itself. */
    @Test
    void inANetworkWithCausesFirstTheyAreThePrior() {
        Random random = new Random(2);
        List<Factor> conditionals = new ArrayList<>();
        for (int[] variables : new int[][] {{0}, {0, 2}, {0, 2, 1}, {2, 3}, {1, 3, 4}}) {
            int k = CODES.cardinality(variables[variables.length - 1]);
            int size = IntStream.of(variables).map(CODES::cardinality).reduce(1, (a, b) -> a * b);
            double[] table = new double[size];
            for (int row = 0; row < size; row += k) {
                double[] p = LogSpace.normalise(random.doubles(k, -2, 2).toArray());
                for (int i = 0; i < k; i++) {
                    table[row + i] = Math.log(p[i]);
                }
            }
            conditionals.add(new Factor(variables, table));
        }
        FactorLogits logits = FactorLogits.of(CODES, new int[] {0, 2, 1, 3, 4}, conditionals);
        for (int[] code : CODES.all(1000)) {
            double logP = 0;
            for (int d = 0; d < code.length; d++) {
                logP += Math.log(LogSpace.normalise(logits(logits, code, d))[code[d]]);
            }
            assertThat(logP).isCloseTo(sum(conditionals, code), within(1e-12));
        }
    }

    @Test
    void whatIsReachedOneVariableAfterTheOtherIsJustWhatIsPossible() {
        Random random = new Random(3);
        int deadEnds = 0;
        int[][] all = CODES.all(1000);
        for (int repeat = 0; repeat < 60; repeat++) {
            List<Factor> factors = factors(random, 8, 0.3);
            List<int[]> possible = Arrays.stream(all).filter(x -> sum(factors, x) > Double.NEGATIVE_INFINITY).toList();
            if (possible.isEmpty()) {
                continue;
            }
            int[] order = order(random);
            FactorLogits logits = FactorLogits.of(CODES, order, factors);
            assertThat(logits.complete()).isTrue();
            for (int[] code : all) {
                boolean reached = true;
                boolean within = true;
                for (int t = 0; t < order.length && reached; t++) {
                    double[] row = logits(logits, code, order[t]);
                    assertThat(Arrays.stream(row).max().orElseThrow()).as("something is left").isGreaterThan(FORBIDDEN);
                    reached = row[code[order[t]]] > FORBIDDEN;
                    within &= isPossibleSoFar(factors, code, Arrays.copyOf(order, t + 1));
                    deadEnds += within && !reached ? 1 : 0;
                }
                assertThat(reached).isEqualTo(possible.contains(code));
            }
        }
        // no single factor forbids these, only what comes later
        assertThat(deadEnds).isGreaterThan(100);
    }

    /** Whether no factor of these variables alone forbids a code. */
    private static boolean isPossibleSoFar(List<Factor> factors, int[] code, int[] variables) {
        List<Integer> known = Arrays.stream(variables).boxed().toList();
        return sum(factors.stream().filter(f -> IntStream.of(f.variables()).allMatch(known::contains)).toList(), code)
                > Double.NEGATIVE_INFINITY;
    }

    @Test
    void aGraphSaysTheSame() {
        Random random = new Random(4);
        List<Factor> factors = factors(random, 9, 0.2);
        int[] order = order(random);
        FactorLogits logits = FactorLogits.of(CODES, order, factors);
        int[][] all = CODES.all(1000);
        for (Precision precision : Precision.values()) {
            Graph graph = new Graph(precision);
            Tensor rows = graph.placeholder("rows", all.length, CODES.oneHotLength());
            Tensor out = logits.of(graph, rows).plus(0);
            try (ExecutionPlan plan = ExecutionPlan.forward(graph, out)) {
                plan.load(graph.layout().initial(Seed.of(1)));
                plan.write(rows, CODES.oneHot(all));
                plan.run();
                double[] values = plan.read(out);
                for (int i = 0; i < all.length; i++) {
                    for (int d = 0; d < CODES.variables(); d++) {
                        double[] row = logits(logits, all[i], d);
                        for (int k = 0; k < row.length; k++) {
                            double inGraph = values[(i * CODES.variables() + d) * CODES.width() + k];
                            // rows that say nothing are left out of the graph: only differences count
                            double first = values[(i * CODES.variables() + d) * CODES.width()];
                            // in 32 bits numbers near that of what is forbidden, -1e6, are 0.06 apart
                            boolean far = Math.min(row[k], row[0]) < FORBIDDEN;
                            double tolerance = precision == Precision.DOUBLE ? 1e-9 : far ? 0.25 : 1e-2;
                            assertThat(inGraph - first).isCloseTo(row[k] - row[0], within(tolerance));
                        }
                    }
                }
            }
        }
    }

    @Test
    void tablesThatAreTooLargeAreLeftOutAndSaidToBe() {
        CodeSpace space = CodeSpace.uniform(19, 2);
        double[] table = new double[1 << 19];
        Arrays.setAll(table, i -> i % 3 == 0 ? Double.NEGATIVE_INFINITY : 0);
        Factor large = new Factor(IntStream.range(0, 19).toArray(), table);
        Factor small = new Factor(new int[] {0, 1}, new double[] {0, 1, 1, 0});
        FactorLogits logits = FactorLogits.of(space, IntStream.range(0, 19).toArray(), List.of(large, small));
        assertThat(logits.complete()).isFalse();
        assertThat(logits.size()).isEqualTo(2);
    }
}
