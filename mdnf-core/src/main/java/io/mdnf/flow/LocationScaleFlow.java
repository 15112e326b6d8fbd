package io.mdnf.flow;

import io.mdnf.graph.Graph;
import io.mdnf.graph.ModularArithmetic;
import io.mdnf.graph.Tensor;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.space.Check;
import io.mdnf.space.LogSpace;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The affine map x_d = (mu_d + sigma_d u_d) mod K_d (Tran et al. 2019), where sigma_d is a unit modulo K_d, so the flow
 * is invertible for composite K_d too. Its inverse is u_d = sigma_d^-1 (x_d - mu_d).
 *
 * <p>mu and sigma are one-hot outputs of two networks, location and scale; scale logits of categories that are not
 * units count for nothing.
 * Inverting sigma is a fixed permutation of its one-hot positions, so gradients reach it in both directions.
 *
 * <p>Example: {@code new LocationScaleFlow(new DirectLogits(space, 8), new DirectLogits(space, 8))}.
 */
public record LocationScaleFlow(ShiftNetwork location, ShiftNetwork scale) implements VariableWiseFlow {

    /** Checks that the networks fit each other. */
    public LocationScaleFlow {
        Check.that(location.space().equals(scale.space()) && location.components() == scale.components(), "location ",
                location, " on ", location.space(), " and scale ", scale, " on ", scale.space(),
                " must have the same codes and components");
        Check.that(location.dependence() == scale.dependence(), "location depends on ", location.dependence(),
                ", scale on ", scale.dependence(), ": they must depend on the same");
    }

    @Override
    public Map<String, ShiftNetwork> parts() {
        Map<String, ShiftNetwork> parts = new LinkedHashMap<>();
        parts.put("location", location);
        parts.put("scale", scale);
        return parts;
    }

    @Override
    public Tensor move(Setting setting, Tensor variables, Tensor code, boolean back) {
        Tensor mu = setting.oneHot(location, "location", code, space());
        Tensor sigma = scale(setting, code);
        ModularArithmetic arithmetic = new ModularArithmetic(space());
        long n = Math.max(variables.extent(1), Math.max(mu.extent(1), sigma.extent(1)));
        Tensor all = variables.spread(1, n);
        return back
                ? arithmetic.multiply(arithmetic.subtract(all, mu.spread(1, n)), arithmetic.inverse(sigma).spread(1, n))
                : arithmetic.add(arithmetic.multiply(all, sigma.spread(1, n)), mu.spread(1, n));
    }

    private Tensor scale(Setting setting, Tensor code) {
        Graph graph = setting.graph().under("scale");
        Tensor logits = scale.logits(graph, new ShiftNetwork.Inputs(code, setting.given()));
        double[] offset = new double[logits.size()];
        int width = space().width();
        for (int i = 0; i < offset.length; i++) {
            int cardinality = space().cardinality(i / width % space().variables());
            int a = i % width;
            offset[i] = a < cardinality && ModularArithmetic.isUnit(a, cardinality) ? 0 : LogSpace.IMPOSSIBLE;
        }
        return setting.straightThrough().oneHot(
                logits.plus(graph.constant(offset, logits.shape())), space(), setting.inverseTemperature());
    }

    @Override
    public String toString() {
        return "LocationScale(location=" + location + ", scale=" + scale + ")";
    }
}
