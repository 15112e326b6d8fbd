package io.mdnf.graph;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Pointer;
import org.nd4j.autodiff.functions.DifferentialFunction;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.VariableType;
import org.nd4j.autodiff.samediff.internal.SameDiffOp;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.BaseOp;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.api.ops.Op;
import org.nd4j.linalg.api.ops.OpContext;
import org.nd4j.linalg.api.ops.ScalarOp;
import org.nd4j.linalg.api.ops.impl.transforms.same.Negative;
import org.nd4j.linalg.api.shape.LongShapeDescriptor;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.nativeblas.OpaqueDataBuffer;

/**
 * Turns the operations behind some variables of a SameDiff graph into native calls on preallocated arrays.
 *
 * <p>What depends on constants only runs now; what copies its input unchanged becomes an alias; adding a constant zero
 * (which is what SameDiff's stop-gradient contributes) is dropped.
 */
final class PlanCompiler implements AutoCloseable {

    /** Operations that look only at the shape of their input, which is static. */
    private static final Set<String> SHAPE_ONLY =
            Set.of("zeros_as", "zeroslike", "ones_as", "shape_of", "size_at", "rank");
    private static final Set<String> ZEROS = Set.of("zeros_as", "zeroslike");
    /** Where backward operations take the incoming gradient; if that is 0, all their results are. */
    private static final Map<String, Integer> INCOMING_GRADIENT = Map.of(
            "matmul_bp", 2, "multiply_bp", 2, "add_bp", 2, "subtract_bp", 2, "divide_bp", 2,
            "softmax_bp", 1, "reduce_sum_bp", 1, "reduce_max_bp", 1);
    private static final Set<String> ADDITIONS = Set.of("add", "add_bp");
    private static final Set<String> COPIES = Set.of("identity", "StopGradient", "stop_gradient");

    /**
     * One native call on prepared arguments.
     *
     * @param label what it is called in profiles
     * @param step the same as a step of a {@link BlockCall}, or null
     * @param reads the addresses of its inputs
     */
    record Call(Runnable body, String label, BlockStep step, List<Long> reads) {
        Call(Runnable body, String label, BlockStep step, INDArray... inputs) {
            this(body, label, step, Arrays.stream(inputs).map(BlockCall::address).toList());
        }
    }

    private final SameDiff model;
    private final int runs;
    private final Map<String, INDArray> arrays = new HashMap<>();
    private final Set<String> constants = new HashSet<>();
    private final Set<String> zeros = new HashSet<>();
    /** Where constants lie that are all 1. */
    private final Set<Long> ones = new HashSet<>();
    /** Where constants lie. */
    private final Set<Long> fixedAt = new HashSet<>();
    private final Set<String> needed = new HashSet<>();
    /** Rows that stand for their repetition: all who use them can add a row to every row. */
    private final Map<String, INDArray> rows = new HashMap<>();
    private final Map<String, Set<String>> uses = new HashMap<>();
    private final Map<String, INDArray> belongs;
    private final List<Call> calls = new ArrayList<>();
    /** Gradients by what they are the reshaping of. */
    private final Map<String, String> reshaped = new HashMap<>();
    private double largestProduct;
    private final List<OpContext> contexts = new ArrayList<>();
    private final List<NativeCall> kept = new ArrayList<>();
    private final OperationCalls otherwise = Backend.isHost() ? new HostCalls(this) : new DeviceCalls(this);
    private final Set<Long> parted = new HashSet<>();
    private final List<OpaqueDataBuffer> buffers = new ArrayList<>();
    private final Set<INDArray> owned = java.util.Collections.newSetFromMap(new IdentityHashMap<>());

