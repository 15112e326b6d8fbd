package io.mdnf.flow;

import io.mdnf.graph.ModularArithmetic;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.network.ShiftNetwork.Dependence;
import io.mdnf.space.CodeSpace;
import java.util.List;

/**
 * The shift x_d = (u_d + mu_d) mod K_d, with mu = ST(softmax(network / tau)).
 *
 * <p>Example: {@code new ShiftFlow(new DirectLogits(codes, 40))}.
 */
public final class ShiftFlow implements VariableWiseFlow {

    private final ShiftNetwork network;
    private final ModularArithmetic arithmetic;

    /**
     * A shift.
     *
     * @param network where the logits of mu come from
     */
    public ShiftFlow(ShiftNetwork network) {
        this.network = network;
        this.arithmetic = new ModularArithmetic(network.space());
    }

    @Override
    public Tensor carry(Setting setting, Tensor u, Tensor code) {
        Tensor shift = shift(setting, code);
        long n = Math.max(u.extent(1), shift.extent(1));
        return arithmetic.add(Setting.spread(u, n), Setting.spread(shift, n));
    }

    @Override
    public Tensor carryBack(Setting setting, Tensor x, Tensor code) {
        Tensor shift = shift(setting, code);
        long n = Math.max(x.extent(1), shift.extent(1));
        return arithmetic.subtract(Setting.spread(x, n), Setting.spread(shift, n));
    }

    /**
     * The shifts themselves.
     *
     * @param setting where to build
     * @param code what the network looks at, or null
     * @return mu, [B, n or 1, D, K], one-hot
     */
    public Tensor shift(Setting setting, Tensor code) {
        return setting.oneHot(network, "shift", code, network.space());
    }

    /** Returns where the shifts come from. */
    public ShiftNetwork network() {
        return network;
    }

    @Override
    public CodeSpace space() {
        return network.space();
    }

    @Override
    public int components() {
        return network.components();
    }

    @Override
    public List<Parameter> parameters() {
        return network.parameters().stream().map(p -> p.under("shift")).toList();
    }

    @Override
    public Dependence dependence() {
        return network.dependence();
    }

    @Override
    public String toString() {
        return "Shift(" + network + ")";
    }
}
