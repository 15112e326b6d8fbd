package io.mdnf.flow;

import io.mdnf.graph.Graph;
import io.mdnf.graph.ModularArithmetic;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.Tensor;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.network.ShiftNetwork.Dependence;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.List;

/**
 * The affine map x_d = (mu_d + sigma_d u_d) mod K_d (Tran et al. 2019), where sigma_d is a unit modulo K_d, so the flow
 * is invertible for composite K_d too. Its inverse is u_d = sigma_d^-1 (x_d - mu_d).
 *
 * <p>mu and sigma are one-hot outputs of two networks; scale logits of categories that are not units count for nothing.
 * Inverting sigma is a fixed permutation of its one-hot positions, so gradients reach it in both directions.
 *
 * <p>Example: {@code new LocationScaleFlow(new DirectLogits(codes, 8), new DirectLogits(codes, 8))}.
 */
public final class LocationScaleFlow implements VariableWiseFlow {

    /** Far below any trained logit. */
    private static final double EXCLUDED = -1e6;

    private final ShiftNetwork location;
    private final ShiftNetwork scale;
    private final ModularArithmetic arithmetic;

    /**
     * An affine map.
     *
     * @param location where the logits of mu come from
     * @param scale where the logits of sigma come from
     */
    public LocationScaleFlow(ShiftNetwork location, ShiftNetwork scale) {
        if (!location.space().equals(scale.space()) || location.components() != scale.components()) {
            throw new IllegalArgumentException("location " + location + " on " + location.space() + " and scale " + scale
                    + " on " + scale.space() + " must have the same codes and components");
        }
        if (location.dependence() != scale.dependence()) {
            throw new IllegalArgumentException("location depends on " + location.dependence() + ", scale on "
                    + scale.dependence() + ": they must depend on the same");
        }
        this.location = location;
        this.scale = scale;
        this.arithmetic = new ModularArithmetic(location.space());
    }

    @Override
    public Tensor carry(Setting setting, Tensor u, Tensor code) {
        Tensor mu = setting.oneHot(location, "location", code, space());
        Tensor sigma = scale(setting, code);
        long n = Math.max(u.extent(1), mu.extent(1));
        return arithmetic.add(
                arithmetic.multiply(Setting.spread(u, n), Setting.spread(sigma, n)), Setting.spread(mu, n));
    }

    @Override
    public Tensor carryBack(Setting setting, Tensor x, Tensor code) {
        Tensor mu = setting.oneHot(location, "location", code, space());
        Tensor sigma = scale(setting, code);
        long n = Math.max(x.extent(1), mu.extent(1));
        return arithmetic.multiply(
                arithmetic.subtract(Setting.spread(x, n), Setting.spread(mu, n)),
                Setting.spread(arithmetic.inverse(sigma), n));
    }

    private Tensor scale(Setting setting, Tensor code) {
        Graph graph = setting.graph().under("scale");
        Tensor logits = scale.logits(graph, new ShiftNetwork.Inputs(code, setting.observation()));
        double[] offset = new double[logits.size()];
        int width = space().width();
        for (int i = 0; i < offset.length; i++) {
            int cardinality = space().cardinality(i / width % space().variables());
            int a = i % width;
            offset[i] = a < cardinality && ModularArithmetic.isUnit(a, cardinality) ? 0 : EXCLUDED;
        }
        return setting.straightThrough().oneHot(
                logits.plus(graph.constant(offset, logits.shape())), space(), setting.inverseTemperature());
    }

    @Override
    public CodeSpace space() {
        return location.space();
    }

    @Override
    public int components() {
        return location.components();
    }

    @Override
    public List<Parameter> parameters() {
        List<Parameter> all = new ArrayList<>(location.parameters().stream().map(p -> p.under("location")).toList());
        scale.parameters().forEach(p -> all.add(p.under("scale")));
        return all;
    }

    @Override
    public Dependence dependence() {
        return location.dependence();
    }

    @Override
    public String toString() {
        return "LocationScale(location=" + location + ", scale=" + scale + ")";
    }
}
