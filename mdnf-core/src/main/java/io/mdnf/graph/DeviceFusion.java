package io.mdnf.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Makes fewer calls of many on a device, where a call costs more than what it computes: what is only copied is written
 * where the copy would be; of two summands one is a product that is added to the other where that lies; rows, columns
 * and numbers that are repeated only to meet an array element by element are not repeated.
 */
final class DeviceFusion {

    private final List<PlanCompiler.Call> calls;
    private final Set<Long> results;
    /** Arrays of which others are parts, so that their readers are not all known. */
    private final Set<Long> parted;
    private final Map<Long, List<NativeCall>> writers = new HashMap<>();
    private final Map<Long, Integer> readers = new HashMap<>();

    /** Takes calls in order, the addresses that are read after a run, and those with parts. */
    DeviceFusion(List<PlanCompiler.Call> calls, Set<Long> results, Set<Long> parted) {
        this.calls = new ArrayList<>(calls);
        this.results = results;
        this.parted = parted;
        for (PlanCompiler.Call call : calls) {
            call.reads().stream().distinct().forEach(address -> readers.merge(address, 1, Integer::sum));
            if (call.body() instanceof NativeCall made && made.output() != null) {
                writers.computeIfAbsent(ArrayMemory.address(made.output()), a -> new ArrayList<>()).add(made);
            }
        }
        repetitions();
        sums();
        copies();
    }

    List<PlanCompiler.Call> calls() {
        return calls;
    }

    /** Whether an array is written by native calls, for one reader alone. */
    private boolean passes(long address) {
        return writers.containsKey(address) && readers.getOrDefault(address, 0) == 1 && !results.contains(address)
                && !parted.contains(address);
    }

    private void redirect(long from, INDArray to) {
        List<NativeCall> all = writers.remove(from);
        all.forEach(writer -> writer.writeTo(to));
        writers.put(ArrayMemory.address(to), all);
    }

    /** x[n, 1] ones[1, m] and ones[n, 1] y[1, m] whose readers take the column or the row itself. */
    private void repetitions() {
        for (PlanCompiler.Call call : List.copyOf(calls)) {
            if (!(call.body() instanceof NativeCall made) || made.repeated() == null
                    || Shapes.isStrided(made.repeated())) {
                continue;
            }
            long address = ArrayMemory.address(made.output());
            List<NativeCall> users = new ArrayList<>();
            for (PlanCompiler.Call other : calls) {
                if (other.reads().contains(address)) {
                    users.add(other.body() instanceof NativeCall user && user.isBinary() ? user : null);
                }
            }
            INDArray source = made.repeated();
            // the context of a product has its right factor first
            boolean column = source == made.input(1);
            if (results.contains(address) || parted.contains(address) || users.isEmpty() || users.contains(null)
                    || !users.stream().allMatch(user -> serves(user, address, source, made.output(), column))) {
                continue;
            }
            users.forEach(user -> take(user, address, source, column));
            calls.remove(call);
            long start = ArrayMemory.address(source);
            readers.put(start, readers.getOrDefault(start, 1) - 1 + users.size());
        }
    }

    private static boolean serves(NativeCall user, long address, INDArray source, INDArray repeated, boolean column) {
        boolean left = ArrayMemory.address(user.input(0)) == address;
        boolean right = ArrayMemory.address(user.input(1)) == address;
        return left != right && user.input(left ? 1 : 0).length() == repeated.length()
                && broadcast(source, user.input(left ? 0 : 1).shape(), column) != null;
    }

    private static void take(NativeCall user, long address, INDArray source, boolean column) {
        int which = ArrayMemory.address(user.input(0)) == address ? 0 : 1;
        user.read(which, broadcast(source, user.input(which).shape(), column));
    }

    /** A column or row in a shape that is repeated to another when both meet; null if there is none. */
    private static INDArray broadcast(INDArray source, long[] shape, boolean column) {
        long[] own = new long[shape.length];
        Arrays.fill(own, 1);
        long length = 1;
        for (int i = 0; i < shape.length && length < source.length(); i++) {
            int axis = column ? i : shape.length - 1 - i;
            own[axis] = shape[axis];
            length *= shape[axis];
        }
        return length == source.length() && LongStream.of(own).reduce(1, (a, b) -> a * b) == length
                ? source.reshape('c', own) : null;
    }

    /** Sums of a product, made last, and something else. */
    private void sums() {
        for (PlanCompiler.Call call : List.copyOf(calls)) {
            if (!(call.body() instanceof NativeCall sum) || !sum.is("add")
                    || sum.input(0).length() != sum.input(1).length()) {
                continue;
            }
            long[] terms = {ArrayMemory.address(sum.input(0)), ArrayMemory.address(sum.input(1))};
            if (terms[0] == terms[1] || !passes(terms[0]) || !passes(terms[1])
                    || sum.inputs().stream().anyMatch(Shapes::isStrided)) {
                continue;
            }
            int last = isProduct(terms[1]) ? 1 : isProduct(terms[0]) ? 0 : -1;
            if (last >= 0) {
                NativeCall product = writers.get(terms[last]).get(0);
                PlanCompiler.Call moved = calls.stream().filter(c -> c.body() == product).findFirst().orElseThrow();
                calls.remove(moved);
                calls.set(calls.indexOf(call), moved);
                redirect(terms[1 - last], sum.output());
                product.writeTo(sum.output());
                product.accumulate();
                writers.remove(terms[last]);
                writers.get(ArrayMemory.address(sum.output())).add(product);
            }
        }
    }

    /** Whether an array is written by one product that does not add. */
    private boolean isProduct(long address) {
        List<NativeCall> all = writers.get(address);
        return all.size() == 1 && all.get(0).isProduct();
    }

    /** Some operations write only what is not strided. */
    private static boolean canWrite(NativeCall writer, INDArray to) {
        return !Shapes.isStrided(to) || (writer.isProduct() || writer.isBinary())
                && Arrays.equals(writer.output().shape(), to.shape());
    }

    private void copies() {
        for (PlanCompiler.Call call : List.copyOf(calls)) {
            if (call.body() instanceof NativeCall copy && copy.is("identity")) {
                INDArray from = copy.input(0);
                long address = ArrayMemory.address(from);
                // a copy of what is strided puts it in order
                if (passes(address) && !Shapes.isStrided(from) && writers.get(address).stream().allMatch(
                        writer -> canWrite(writer, copy.output()))) {
                    calls.remove(call);
                    redirect(address, copy.output());
                }
            }
        }
    }
}
