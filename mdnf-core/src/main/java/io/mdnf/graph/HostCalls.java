package io.mdnf.graph;

import io.mdnf.graph.BlockStep.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.nd4j.autodiff.functions.DifferentialFunction;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;

/**
 * What a plan does otherwise on the CPU than ND4J: gradients of products and quotients only where they are needed, and
 * one-hot codes of largest entries at once.
 */
final class HostCalls implements OperationCalls {

    private final PlanCompiler plan;
    /** Positions of largest entries of which only the one-hot codes are wanted; they stand for the entries. */
    private final Set<String> argmaxOf = new HashSet<>();

    HostCalls(PlanCompiler plan) {
        this.plan = plan;
    }

    @Override
    public boolean add(DifferentialFunction function, String name, INDArray[] inputs, List<String> outputs) {
        if (!(function instanceof DynamicCustomOp operation)) {
            return false;
        }
        return switch (function.opName()) {
            case "multiply_bp", "divide_bp" -> Shapes.areEqual(inputs)
                    && (split(operation, name, inputs, outputs) || oneFactor(operation, name, inputs, outputs));
            case "matmul_bp" -> products(operation, name, inputs, outputs);
            case "argmax" -> argmax(operation, inputs, outputs.get(0));
            case "onehot" -> argmaxOf.contains(function.argNames()[0]) && oneHot(inputs[0], outputs.get(0));
            default -> false;
        };
    }

    /** The gradient of a product or quotient as steps, one for each half that is needed. */
    private boolean split(DynamicCustomOp operation, String name, INDArray[] inputs, List<String> outputs) {
        boolean product = operation.opName().equals("multiply_bp");
        if (Steps.of(Kind.ADD, inputs, inputs[0], 1, 1, 0) == null) {
            return false;
        }
        for (int half = 0; half < 2; half++) {
            if (plan.isNeeded(outputs.get(half))) {
                INDArray[] of = !product && half == 1 ? inputs : new INDArray[] {inputs[2], inputs[1 - half]};
                Kind kind = product ? Kind.MULTIPLY : half == 0 ? Kind.DIVIDE : Kind.DIVISOR_GRADIENT;
                List<String> result = outputs.subList(half, half + 1);
                if (kind == Kind.DIVISOR_GRADIENT) {
                    INDArray output = plan.output(result.get(0), of[0].shape());
                    plan.call(new PlanCompiler.Call(null, name, Steps.of(kind, of, output, 1, 1, 0), of));
                } else {
                    plan.call(plan.custom(plain(product ? "multiply" : "divide"), name, of, result));
                }
            }
        }
        return true;
    }

    private boolean oneFactor(DynamicCustomOp operation, String name, INDArray[] inputs, List<String> outputs) {
        for (int half = 0; operation.opName().equals("multiply_bp") && half < 2; half++) {
            if (!plan.isNeeded(outputs.get(1 - half))) {
                plan.call(plan.custom(plain("multiply"), name, new INDArray[] {inputs[2], inputs[1 - half]},
                        outputs.subList(half, half + 1)));
                return true;
            }
        }
        return false;
    }

    /**
     * The gradient of a matrix product has two halves, and ND4J computes both. A plain product gives each that is asked
     * for, which a constant factor's is not; both are left to ND4J where products are.
     */
    private boolean products(DynamicCustomOp operation, String name, INDArray[] inputs, List<String> outputs) {
        long[] transposed = operation.iArgs();
        boolean first = plan.isNeeded(outputs.get(0));
        boolean second = plan.isNeeded(outputs.get(1));
        if (transposed.length != 3 || transposed[0] != 0 || transposed[2] != 0 || !ProductCall.areMatrices(inputs)
                || second && (first || transposed[1] == 1) && !ProductCall.serves(inputs)) {
            return false;
        }
        boolean right = transposed[1] == 1;
        INDArray x = inputs[0];
        INDArray incoming = inputs[2];
        if (first) {
            plan.call(plan.custom(product(0, right ? 0 : 1), name, new INDArray[] {incoming, inputs[1]},
                    outputs.subList(0, 1)));
        }
        if (second && right) {
            plan.call(plan.custom(product(1, 0), name, new INDArray[] {incoming, x}, outputs.subList(1, 2)));
        } else if (second) {
            // a column is a row already, and then nothing has to be transposed
            boolean column = x.rank() == 2 && x.size(1) == 1 && !Shapes.isStrided(x);
            INDArray left = column ? x.reshape('c', 1, x.length()) : x;
            plan.call(plan.custom(product(column ? 0 : 1, 0), name, new INDArray[] {left, incoming},
                    outputs.subList(1, 2)));
        }
        return true;
    }

    /** Positions of largest entries along the last axis, for their one-hot codes [.., K] alone. */
    private boolean argmax(DynamicCustomOp operation, INDArray[] inputs, String output) {
        List<DifferentialFunction> users = plan.users(output, "onehot");
        boolean forCodes = Steps.isArgmaxOfRows(operation, inputs) && !users.isEmpty()
                && users.stream().allMatch(user -> Steps.isCodeOfRows((DynamicCustomOp) user, inputs[0]));
        if (forCodes) {
            plan.alias(output, inputs[0]);
            argmaxOf.add(output);
        }
        return forCodes;
    }

    private boolean oneHot(INDArray x, String name) {
        int k = (int) x.size(-1);
        INDArray output = plan.output(name, x.shape());
        plan.call(new PlanCompiler.Call(null, name,
                Steps.of(Kind.ARGMAX_ONE_HOT, new INDArray[] {x}, output, k, k, 0), x));
        return true;
    }

    private static DynamicCustomOp plain(String operation) {
        return DynamicCustomOp.builder(operation).build();
    }

    static DynamicCustomOp product(int transposeLeft, int transposeRight) {
        return DynamicCustomOp.builder("matmul").addIntegerArguments(transposeLeft, transposeRight, 0).build();
    }
}
