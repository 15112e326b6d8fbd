package io.mdnf.graph;

import io.mdnf.graph.BlockStep.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes few large calls of many small ones: element-wise operations and sums within short rows that follow each other
 * become one {@link BlockCall}.
 *
 * <p>On the CPU and in float. In double, which is there to be exact, and on devices every call stays ND4J's.
 */
final class Fusion {

    /** Elements of a call's widest row: so few that a block has several rows. */
    static final int WIDEST = 512;

    /** Elements of arrays that are still in a cache when the next call reads them. */
    private static final int CACHED = 1 << 16;

    /** What takes ND4J as long as so many passes over memory; anything else is one. */
    private static final Map<Kind, Integer> DEAR =
            Map.of(Kind.EXP, 5, Kind.LOG, 5, Kind.SIGMOID, 9, Kind.SOFTPLUS, 15, Kind.SOFTMAX, 20,
                    Kind.ARGMAX_ONE_HOT, 3, Kind.ROW_SUMS, 2, Kind.PRODUCT, 3);

    /** Calls that are steps, and may still grow. */
    private record Region(List<PlanCompiler.Call> calls, Set<Long> written) {
        List<BlockStep> steps() {
            return calls.stream().map(PlanCompiler.Call::step).toList();
        }

        /** Whether the steps save more passes over memory than it takes to copy blocks from it and back. */
        boolean pays(long stored) {
            long loaded = steps().stream().flatMap(step -> Arrays.stream(step.inputs())).map(BlockCall::address)
                    .filter(address -> !written.contains(address)).distinct().count();
            int passes = steps().stream().mapToInt(step -> DEAR.getOrDefault(step.kind(), 1)).sum();
            return passes > loaded + stored
                    || steps().stream().mapToLong(BlockStep::longest).max().orElseThrow() <= CACHED;
        }

        boolean takes(BlockStep step) {
            List<BlockStep> more = Stream.concat(steps().stream(), Stream.of(step)).toList();
            long longest = more.stream().mapToLong(BlockStep::longest).max().orElseThrow();
            return longest / BlockCall.commonRows(more) <= WIDEST;
        }
    }

    private final List<PlanCompiler.Call> fused = new ArrayList<>();
    private final List<Region> open = new ArrayList<>();
    private final Set<Long> passing = new HashSet<>();
    /** How many calls read an address. */
    private final Map<Long, Long> readers;
    private final Set<Long> results;

    /** Takes calls in order, and the addresses that are read after a run. */
    Fusion(List<PlanCompiler.Call> calls, Set<Long> results) {
        this.results = results;
        this.readers = calls.stream().flatMap(call -> call.reads().stream().distinct())
                .collect(Collectors.groupingBy(address -> address, Collectors.counting()));
        calls.forEach(this::add);
        List.copyOf(open).forEach(this::close);
    }

    /** The calls with those that are steps put together, in an order in which inputs come first. */
    List<PlanCompiler.Call> calls() {
        return fused;
    }

    /** Addresses that only steps of one call write and read, so that nothing is ever stored there. */
    Set<Long> passing() {
        return passing;
    }

    private void add(PlanCompiler.Call call) {
        BlockStep step = call.step();
        Region home = step == null ? null
                : open.stream().filter(region -> region.takes(step)).findFirst().orElse(null);
        for (Region region : List.copyOf(open)) {
            if (region != home && call.reads().stream().anyMatch(region.written()::contains)) {
                close(region);
            }
        }
        if (step == null) {
            fused.add(call);
            return;
        }
        if (home == null) {
            home = new Region(new ArrayList<>(), new HashSet<>());
            open.add(home);
        }
        home.calls().add(call);
        home.written().add(BlockCall.address(step.output()));
    }

    private void close(Region region) {
        open.remove(region);
        Map<Long, Long> inside = region.steps().stream()
                .flatMap(step -> Arrays.stream(step.inputs()).map(BlockCall::address).distinct())
                .collect(Collectors.groupingBy(address -> address, Collectors.counting()));
        Set<Long> stored = region.written().stream().filter(address -> results.contains(address)
                || !readers.getOrDefault(address, 0L).equals(inside.get(address))).collect(Collectors.toSet());
        if (region.pays(stored.size())) {
            region.written().stream().filter(address -> !stored.contains(address)).forEach(passing::add);
            fused.add(call(region.steps(), stored));
        } else {
            region.calls().forEach(call -> fused.add(
                    call.body() != null ? call : call(List.of(call.step()), region.written())));
        }
    }

    private static PlanCompiler.Call call(List<BlockStep> steps, Set<Long> stored) {
        BlockStep last = steps.get(steps.size() - 1);
        String label = steps.size() + " steps to " + last.kind().name().toLowerCase(Locale.ROOT)
                + Arrays.toString(last.output().shape());
        return new PlanCompiler.Call(new BlockCall(steps, stored), label, null, List.of());
    }
}
