package io.mdnf.mixture;

import io.mdnf.flow.Setting;
import io.mdnf.graph.Affine;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.flow.VariableWiseFlow;
import io.mdnf.network.ShiftNetwork.Dependence;
import java.lang.ref.Cleaner;

/** Samples PER_VARIABLE mixtures with any network by as many passes of a forward graph as there are variables. */
final class PlannedSampler implements CodeSampler {

    private static final Cleaner CLEANER = Cleaner.create();

    private final Mixture mixture;
    private int samples = -1;
    private ExecutionPlan plan;
    private Cleaner.Cleanable release;
    private Tensor u;
    private Tensor mask;
    private Tensor inverse;
    private Tensor codes;

    PlannedSampler(Mixture mixture) {
        this.mixture = mixture;
    }

    private void build(int n) {
        if (n == samples) {
            return;
        }
        if (release != null) {
            release.clean();
        }
        int variables = mixture.codes().variables();
        Graph graph = new Graph(Precision.DOUBLE);
        Setting setting = Setting.in(graph);
        inverse = setting.inverseTemperature();
        u = graph.placeholder("u", n, variables, mixture.codes().width());
        mask = graph.placeholder("mask", mixture.components(), n, variables);
        Tensor repeated = u.repeatLeading(mixture.components());
        // a bipartite network needs two passes: one for the variables that pass, one for those that look at them
        int passes = mixture.flow().dependence() == Dependence.BIPARTITE ? 2 : variables;
        Tensor x = u;
        for (int pass = 0; pass < passes; pass++) {
            x = Affine.maskedSum(((VariableWiseFlow) mixture.flow())
                    .carry(setting.under("flow"), repeated, x.repeatLeading(mixture.components())), mask);
        }
        codes = x;
        ExecutionPlan compiled = ExecutionPlan.forward(graph, codes);
        plan = compiled;
        release = CLEANER.register(this, compiled::close);
        samples = n;
    }

    @Override
    public int[][] codes(ParameterValues values, int[][] component, int[][] base) {
        build(component.length);
        double[] own = new double[plan.layout().size()];
        plan.layout().parameters().forEach(p -> {
            double[] part = values.read(p.name());
            System.arraycopy(part, 0, own, plan.layout().offset(p.name()), part.length);
        });
        plan.load(own);
        plan.write(inverse, 1);
        plan.write(u, mixture.codes().oneHot(base));
        plan.write(mask, Sampling.mask(mixture.components(), component, mixture.codes().variables()));
        plan.run();
        return mixture.codes().indices(plan.read(codes));
    }
}