    PlanCompiler(SameDiff model, Graph graph, Map<String, INDArray> parameters,
            Map<String, INDArray> gradientTargets, Map<String, Tensor> results, List<String> targets) {
        this.model = model;
        this.runs = graph.runs();
        arrays.putAll(parameters);
        DataType type = graph.precision().type();
        DeviceCalls.together(graph.placeholders(), type, this::own).forEach(arrays::put);
        belongs = DeviceCalls.together(results, type, this::own);
        belongs.putAll(gradientTargets);
        for (SDVariable v : model.variables()) {
            boolean fixed = v.getVariableType() == VariableType.CONSTANT
                    || v.getVariableType() == VariableType.VARIABLE && !parameters.containsKey(v.name());
            if (fixed && v.getArr() != null) {
                // variables nobody trains, such as SameDiff's own "one-var", the gradient of the loss by itself
                arrays.put(v.name(), v.getArr());
                constants.add(v.name());
                if (!v.getArr().isEmpty()) {
                    fixedAt.add(BlockCall.address(v.getArr()));
                }
                if (areOnes(v.getArr())) {
                    ones.add(BlockCall.address(v.getArr()));
                }
            }
        }
        Set<String> order = OperationOrder.of(model, targets);
        needed.addAll(targets);
        targets.forEach(target -> uses.computeIfAbsent(target, t -> new HashSet<>()).add("read"));
        for (String name : order) {
            String kind = model.getOps().get(name).getOp().opName();
            for (String input : inputsOf(name)) {
                needed.add(input);
                uses.computeIfAbsent(input, i -> new HashSet<>()).add(kind);
            }
        }
        gradientTargets.keySet().forEach(gradient -> reshapedInto(gradient, gradient));
        Threads.run(() -> order.forEach(this::add));
        belongs.keySet().forEach(this::copyIntoTarget);
        fuse(targets, gradientTargets);
    }

    /** Puts steps together; what then never reaches memory has no array. */
    private void fuse(List<String> targets, Map<String, INDArray> gradients) {
        Set<Long> results = Stream.concat(
                targets.stream().filter(target -> !gradients.containsKey(target)).map(arrays::get),
                gradients.values().stream())
                .map(BlockCall::address).collect(Collectors.toSet());
        if (!Backend.isHost()) {
            List<Call> fewer = new DeviceFusion(calls, results, parted).calls();
            calls.clear();
            calls.addAll(fewer);
            return;
        }
        Fusion fusion = new Fusion(calls, results);
        calls.clear();
        calls.addAll(fusion.calls());
        Predicate<INDArray> passes = array -> !array.isEmpty() && fusion.passing().contains(BlockCall.address(array));
        arrays.values().removeIf(passes);
        owned.stream().filter(passes).toList().forEach(array -> {
            owned.remove(array);
            array.close();
        });
    }

    long bytes() {
        return owned.stream().mapToLong(PlanCompiler::bytes).sum();
    }

    static long bytes(INDArray array) {
        return array.length() * array.data().getElementSize();
    }

    Call[] calls() {
        return calls.toArray(new Call[0]);
    }

    /** Floating-point operations of the largest matrix product. */
    double largestProduct() {
        return largestProduct;
    }

    INDArray array(String name) {
        return arrays.get(name);
    }

    private String[] inputsOf(String operation) {
        String[] names = model.getOps().get(operation).getOp().argNames();
        return names == null ? new String[0] : names;
    }

