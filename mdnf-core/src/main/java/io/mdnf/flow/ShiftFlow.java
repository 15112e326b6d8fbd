package io.mdnf.flow;

import io.mdnf.graph.ModularArithmetic;
import io.mdnf.graph.Tensor;
import io.mdnf.network.ShiftNetwork;
import java.util.Map;

/**
 * The shift x_d = (u_d + mu_d) mod K_d, with mu = ST(softmax(network / tau)).
 *
 * <p>Example: {@code new ShiftFlow(new DirectLogits(space, 40))}.
 *
 * @param network where the logits of mu come from
 */
public record ShiftFlow(ShiftNetwork network) implements VariableWiseFlow {

    @Override
    public Map<String, ShiftNetwork> parts() {
        return Map.of("shift", network);
    }

    @Override
    public Tensor carry(Setting setting, Tensor u, Tensor code) {
        Tensor shift = shift(setting, code);
        long n = Math.max(u.extent(1), shift.extent(1));
        return new ModularArithmetic(space()).add(u.spread(1, n), shift.spread(1, n));
    }

    @Override
    public Tensor carryBack(Setting setting, Tensor x, Tensor code) {
        Tensor shift = shift(setting, code);
        long n = Math.max(x.extent(1), shift.extent(1));
        return new ModularArithmetic(space()).subtract(x.spread(1, n), shift.spread(1, n));
    }

    /** The shifts mu, [B, n or 1, D, K], one-hot; the network looks at the code, or at null. */
    public Tensor shift(Setting setting, Tensor code) {
        return setting.oneHot(network, "shift", code, space());
    }

    /**
     * For two categories and first-order gradients, the second entry of the shifts, [B, n or 1, D], 0 or 1: it says
     * all.
     */
    public Tensor second(Setting setting, Tensor code) {
        return setting.second(network, "shift", code);
    }

    @Override
    public String toString() {
        return "Shift(" + network + ")";
    }
}
