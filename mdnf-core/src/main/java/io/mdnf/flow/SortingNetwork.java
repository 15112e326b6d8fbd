package io.mdnf.flow;

import io.mdnf.graph.Initialiser;
import io.mdnf.network.DirectLogits;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.List;

/**
 * Stacks of trainable swaps (partial flows with K' = 2) laid out as a sorting network: some setting of the swaps
 * reaches every permutation of the categories, because the network could sort it.
 *
 * <p>Example: {@code SortingNetwork.bubble(CodeSpace.uniform(1, 7), 1, Initialiser.normal(1))} has
 * 7 * 6 / 2 = 21 layers.
 */
public final class SortingNetwork {

    private SortingNetwork() {}

    /** Bubble sort of uniform codes: K (K - 1) / 2 swaps of neighbours, each with first logits of shape [B, D, 2]. */
    public static VariableWiseStack bubble(CodeSpace space, int components, Initialiser first) {
        return stack(space, components, first, bubblePairs(space.width()));
    }

    /**
     * Batcher's bitonic sort of uniform codes, O(K log^2 K) swaps, each with first logits of shape [B, D, 2], for any
     * K: the network of the next power of two without the comparisons that touch categories beyond K, in the form whose
     * comparisons all point the same way.
     */
    public static VariableWiseStack bitonic(CodeSpace space, int components, Initialiser first) {
        return stack(space, components, first, bitonicPairs(space.width()));
    }

    private static VariableWiseStack stack(CodeSpace space, int components, Initialiser first, List<int[]> pairs) {
        Check.that(space.isUniform() && space.width() >= 2, space,
                ": a sorting network needs equal variables with at least 2 categories");
        CodeSpace two = CodeSpace.uniform(space.variables(), 2);
        return new VariableWiseStack(pairs.stream().<VariableWiseFlow>map(
                pair -> new PartialFlow(space, new DirectLogits(two, components, first), pair)).toList());
    }

    /** The comparisons (i, i + 1) of bubble sort. */
    public static List<int[]> bubblePairs(int categories) {
        List<int[]> pairs = new ArrayList<>();
        for (int end = categories - 1; end >= 1; end--) {
            for (int i = 0; i < end; i++) {
                pairs.add(new int[] {i, i + 1});
            }
        }
        return pairs;
    }

    /** The comparisons (i, j), i &lt; j, of bitonic sort: a merge compares mirror images in its block, then halves. */
    public static List<int[]> bitonicPairs(int categories) {
        List<int[]> pairs = new ArrayList<>();
        int power = Integer.highestOneBit(Math.max(1, categories - 1)) * 2;
        for (int block = 2; block <= power; block *= 2) {
            for (int start = 0; start < power; start += block) {
                for (int i = 0; i < block / 2; i++) {
                    add(pairs, start + i, start + block - 1 - i, categories);
                }
            }
            for (int half = block / 4; half >= 1; half /= 2) {
                for (int i = 0; i < power; i++) {
                    if (i / half % 2 == 0) {
                        add(pairs, i, i + half, categories);
                    }
                }
            }
        }
        return pairs;
    }

    private static void add(List<int[]> pairs, int low, int high, int categories) {
        if (high < categories) {
            pairs.add(new int[] {low, high});
        }
    }
}
