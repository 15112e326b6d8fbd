package io.mdnf.vae;

import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Initialiser;
import io.mdnf.graph.Parameter;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.Tensor;
import io.mdnf.network.DenseLayers;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Batch normalisation: while training, every unit's sum s over its inputs becomes
 * <pre>
 *   scale (s - mean) / sqrt(variance + epsilon)
 * </pre>
 * with mean and variance over the batch. The running averages of both are remembered, and when training ends they fold
 * exactly into weights and biases, so that a trained model has plain layers.
 *
 * <p>One instance belongs to one graph; of a graph that does not normalise it leaves everything as it is.
 */
final class BatchStatistics implements DenseLayers.Normalisation {

    /** As in PyTorch. */
    private static final double EPSILON = 1e-5;
    /** The weight of the newest batch in the running averages; more while there are few. */
    private static final double NEWEST = 0.05;
    private static final String SCALE = "scale";
    private static final String WEIGHTS = "weights";
    private static final String BIAS = "bias";

    private final boolean normalises;
    /** Means and variances by the name of their layer's scale. */
    private final Map<String, Tensor[]> layers = new LinkedHashMap<>();

    BatchStatistics(boolean normalises) {
        this.normalises = normalises;
    }

    /** Sums [n, units] of a layer as they are, or normalised over the rows. */
    @Override
    public Tensor normalised(Graph scope, int layer, Tensor sums) {
        if (!normalises) {
            return sums;
        }
        long n = sums.extent(0);
        long units = sums.extent(1);
        Graph graph = sums.graph();
        Tensor share = graph.ones(1, n).times(1.0 / n);
        Tensor mean = share.matmul(sums);
        Tensor centred = sums.minus(mean.spread(0, n));
        Tensor variance = share.matmul(centred.times(centred));
        Tensor scale = scope.parameter(new Parameter(SCALE + layer, Initialiser.constant(1), units));
        Tensor factor = variance.log(EPSILON).times(-0.5).exp().times(scale.reshape(1, units));
        layers.put(scope.scope() + SCALE + layer, new Tensor[] {mean.plus(0), variance.plus(0)});
        return centred.times(factor.spread(0, n));
    }

    /** What a plan has to compute for {@link #after}. */
    Tensor[] outputs() {
        return layers.values().stream().flatMap(Arrays::stream).toArray(Tensor[]::new);
    }

    /** The running averages before the first step, by name: means of 0 and variances of 1, which change nothing. */
    Map<String, double[]> first() {
        Map<String, double[]> parts = new LinkedHashMap<>();
        layers.forEach((name, pair) -> {
            double[] ones = new double[pair[1].size()];
            Arrays.fill(ones, 1);
            parts.put(part(name, 0), new double[pair[0].size()]);
            parts.put(part(name, 1), ones);
        });
        return parts;
    }

    /** The running averages after a step, from 0, that plans have run, each with a share of the batch. */
    Map<String, double[]> after(List<ExecutionPlan> plans, long step, Map<String, double[]> before) {
        double newest = Math.max(NEWEST, 1.0 / (step + 1));
        Map<String, double[]> parts = new LinkedHashMap<>();
        layers.forEach((name, pair) -> {
            for (int i = 0; i < 2; i++) {
                double[] old = before.get(part(name, i));
                double[] average = old.clone();
                for (ExecutionPlan plan : plans) {
                    double[] batch = plan.read(pair[i]);
                    Arrays.setAll(average, u -> average[u] + newest / plans.size() * (batch[u] - old[u]));
                }
                parts.put(part(name, i), average);
            }
        });
        return parts;
    }

    private static String part(String scale, int i) {
        return scale + (i == 0 ? ".mean" : ".variance");
    }

    /** All parameters by name, those of normalised layers with their averages folded in. */
    static Map<String, double[]> folded(ParameterLayout layout, double[] flat, Map<String, double[]> parts) {
        Map<String, double[]> values = new LinkedHashMap<>();
        List<String> names = layout.parameters().stream().map(Parameter::name).toList();
        names.forEach(name -> values.put(name, layout.read(name, flat)));
        names.stream().filter(name -> parts.containsKey(part(name, 0)) && parts.containsKey(part(name, 1)))
                .forEach(name -> fold(values, name, parts.get(part(name, 0)), parts.get(part(name, 1))));
        return values;
    }

    private static void fold(Map<String, double[]> values, String scaleName, double[] mean, double[] variance) {
        int at = scaleName.lastIndexOf(SCALE);
        String scope = scaleName.substring(0, at);
        String layer = scaleName.substring(at + SCALE.length());
        double[] weights = values.get(scope + WEIGHTS + layer);
        double[] bias = values.get(scope + BIAS + layer);
        double[] scale = values.remove(scaleName);
        for (int u = 0; u < scale.length; u++) {
            double factor = scale[u] / Math.sqrt(variance[u] + EPSILON);
            for (int i = u; i < weights.length; i += scale.length) {
                weights[i] *= factor;
            }
            bias[u] -= mean[u] * factor;
        }
    }
}