    private void add(String name) {
        SameDiffOp node = model.getOps().get(name);
        DifferentialFunction function = node.getOp();
        String[] inputNames = inputsOf(name);
        List<String> outputs = node.getOutputsOfOp();
        INDArray[] inputs = new INDArray[inputNames.length];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = arrays.get(inputNames[i]);
            Check.that(inputs[i] != null, "operation '", name, "' needs '", inputNames[i],
                    "', which has no array: control flow and undeclared placeholders cannot be planned");
        }
        if (function.opName().equals("add") && rows.containsKey(inputNames[0]) && rows.containsKey(inputNames[1])) {
            inputs[0] = repeated(inputNames[0], inputs[0]);
        }
        Integer incoming = INCOMING_GRADIENT.get(function.opName());
        boolean zero = ZEROS.contains(function.opName()) || incoming != null && zeros.contains(inputNames[incoming]);
        boolean constant = zero || SHAPE_ONLY.contains(function.opName())
                || constants.containsAll(Arrays.asList(inputNames));
        INDArray alias = alias(function, inputNames, inputs);
        if (!constant && isRepeatedRow(function, inputNames, inputs, outputs.get(0))) {
            arrays.put(outputs.get(0), inputs[1]);
            rows.put(outputs.get(0), inputs[0]);
        } else if (!zero && !constant && passesGradientOn(function, inputNames, inputs)) {
            gradientOfSum(function, name, inputs[2], outputs);
        } else if (alias != null) {
            arrays.put(outputs.get(0), alias);
            zero = inputNames.length == 1 && zeros.contains(inputNames[0]);
        } else if (constant || !otherwise.add(function, name, inputs, outputs)) {
            Call call = function instanceof DynamicCustomOp custom ? custom(custom, name, inputs, outputs)
                    : legacy(function, name, inputs, outputs);
            if (zero) {
                outputs.stream().filter(arrays::containsKey).forEach(output -> arrays.get(output).assign(0));
            } else if (constant) {
                call.body().run();
            } else {
                calls.add(call);
            }
        }
        if (constant) {
            constants.addAll(outputs);
        }
        if (zero) {
            zeros.addAll(outputs);
        }
    }

    /** Whether this is a row [1, m] times a column of ones, wanted only to be added: the row itself will do. */
    private boolean isRepeatedRow(DifferentialFunction function, String[] names, INDArray[] inputs, String output) {
        return function.opName().equals("matmul") && constants.contains(names[0]) && inputs[0].rank() == 2
                && inputs[0].size(1) == 1 && inputs[1].rank() == 2 && inputs[1].size(0) == 1 && inputs[0].length() > 1
                && ADDITIONS.containsAll(uses.getOrDefault(output, Set.of("nothing"))) && areOnes(inputs[0]);
    }

    private static boolean areOnes(INDArray array) {
        return array.dataType().isFPType() && array.length() > 0
                && array.minNumber().doubleValue() == 1 && array.maxNumber().doubleValue() == 1;
    }

    /** The repetition after all, for a sum of two repeated rows. */
    private INDArray repeated(String name, INDArray row) {
        INDArray ones = rows.remove(name);
        INDArray[] factors = {ones, row};
        if (!otherwise.add(HostCalls.product(0, 0), name, factors, List.of(name))) {
            calls.add(custom(HostCalls.product(0, 0), name, factors, List.of(name)));
        }
        return arrays.get(name);
    }

    private boolean passesGradientOn(DifferentialFunction function, String[] names, INDArray[] inputs) {
        return Set.of("add_bp", "subtract_bp").contains(function.opName()) && IntStream.range(0, 2).allMatch(
                i -> rows.containsKey(names[i]) || Arrays.equals(inputs[i].shape(), inputs[2].shape()));
    }

    /** The gradient of a sum is the incoming one, that of a difference has the sign changed in one half. */
    private void gradientOfSum(DifferentialFunction function, String name, INDArray incoming, List<String> outputs) {
        arrays.put(outputs.get(0), incoming);
        if (function.opName().equals("add_bp")) {
            arrays.put(outputs.get(1), incoming);
        } else if (needed.contains(outputs.get(1))) {
            calls.add(legacy(new Negative(), name, new INDArray[] {incoming}, outputs.subList(1, 2)));
        }
    }

    /** The array an operation would only copy, or null. */
    private INDArray alias(DifferentialFunction function, String[] names, INDArray[] inputs) {
        String kind = function.opName();
        if (COPIES.contains(kind)) {
            return inputs[0];
        }
        if (kind.equals("reshape") && !Shapes.isStrided(inputs[0])) {
            DynamicCustomOp reshape = (DynamicCustomOp) function;
            long[] shape = reshape.calculateOutputShape(context(reshape, inputs)).get(0).getShape();
            return inputs[0].reshape('c', shape);
        }
        if (kind.equals("add") && inputs.length == 2 && Arrays.equals(inputs[0].shape(), inputs[1].shape())) {
            return zeros.contains(names[1]) ? inputs[0] : zeros.contains(names[0]) ? inputs[1] : null;
        }
        return null;
    }

    Call custom(DynamicCustomOp operation, String name, INDArray[] inputs, List<String> outputs) {
        if (operation.opName().equals("divide_bp") && inputs[1].length() == 1 && inputs[0].length() > 1
                && needed.contains(outputs.get(1))) {
            throw WrongGradients.divisor(name);
        }
        OpContext context = context(operation, inputs);
        List<LongShapeDescriptor> shapes = operation.calculateOutputShape(context);
        for (int i = 0; i < shapes.size(); i++) {
            INDArray output = output(outputs.get(i), shapes.get(i).getShape());
            context.setOutputArray(i, output);
        }
        if (operation.opName().startsWith("matmul") && ProductCall.areMatrices(inputs)) {
            // [m, k], [k, n] and [m, n], transposed or not, of the result or of its gradient
            INDArray third = inputs.length > 2 ? inputs[2] : arrays.get(outputs.get(0));
            largestProduct = Math.max(largestProduct,
                    2 * Math.sqrt(Shapes.matrix(inputs[0]) * Shapes.matrix(inputs[1]) * Shapes.matrix(third)));
        }
        String label = operation.opName()
                + (outputs.isEmpty() ? "" : Arrays.toString(arrays.get(outputs.get(0)).shape()));
        INDArray only = outputs.size() == 1 ? arrays.get(outputs.get(0)) : null;
        BlockStep step = only == null ? null : Steps.of(operation, inputs, only, ones, fixedAt);
        long[] how = operation.iArgs();
        Runnable product = ProductCall.isPlain(operation, inputs)
                ? ProductCall.of(inputs[0], how[0] == 1, inputs[1], how[1] == 1, only) : null;
        return new Call(product != null ? product : new NativeCall(operation, context), label, step, inputs);
    }

    private Call legacy(DifferentialFunction function, String name, INDArray[] inputs, List<String> outputs) {
        if (!(function instanceof BaseOp operation)) {
            throw new IllegalArgumentException(
                    "operation '" + name + "' (" + function.opName() + ") cannot be planned; use SameDiff's session");
        }
        OpContext context = Nd4j.getExecutioner().buildContext();
        contexts.add(context);
        for (int i = 0; i < inputs.length; i++) {
            context.setInputArray(i, inputs[i]);
        }
        if (operation instanceof ScalarOp scalar && inputs.length == 2) {
            scalar.setScalar(inputs[1]);
        }
        long[] shape = operation.calculateOutputShape(context).get(0).getShape();
        INDArray output = output(outputs.get(0), shape);
        Number number = operation instanceof ScalarOp scalar ? scalar.scalar().getDouble(0) : null;
        BlockStep step = Steps.elementwise(operation.opName(), inputs, output, number);
        String label = operation.opName() + Arrays.toString(shape);
        Runnable direct = ElementwiseCall.of(operation, inputs, output, buffers);
        if (direct != null) {
            return new Call(direct, label, step, inputs);
        }
        context.setOutputArray(0, output);
        return new Call(() -> Nd4j.getExecutioner().exec((Op) operation, context), label, step, inputs);
    }

    private OpContext context(DynamicCustomOp operation, INDArray[] inputs) {
        OpContext context = Nd4j.getExecutioner().buildContext();
        contexts.add(context);
        context.setInputArrays(inputs);
        context.setIArguments(operation.iArgs());
        context.setTArguments(operation.tArgs());
        context.setBArguments(operation.bArgs());
        context.setDArguments(operation.dArgs());
        return context;
    }

    // ---- for OperationCalls

    void call(Call call) {
        calls.add(call);
    }

    void call(NativeCall call, INDArray... reads) {
        kept.add(call);
        calls.add(new Call(call, call.toString(), null, reads));
    }

    /** The operations of a kind that take a variable first; none if it has other uses. */
    List<DifferentialFunction> users(String variable, String kind) {
        return !uses.getOrDefault(variable, Set.of()).equals(Set.of(kind)) ? List.of()
                : model.getOps().values().stream().map(SameDiffOp::getOp)
                        .filter(op -> op.opName().equals(kind) && op.argNames()[0].equals(variable)).toList();
    }

    int runs() {
        return runs;
    }

    boolean isNeeded(String name) {
        return needed.contains(name);
    }

    boolean isOnes(INDArray array) {
        return ones.contains(BlockCall.address(array));
    }

    void alias(String name, INDArray array) {
        arrays.put(name, array);
    }

    /** Remembers an array of which others are parts. */
    void parted(INDArray array) {
        parted.add(BlockCall.address(array));
    }

    /** An array between two calls, of the type of another. */
    INDArray scratch(INDArray like, long... shape) {
        return own(Nd4j.createUninitializedDetached(like.dataType(), shape));
    }

    /** The array an operation writes to: a part of the flat gradient or of the results, or one of its own. */
    INDArray output(String name, long... shape) {
        INDArray target = belongs.get(name);
        INDArray array = target != null && Arrays.equals(target.shape(), shape) && takesAll(name) ? belongs.remove(name)
                : reshaped.containsKey(name) ? belongs.remove(reshaped.get(name)).reshape('c', shape)
                : own(Nd4j.createUninitializedDetached(model.getVariable(name).dataType(), shape));
        arrays.put(name, array);
        return array;
    }

    /** Whether any operation may write there: on a device some of ND4J's spoil what lies around one number. */
    private boolean takesAll(String name) {
        return Backend.isHost() || belongs.get(name).length() > 1;
    }

    /** What a gradient is the reshaping of, once or more often, and nothing else, is written where it belongs. */
    private void reshapedInto(String gradient, String name) {
        String operation = model.getVariables().get(name).getOutputOfOp();
        if (operation != null && model.getOps().get(operation).getOp().opName().equals("reshape")) {
            String from = inputsOf(operation)[0];
            if (uses.get(from).equals(Set.of("reshape")) && !arrays.containsKey(from) && takesAll(gradient)) {
                reshaped.putIfAbsent(from, gradient);
                reshapedInto(gradient, from);
            }
        }
    }

    /** What came out as an alias is copied to where it belongs at the end. */
    private void copyIntoTarget(String name) {
        INDArray source = arrays.get(name);
        INDArray target = belongs.get(name);
        String label = "copy" + Arrays.toString(target.shape());
        if (!Backend.isHost()) {
            DeviceCalls.copy(this, source, target);
            arrays.put(name, target);
        } else if (!Shapes.isStrided(source)) {
            Pointer from = source.data().addressPointer();
            Pointer to = target.data().addressPointer();
            calls.add(new Call(() -> Pointer.memcpy(to, from, bytes(source)), label, null, source));
        } else {
            calls.add(new Call(() -> target.assign(source), label, null, source));
        }
    }

    /** An array that is closed with the plan. */
    INDArray own(INDArray array) {
        owned.add(array);
        return array;
    }

    @Override
    public void close() {
        kept.forEach(NativeCall::close);
        contexts.forEach(OpContext::purge);
        contexts.clear();
        buffers.forEach(OpaqueDataBuffer::closeBuffer);
        buffers.clear();
        calls.clear();
        owned.forEach(INDArray::close);
        owned.clear();
        arrays.clear();
    }
}
