package io.mdnf.relaxation;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.space.CodeSpace;

/** Numbers in, numbers out, for the tests; and the plain-Java twin of the density. */
final class Relaxing {

    private Relaxing() {}

    static double[] evaluate(Tensor output) {
        Tensor copy = output.plus(0.0);
        try (ExecutionPlan plan = ExecutionPlan.forward(output.graph(), copy)) {
            plan.run();
            return plan.read(copy);
        }
    }

    static Tensor constant(Graph graph, CodeSpace space, double... values) {
        return graph.constant(
                values, values.length / space.oneHotLength(), space.variables(), space.width());
    }

    static GumbelSoftmax distribution(Graph graph, CodeSpace space, double tau, double... logits) {
        return new GumbelSoftmax(space, constant(graph, space, logits), temperature(graph, tau));
    }

    static Tensor temperature(Graph graph, double tau) {
        return graph.constant(new double[] {tau}, 1, 1);
    }

    static RelaxedSample at(Graph graph, CodeSpace space, double... logValue) {
        Tensor log = constant(graph, space, logValue);
        return new RelaxedSample(space, log, log.exp());
    }

    static Graph graph() {
        return new Graph(Precision.DOUBLE);
    }

    /** tau^(K-1) (K-1)! prod_k p_k x_k^(-tau-1) / sum_j p_j x_j^-tau, as the paper prints it. */
    static double density(double[] p, double[] x, double tau) {
        double sum = 0;
        for (int k = 0; k < p.length; k++) {
            sum += p[k] * Math.pow(x[k], -tau);
        }
        double density = Math.pow(tau, p.length - 1);
        for (int k = 0; k < p.length; k++) {
            density *= p[k] * Math.pow(x[k], -tau - 1) / sum * Math.max(1, k);
        }
        return density;
    }

    static double[] logSoftmax(double... z) {
        double max = Double.NEGATIVE_INFINITY;
        for (double v : z) {
            max = Math.max(max, v);
        }
        double sum = 0;
        for (double v : z) {
            sum += Math.exp(v - max);
        }
        double[] result = new double[z.length];
        for (int k = 0; k < z.length; k++) {
            result[k] = z[k] - max - Math.log(sum);
        }
        return result;
    }

    static double[] softmax(double... z) {
        double[] p = logSoftmax(z);
        for (int k = 0; k < p.length; k++) {
            p[k] = Math.exp(p[k]);
        }
        return p;
    }
}
