package io.mdnf.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.distribution.Conditionals;
import io.mdnf.elimination.EliminationPlan;
import io.mdnf.elimination.MiniBucketPlan;
import io.mdnf.elimination.MiniBuckets;
import io.mdnf.random.Seed;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OfferedChainsTest {

    /** 60 variables of which each must equal the next: an even q meets none of the two codes that are possible. */
    @Test
    void chainsStartThoughNothingPossibleIsDrawn() {
        CodeSpace space = CodeSpace.uniform(60, 2);
        double never = Double.NEGATIVE_INFINITY;
        FactorTarget equal = new FactorTarget(space, IntStream.range(0, 59).mapToObj(v -> new Factor(
                new int[] {v, v + 1}, new double[] {0, never, never, 0})).toList());
        int[] order = EliminationPlan.greedy(space, List.of()).order();
        Conditionals even = Conditionals.of(new MiniBuckets(space, List.of(),
                MiniBucketPlan.of(space, List.of(), order, 4)));
        OfferedChains chains = OfferedChains.start(equal, even, 20, Effort.standard().correction(), Seed.of(1));
        assertThat(chains.codes()).hasDimensions(20, 60);
        OfferedChains next = chains.next(even, OfferedChains.Offers.of(equal, even, 20, Seed.of(2)), 0, Seed.of(3));
        assertThat(next.codes()).hasDimensions(20, 60);
        assertThat(next.accepted()).isZero();
    }
}
