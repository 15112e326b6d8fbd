package io.mdnf.graph;

import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.nd4j.autodiff.samediff.SameDiff;

/** The order in which a model's operations can run. */
final class OperationOrder {

    private OperationOrder() {}

    /** The operations behind the targets, inputs first; a stack of its own, since graphs can be thousands deep. */
    static Set<String> of(SameDiff model, List<String> targets) {
        LinkedHashSet<String> order = new LinkedHashSet<>();
        Set<String> open = new HashSet<>();
        List<String> stack = new ArrayList<>();
        for (String target : targets) {
            push(model, target, stack, order);
            while (!stack.isEmpty()) {
                String name = stack.get(stack.size() - 1);
                if (order.contains(name) || !open.add(name)) {
                    order.add(name);
                    stack.remove(stack.size() - 1);
                } else {
                    List<String> inputs = model.getOps().get(name).getInputsToOp();
                    if (inputs != null) {
                        inputs.forEach(input -> push(model, input, stack, order));
                    }
                }
            }
        }
        return order;
    }

    private static void push(SameDiff model, String variable, List<String> stack, Set<String> done) {
        var found = model.getVariables().get(variable);
        Check.that(found != null, "the graph has no variable '" + variable + "'");
        String operation = found.getOutputOfOp();
        if (operation != null && !done.contains(operation)) {
            stack.add(operation);
        }
    }
}
