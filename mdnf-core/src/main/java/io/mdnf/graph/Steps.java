package io.mdnf.graph;

import static java.util.Map.entry;

import io.mdnf.graph.BlockStep.Kind;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;

/** Which of ND4J's operations are steps of a {@link BlockCall}. */
final class Steps {

    private static final Map<String, Kind> ELEMENTWISE = Map.ofEntries(entry("add", Kind.ADD),
            entry("subtract", Kind.SUBTRACT), entry("multiply", Kind.MULTIPLY), entry("divide", Kind.DIVIDE),
            entry("neg", Kind.NEGATE), entry("exp", Kind.EXP), entry("log", Kind.LOG), entry("sigmoid", Kind.SIGMOID),
            entry("softplus", Kind.SOFTPLUS), entry("add_scalar", Kind.ADD_NUMBER),
            entry("mul_scalar", Kind.MULTIPLY_NUMBER), entry("step", Kind.IS_POSITIVE));

    private Steps() {}

    /** What an operation is as a step, or null; products with ones, or with what is fixed, are known by addresses. */
    static BlockStep of(DynamicCustomOp operation, INDArray[] inputs, INDArray output, Set<Long> ones,
            Set<Long> fixed) {
        if (ProductCall.isPlain(operation, inputs) && operation.iArgs()[0] == 0 && inputs[0].rank() == 2) {
            BlockStep sums = of(Kind.ROW_SUMS, new INDArray[] {inputs[0]}, output, (int) inputs[0].size(1),
                    (int) output.size(1), 0);
            if (sums == null || ones.contains(BlockCall.address(inputs[1]))) {
                return sums;
            }
            ShortProduct matrix = fixed.contains(BlockCall.address(inputs[1]))
                    ? ShortProduct.of(inputs[1], operation.iArgs()[1] == 1) : null;
            return matrix == null ? null
                    : new BlockStep(Kind.PRODUCT, sums.inputs(), output, sums.in(), sums.out(), 0, matrix);
        }
        int last = (int) output.size(-1);
        return operation.opName().equals("softmax") && operation.iArgs()[0] == output.rank() - 1
                ? of(Kind.SOFTMAX, inputs, output, last, last, 0)
                : elementwise(operation.opName(), inputs, output, null);
    }

    /** The step that does what an element-wise operation does, or null. */
    static BlockStep elementwise(String operation, INDArray[] inputs, INDArray output, Number number) {
        Kind kind = ELEMENTWISE.get(operation);
        boolean equal = Arrays.stream(inputs).allMatch(input -> input.length() == output.length());
        boolean otherThreshold = kind == Kind.IS_POSITIVE && number.doubleValue() != 0;
        return kind == null || !equal || otherThreshold ? null
                : of(kind, inputs, output, 1, 1, number == null ? 0 : number.floatValue());
    }

    /** A step of rows, or null where blocks do not serve. */
    static BlockStep of(Kind kind, INDArray[] inputs, INDArray output, int in, int out, float number) {
        BlockStep step = new BlockStep(kind, inputs, output, in, out, number);
        return Backend.isHost() && in <= Fusion.WIDEST && out <= Fusion.WIDEST && step.arrays().stream().allMatch(
                array -> array.dataType() == DataType.FLOAT && !Shapes.isStrided(array)) ? step : null;
    }

    /** Whether an argmax is one along the last axis, short enough for a step. */
    static boolean isArgmaxOfRows(DynamicCustomOp argmax, INDArray[] inputs) {
        int width = (int) inputs[0].size(-1);
        long[] axes = argmax.iArgs();
        boolean keepsAxis = argmax.numBArguments() > 0 && argmax.bArgs()[0];
        return inputs.length == 1 && !keepsAxis && axes.length == 1
                && (axes[0] == inputs[0].rank() - 1 || axes[0] == -1)
                && of(Kind.ARGMAX_ONE_HOT, inputs, inputs[0], width, width, 0) != null;
    }

    /** Whether a one-hot code is of floats 1 and 0 and has the shape of the entries whose largest it marks. */
    static boolean isCodeOfRows(DynamicCustomOp oneHot, INDArray entries) {
        long[] axisAndDepth = oneHot.iArgs();
        return oneHot.argNames().length == 1 && axisAndDepth.length == 2
                && oneHot.outputVariable().dataType() == DataType.FLOAT
                && (axisAndDepth[0] == -1 || axisAndDepth[0] == entries.rank() - 1)
                && axisAndDepth[1] == entries.size(-1) && Arrays.equals(oneHot.tArgs(), new double[] {1, 0});
    }
}
