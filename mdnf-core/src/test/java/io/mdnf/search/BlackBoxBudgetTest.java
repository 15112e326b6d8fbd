package io.mdnf.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.distribution.Conditionals;
import io.mdnf.distribution.Product;
import io.mdnf.elimination.LogTable;
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
        int[][] codes = Product.uniform(SPACE).sample(100, Seed.of(1));
        // what a chain stands on is never offered, so that sweeps alone move it
        Conditionals nothing = fixed(SPACE);
        target.evaluations = 0;
        int[][] next = moved(target, codes, nothing, 12, 2);
        // 4 variables of 3 other categories, the codes themselves, and what they are offered
        assertThat(target.evaluations).isEqualTo(100 * (12 + 2));
        assertThat(changed(codes, next)).hasSize(4);
        assertThat(changed(next, moved(target, next, nothing, 12, 3)))
                .isNotEqualTo(changed(codes, next));
        assertThat(changed(codes, moved(chain(), codes, nothing, 12, 2)))
                .hasSize(20);
    }

    private static int[][] moved(TargetModel target, int[][] codes, Conditionals q, int evaluations, int seed) {
        return new OfferedChains(target, codes, 0).next(q, OfferedChains.Offers.of(target, q, codes.length,
                Seed.of(seed)), evaluations, Seed.of(seed)).codes();
    }

    /** Conditionals that draw 0 alone, next to nothing else. */
    private static Conditionals fixed(CodeSpace space) {
        double[] first = new double[space.width()];
        Arrays.fill(first, -1e3);
        first[0] = 0;
        return new Conditionals(space, IntStream.range(0, space.variables()).toArray(),
                IntStream.range(0, space.variables()).mapToObj(d -> List.of(new LogTable(new int[] {d},
                        new int[] {space.width()}, first))).toList());
    }

    /** Some variables at a time, the chains still follow the posterior: their bits agree as often as they should. */
    @Test
    void offersAndPartialSweepsKeepThePosterior() {
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
        Conditionals offers = new Conditionals(bits, new int[] {0, 1}, List.of(
                List.of(new LogTable(new int[] {0}, new int[] {2}, new double[] {0, 1})),
                List.of(new LogTable(new int[] {1}, new int[] {2}, new double[] {-1, 0}))));
        for (int step = 0; step < 40; step++) {
            codes = moved(pair, codes, offers, 1, step);
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
        Searches searches = new Searches(target, Support.of(target), 1000, 10, few, Seed.of(1));
        FoundCodes codes = searches.codes();
        // what is under way when the budget is spent is finished: at most a round of chains
        assertThat(target.evaluations).isBetween(100_000L, 160_000L).isEqualTo(codes.evaluations());
        assertThat(codes.stable()).isFalse();
        target.evaluations = 0;
        FoundProduct product = searches.product();
        assertThat(product.starts()).isBetween(1, p.sampledStarts() - 1);
        assertThat(target.evaluations).isLessThan(400_000);
    }
}
