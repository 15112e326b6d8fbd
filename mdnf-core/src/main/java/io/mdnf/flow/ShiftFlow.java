package io.mdnf.flow;

import io.mdnf.graph.ModularArithmetic;
import io.mdnf.graph.Tensor;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.space.CodeSpace;
import java.util.Map;

/**
 * The shift x_d = (u_d + mu_d) mod K_d, with mu = ST(softmax(network / tau)).
 *
 * <p>Example: {@code new ShiftFlow(new DirectLogits(space, 40))}.
 */
public record ShiftFlow(ShiftNetwork network) implements VariableWiseFlow {

    @Override
    public Map<String, ShiftNetwork> parts() {
        return Map.of("shift", network);
    }

    @Override
    public Tensor move(Setting setting, Tensor variables, Tensor code, boolean back) {
        return moved(space(), variables, shift(setting, code), back);
    }

    /** Adds shifts to variables, or takes them off, modulo K_d. */
    static Tensor moved(CodeSpace space, Tensor variables, Tensor shift, boolean back) {
        long n = Math.max(variables.extent(1), shift.extent(1));
        ModularArithmetic arithmetic = new ModularArithmetic(space);
        Tensor all = variables.spread(1, n);
        return back ? arithmetic.subtract(all, shift.spread(1, n)) : arithmetic.add(all, shift.spread(1, n));
    }

    /** The shifts mu, [B, n or 1, D, K], one-hot; the network looks at the code, or at null. */
    public Tensor shift(Setting setting, Tensor code) {
        return setting.oneHot(network, "shift", code, space());
    }

    /** For two categories and first-order gradients, the second entry of the shifts, [B, n or 1, D], 0 or 1. */
    public Tensor second(Setting setting, Tensor code) {
        return setting.second(network, "shift", code);
    }

    @Override
    public String toString() {
        return "Shift(" + network + ")";
    }
}
