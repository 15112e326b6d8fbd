package io.mdnf.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mdnf.experiments.Reordering.Outcome;
import io.mdnf.experiments.Reordering.Training;
import io.mdnf.flow.SortingNetwork;
import io.mdnf.graph.Initialiser;
import io.mdnf.random.Seed;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReorderingTest {

    @Test
    @Tag("slow")
    void swapsInSortingOrderRecoverEveryOrderOfFour() {
        Reordering task = new Reordering(4, 20, Seed.of(1));
        Outcome outcome = task.train(flows -> SortingNetwork.bubble(task.space(), flows, Initialiser.normal(1)),
                Training.SEARCHING, false);
        assertThat(outcome.solved()).isEqualTo(20);
        assertThat(outcome.medianIterations()).isBetween(0.0, 500.0);
    }

    @Test
    @Tag("slow")
    void layerByLayerASortingNetworkSortsWithoutRestarts() {
        Reordering task = new Reordering(7, 40, Seed.of(4));
        Outcome outcome = task.train(flows -> SortingNetwork.bubble(task.space(), flows, PartialFlows::off),
                Training.LAYERWISE, false);
        assertThat(outcome.solved()).isEqualTo(40);
        // 21 layers of 50 iterations
        assertThat(Arrays.stream(outcome.solvedAt()).max().orElseThrow()).isLessThanOrEqualTo(21 * 50);
    }

    @Test
    void theShareOfOrdersThatAffineMapsReachIsTheCeiling() {
        // K (K - 1) of K! orders are affine: 20 of 120, so of 3000 random ones 500 with standard deviation 20.4; four
        // of them are passed once in 16,000 seeds.
        assertThat(new Reordering(5, 3000, Seed.of(2)).solvableByAffineMaps()).isBetween(500 - 82, 500 + 82);
    }

    @Test
    void thePublishedTestPassesTheRightOrderOftenAndAWrongOneSometimes() {
        SortednessTest test = new SortednessTest(1000, Seed.of(3));
        double[] right = {1 / 15.0, 2 / 15.0, 3 / 15.0, 4 / 15.0, 5 / 15.0};
        // The exact value is 0.996; 500 repetitions have standard deviation 0.003.
        assertThat(test.passes(right)).isCloseTo(0.996, within(0.012));
        double[] swapped = right.clone();
        swapped[4] = right[3];
        swapped[3] = right[4];
        // The difference 1/15 is 2.8 standard deviations, so a false success is rare but happens.
        assertThat(test.passes(swapped)).isBetween(0.0, 0.03);
        double[] reversed = {right[4], right[3], right[2], right[1], right[0]};
        assertThat(test.passes(reversed)).isZero();
        assertThat(Arrays.stream(right).sum()).isCloseTo(1, within(1e-12));
    }
}
