package io.mdnf.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.distribution.Atoms;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Tensor;
import io.mdnf.distribution.Conditionals;
import io.mdnf.elimination.MiniBucketPlan;
import io.mdnf.elimination.MiniBuckets;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.space.LogSpace;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.FunctionTarget;
import io.mdnf.target.RandomField;
import io.mdnf.target.TargetModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ChainsTest {

    private static final int CHAINS = 20_000;
    private static final double NO = Double.NEGATIVE_INFINITY;

    /** How often independent codes would be this far from p or farther. */
    private static double pValue(CodeSpace space, int[][] codes, double[] p) {
        double[] counts = new double[p.length];
        for (int[] code : codes) {
            counts[(int) space.rank(code)]++;
        }
        double statistic = 0;
        int cells = 0;
        for (int i = 0; i < p.length; i++) {
            if (p[i] == 0) {
                assertThat(counts[i]).isZero();
            } else {
                double expected = p[i] * codes.length;
                statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
                cells++;
            }
        }
        return ChiSquaredDistribution.of(cells - 1).survivalProbability(statistic);
    }

    private static double[] tempered(TargetModel target, double beta) {
        double[] logJoint = target.logJoint(target.space().all(1000));
        return LogSpace.normalise(Arrays.stream(logJoint).map(l -> beta * l).toArray());
    }

    /** Factors serve their conditionals by themselves, a black box by log joints: both must give the same law. */
    private static List<TargetModel> targets() {
        FactorTarget field = RandomField.pairwise(Seed.of(4), CodeSpace.of(2, 3, 2, 3));
        return List.of(field, new FunctionTarget(field.space(), x -> field.logJoint(new int[][] {x})[0]));
    }

    /** Chains are independent, so a right kernel fails with probability 0.001 for a fresh seed; this one is fixed. */
    @Test
    @Tag("slow")
    void sweepsKeepTheirLawAtEveryTemperature() {
        for (TargetModel target : targets()) {
            for (double beta : new double[] {0.5, 1, 2}) {
                double[] p = tempered(target, beta);
                int[][] start = new Atoms(target.space(), target.space().all(1000), p).sample(CHAINS, Seed.of(6));
                int[] first = start[0].clone();
                Chains chains = new Chains(target, start, Seed.of(7).generator());
                chains.sweep(beta);
                chains.sweep(beta);
                assertThat(pValue(target.space(), chains.codes(), p)).isGreaterThan(0.001);
                assertThat(chains.values()).containsExactly(target.logJoint(chains.codes()), Offset.offset(1e-9));
                assertThat(start[0]).as("the codes given").isEqualTo(first);
            }
        }
    }

    /** False alarm 0.001 for a fresh seed; at this temperature 60 sweeps forget where they started. */
    @Test
    @Tag("slow")
    void sweepsForgetWhereTheyStarted() {
        TargetModel target = targets().get(0);
        Chains chains = new Chains(target, new int[CHAINS][4], Seed.of(7).generator());
        for (int s = 0; s < 60; s++) {
            chains.sweep(0.5);
        }
        assertThat(pValue(target.space(), chains.codes(), tempered(target, 0.5))).isGreaterThan(0.001);
    }

    /** From the posterior itself one sweep leads to the posterior: false alarm 0.001 for a fresh seed. */
    @Test
    void sweepsKeepThePosterior() {
        TargetModel target = targets().get(0);
        int[][] exact = FoundCodes.listed(target).atoms().sample(CHAINS, Seed.of(1));
        Chains chains = new Chains(target, exact, Seed.of(2).generator());
        chains.sweep(1);
        assertThat(pValue(target.space(), chains.codes(), tempered(target, 1))).isGreaterThan(0.001);
    }

    @Test
    void annealingEndsAtTheModeAndClimbingComesToRest() {
        TargetModel target = targets().get(0);
        int[] mode = FoundCodes.listed(target).codes()[0];
        Chains chains = new Chains(target, Chains.randomCodes(target.space(), 50, Seed.of(3).generator()),
                Seed.of(4).generator());
        chains.anneal(0.1, 4, 40);
        chains.climb(50);
        assertThat(chains.sweep(Double.POSITIVE_INFINITY)).isFalse();
        long there = Arrays.stream(chains.codes()).filter(code -> Arrays.equals(code, mode)).count();
        assertThat(there).isGreaterThan(25);
    }

    /** x_0 is free, all others copy it: from a mixed code no single change helps, and inf - inf kept offers from it. */
    @Test
    void offersLeadAwayFromImpossibleCodes() {
        CodeSpace space = CodeSpace.uniform(12, 3);
        List<Factor> factors = new ArrayList<>(List.of(new Factor(new int[] {0}, new double[] {0, 1, 2})));
        double[] copy = new double[9];
        Arrays.setAll(copy, i -> i % 4 == 0 ? 0 : NO);
        for (int d = 1; d < 12; d++) {
            factors.add(new Factor(new int[] {d - 1, d}, copy));
        }
        FactorTarget target = new FactorTarget(space, factors);
        int[][] mixed = new int[CHAINS / 10][];
        Arrays.setAll(mixed, i -> new int[] {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2});
        assertThat(new Chains(target, mixed, Seed.of(5).generator()).metImpossible()).isTrue();
        Conditionals q = Conditionals.of(new MiniBuckets(space, factors, MiniBucketPlan.of(space,
                factors.stream().map(Factor::variables).toList(), IntStream.range(0, 12).toArray(), 9)));
        OfferedChains chains = new OfferedChains(target, mixed, 0).next(q,
                OfferedChains.Offers.of(target, q, mixed.length, Seed.of(6)), 0, Seed.of(6));
        assertThat(target.logJoint(chains.codes())).doesNotContain(NO);
        for (int i = 0; i < 30; i++) {
            Seed own = Seed.of(7 + i);
            chains = chains.next(q, OfferedChains.Offers.of(target, q, mixed.length, own), 0, own);
        }
        double[] p = LogSpace.normalise(0, 1, 2);
        int[][] first = Arrays.stream(chains.codes()).map(code -> new int[] {code[0]}).toArray(int[][]::new);
        assertThat(pValue(CodeSpace.of(3), first, p)).isGreaterThan(0.001);
    }

    /** One call of the target serves all chains: a native call a chain and variable took minutes. */
    @Test
    void oneCallServesAllChains() {
        int[] calls = {0};
        CodeSpace space = CodeSpace.uniform(6, 3);
        FunctionTarget values = new FunctionTarget(space, x -> x[0]);
        TargetModel counting = new CountingTarget(values, calls);
        Chains chains = new Chains(counting, new int[100][6], Seed.of(1).generator());
        chains.sweep(1);
        assertThat(calls[0]).isEqualTo(1 + 6);
    }

    private record CountingTarget(TargetModel values, int[] calls) implements TargetModel {
        @Override
        public CodeSpace space() {
            return values.space();
        }

        @Override
        public double[] logJoint(int[][] codes) {
            calls[0]++;
            return values.logJoint(codes);
        }

        @Override
        public boolean isDifferentiable() {
            return false;
        }

        @Override
        public Tensor logJoint(Graph graph, Tensor codes) {
            throw new IllegalStateException("no graph");
        }
    }
}
