package io.mdnf.graph;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.autodiff.samediff.internal.SameDiffOp;
import org.nd4j.linalg.api.ops.impl.loss.BaseLoss;

/**
 * Refuses ND4J operations whose gradients are known to be wrong, silently or in a way no one can read, where a gradient
 * would pass through them. {@link Tensor} has none of them; users of {@link Graph#sameDiff()} may.
 */
final class WrongGradients {

    private static final String SELECT = "multiply by a constant matrix of 0 and 1 that selects";
    private static final String REMAINDER = "subtract the divisor times a quotient behind a StopGradient";
    private static final String OUTSIDE = "draw outside, with Draws, and feed a placeholder";
    /** What to do instead, by the operation's name. */
    private static final Map<String, String> INSTEAD = Map.ofEntries(
            Map.entry("gather", SELECT),
            Map.entry("gather_nd", SELECT),
            Map.entry("Where", "add both sides times constant or computed 0 and 1"),
            Map.entry("reduce_logsumexp", "use Tensor.logSumExp"),
            Map.entry("tensordot", "permute, reshape and use a matrix product"),
            Map.entry("cumsum", "multiply by a constant triangular matrix"),
            Map.entry("cumprod", "take logarithms and multiply by a constant triangular matrix"),
            Map.entry("clipbynorm", "divide by the norm, computed and repeated, where it is too large"),
            Map.entry("mod", REMAINDER),
            Map.entry("floormod", REMAINDER),
            Map.entry("precise_gelu", "use gelu"),
            Map.entry("cross", "write its three differences of products out"),
            Map.entry("matrix_inverse", "give the inverse as a constant, or write it out"),
            Map.entry("random_exponential", OUTSIDE),
            Map.entry("distribution_bernoulli", OUTSIDE));
    private static final Set<String> STOPS = Set.of("StopGradient", "stop_gradient");

    private WrongGradients() {}

    /** Looks at the operations between trainable variables and the loss. */
    static void refuse(SameDiff model, String loss, List<String> trainable) {
        Set<String> behind = behind(model, loss);
        Set<String> moving = new HashSet<>(trainable);
        // in the order of their making, which is one in which inputs come first
        for (Map.Entry<String, SameDiffOp> entry : model.getOps().entrySet()) {
            SameDiffOp operation = entry.getValue();
            String kind = operation.getOp().opName();
            List<String> inputs = operation.getInputsToOp();
            boolean moves = inputs != null && inputs.stream().anyMatch(moving::contains) && !STOPS.contains(kind);
            if (moves) {
                moving.addAll(operation.getOutputsOfOp());
            }
            if (behind.contains(entry.getKey()) && (moves || OUTSIDE.equals(INSTEAD.get(kind)))) {
                String instead = operation.getOp() instanceof BaseLoss ? "write the loss out, as x l - softplus(l)"
                        : INSTEAD.get(kind);
                if (instead != null) {
                    throw refusal(kind, entry.getKey(), instead);
                }
            }
        }
    }

    /** Names of the operations that a variable is computed by. */
    private static Set<String> behind(SameDiff model, String variable) {
        Set<String> found = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(variable));
        while (!open.isEmpty()) {
            String operation = model.getVariables().get(open.pop()).getOutputOfOp();
            if (operation != null && found.add(operation) && model.getOps().get(operation).getInputsToOp() != null) {
                open.addAll(model.getOps().get(operation).getInputsToOp());
            }
        }
        return found;
    }

    /** A division whose trained divisor is a single number is known only by shapes, when the plan is compiled. */
    static IllegalArgumentException divisor(String name) {
        return refusal("divide", name, "repeat the divisor to the other's shape, or multiply by exp(-log(divisor))");
    }

    private static IllegalArgumentException refusal(String kind, String name, String instead) {
        return new IllegalArgumentException("operation '" + name + "' (" + kind + ") has a wrong gradient in ND4J "
                + Backend.version() + ": " + instead);
    }
}
