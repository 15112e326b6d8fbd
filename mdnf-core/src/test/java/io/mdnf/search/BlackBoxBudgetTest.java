package io.mdnf.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.distribution.Product;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.TargetModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What searches may evaluate of a target that has no factors, where each evaluation costs the whole log joint. */
class BlackBoxBudgetTest {

    private static final CodeSpace SPACE = CodeSpace.uniform(20, 4);

    /** A chain of couplings, with its factors hidden, which counts what is asked of it. */
    private static final class Counting implements TargetModel {
        private final FactorTarget chain = chain();
        private long evaluations;

        @Override
        public CodeSpace space() {
            return SPACE;
        }

        @Override
        public double[] logJoint(int[][] codes) {
            evaluations += codes.length;
            return chain.logJoint(codes);
        }
    }

    private static FactorTarget chain() {
        List<Factor> factors = new ArrayList<>();
        for (int d = 1; d < 20; d++) {
            factors.add(new Factor(new int[] {d - 1, d}, new Draws(Seed.of(d)).normal("coupling", 16)));
        }
        return new FactorTarget(SPACE, factors);
    }

    private static int[] changed(int[][] before, int[][] after) {
        return IntStream.range(0, 20).filter(d -> IntStream.range(0, before.length)
                .anyMatch(i -> before[i][d] != after[i][d])).toArray();
    }

    /** Whole sweeps of the chains while a network learns made nine tenths of all evaluations of a fit. */
    @Test
    void aBatchMovesAsManyVariablesAsItMayEvaluate() {
        Counting target = new Counting();
        Product start = Product.uniform(SPACE);
        Examples examples = new Examples(target, Support.of(target), start, 1, 12);
        int[][] codes = start.sample(100, Seed.of(1));
        target.evaluations = 0;
        int[][] next = examples.next(codes, Seed.of(2));
        // 4 variables of 3 other categories, and the codes themselves
        assertThat(target.evaluations).isEqualTo(100 * (12 + 1));
        assertThat(changed(codes, next)).hasSize(4);
        assertThat(changed(next, examples.next(next, Seed.of(3)))).isNotEqualTo(changed(codes, next));
        FactorTarget open = chain();
        Examples cheap = new Examples(open, Support.of(open), start, 1, 12);
        assertThat(changed(codes, cheap.next(codes, Seed.of(2)))).hasSize(20);
    }

    /** Some variables at a time, the chains still follow the posterior: their bits agree as often as they should. */
    @Test
    void partialSweepsKeepThePosterior() {
        CodeSpace bits = CodeSpace.uniform(2, 2);
        TargetModel pair = new TargetModel() {
            @Override
            public CodeSpace space() {
                return bits;
            }

            @Override
            public double[] logJoint(int[][] codes) {
                return Arrays.stream(codes).mapToDouble(x -> x[0] == x[1] ? Math.log(4) : 0).toArray();
            }
        };
        int[][] codes = new int[4000][2];
        Examples examples = new Examples(pair, Support.of(pair), Product.uniform(bits), 1, 1);
        for (int step = 0; step < 40; step++) {
            codes = examples.next(codes, Seed.of(step));
        }
        double equal = Arrays.stream(codes).filter(x -> x[0] == x[1]).count() / 4000.0;
        // standard error 0.006: out of 4 of them once in 16,000 seeds
        assertThat(equal).isBetween(0.8 - 0.025, 0.8 + 0.025);
    }

    @Test
    void searchesKeepTheirBudgets() {
        Effort all = Effort.standard();
        Effort.Atoms a = all.atoms();
        Effort.Products p = all.products();
        Effort few = new Effort(new Effort.Atoms(a.chains(), a.sweeps(), 20_000, a.climbSweeps(), a.climbers(),
                a.elite(), a.pairs(), a.impossiblePairs(), a.pairPatience(), a.quietRounds(), a.quietAmongZeros(),
                a.budget(), 100_000),
                new Effort.Products(p.leastStarts(), p.mostStarts(), p.hits(), p.same(), p.kept(), p.gridOrders(),
                        p.guides(), p.tolerance(), p.fineTolerance(), p.sweeps(), p.sampledStarts(), p.sampledSweeps(),
                        p.sampledTolerance(), p.roughSamples(), p.finalists(), 64, 128, p.fineSweeps(), 256,
                        p.repairs(), 50_000),
                all.learning(), all.messages(), all.correction(), all.fitting());
        Counting target = new Counting();
        Findings findings = new Findings(target, Support.of(target), 1000, 10, few, Seed.of(1));
        FoundCodes codes = findings.codes();
        // what is under way when the budget is spent is finished: at most a round of chains
        assertThat(target.evaluations).isBetween(100_000L, 160_000L).isEqualTo(codes.evaluations());
        assertThat(codes.stable()).isFalse();
        target.evaluations = 0;
        FoundProduct product = findings.product();
        assertThat(product.starts()).isBetween(1, p.sampledStarts() - 1);
        assertThat(target.evaluations).isLessThan(400_000);
    }
}
