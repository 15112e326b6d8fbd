package io.mdnf.mixture;

import io.mdnf.flow.Setting;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.random.Draws;
import java.lang.ref.Cleaner;

/**
 * Samples any mixture by running its flows forward in a graph: once, or D times if networks look at the code. Flows
 * without number are drawn from noise in the place of components and base codes.
 */
final class PlannedSampler implements CodeSampler {

    private static final Cleaner CLEANER = Cleaner.create();

    private final Mixture mixture;
    private final double[] given;
    private int samples = -1;
    private ExecutionPlan plan;
    private Cleaner.Cleanable release;
    private Tensor u;
    private Tensor mask;
    private Tensor noise;
    private Tensor inverse;
    private Tensor codes;

    PlannedSampler(Mixture mixture, double[] given) {
        this.mixture = mixture;
        this.given = given;
    }

    private void build(int n) {
        if (n == samples) {
            return;
        }
        if (release != null) {
            release.clean();
        }
        int variables = mixture.space().variables();
        Graph graph = new Graph(Precision.DOUBLE);
        Setting setting = mixture.given(Setting.in(graph), given);
        inverse = setting.inverseTemperature();
        if (mixture.isUnlimited()) {
            noise = graph.placeholder("noise", n, variables, mixture.space().width());
            codes = mixture.in(setting).drawn(noise).plus(0);
        } else {
            u = graph.placeholder("u", n, variables, mixture.space().width());
            mask = graph.placeholder("mask", mixture.components(), n, variables);
            codes = mixture.in(setting).walk(u, mask);
        }
        ExecutionPlan compiled = ExecutionPlan.forward(graph, codes);
        plan = compiled;
        release = CLEANER.register(this, compiled::close);
        samples = n;
    }

    @Override
    public int[][] codes(ParameterValues values, int[][] component, int[][] base) {
        build(component.length);
        plan.write(u, mixture.space().oneHot(base));
        plan.write(mask, PerVariableSampling.mask(mixture.components(), component));
        return run(values);
    }

    @Override
    public int[][] drawn(ParameterValues values, int n, Draws draws) {
        build(n);
        plan.write(noise, draws.gumbel("noise", noise.size()));
        return run(values);
    }

    private int[][] run(ParameterValues values) {
        double[] own = new double[plan.layout().size()];
        plan.layout().parameters().forEach(p -> {
            double[] part = values.read(p.name());
            System.arraycopy(part, 0, own, plan.layout().offset(p.name()), part.length);
        });
        plan.load(own);
        plan.write(inverse, 1);
        plan.run();
        return mixture.space().indices(plan.read(codes));
    }
}
