package io.mdnf.inference;

import io.mdnf.flow.LocationScaleFlow;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.ExecutionPlan;
import io.mdnf.graph.Graph;
import io.mdnf.graph.ModularArithmetic;
import io.mdnf.graph.ParameterLayout;
import io.mdnf.graph.ParameterValues;
import io.mdnf.graph.Precision;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.MixtureGraph;
import io.mdnf.mixture.Structure;
import io.mdnf.network.Dependence;
import io.mdnf.network.Made;
import io.mdnf.network.ShiftNetwork;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Factor;
import io.mdnf.target.FactorTarget;
import io.mdnf.target.TargetModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What the straight-through gradient of the ELBO is on average, in plain loops: the sum over all components and base
 * codes that a step may draw, of the derivative of the step's estimate along one parameter, in forward mode. A
 * network's logits are differenced, not differentiated. Shares no gradient, no sampling and no modular arithmetic with
 * the library.
 *
 * <p>A derivative is carried as a second number beside each value: {@code [value, slope]} arrays side by side.
 */
final class StraightThroughTwin implements AutoCloseable {

    /** The step of central differences of networks. */
    private static final double H = 1e-5;

    private final TargetModel target;
    private final Mixture mixture;
    private final Estimator estimator;
    private final double tau;
    private final double[] parameters;
    private final CodeSpace space;
    private final int components;
    private final boolean joint;
    private final Map<String, ShiftNetwork> networks = new LinkedHashMap<>();
    private final Map<String, ExecutionPlan> plans = new LinkedHashMap<>();
    private final Map<String, Tensor> inputs = new LinkedHashMap<>();
    private final Map<String, Tensor> outputs = new LinkedHashMap<>();
    private final int[][] component;
    private final int[][] base;
    private final double[] weight;

    StraightThroughTwin(TargetModel target, Mixture mixture, Estimator estimator, double tau, double[] parameters) {
        this.target = target;
        this.mixture = mixture;
        this.estimator = estimator;
        this.tau = tau;
        this.parameters = parameters;
        this.space = mixture.space();
        this.components = mixture.components();
        this.joint = mixture.structure() == Structure.JOINT;
        if (mixture.flow() instanceof LocationScaleFlow flow) {
            networks.put("location", flow.location());
            networks.put("scale", flow.scale());
        } else {
            networks.put("shift", ((ShiftFlow) mixture.flow()).network());
        }
        List<int[]> chosen = new ArrayList<>();
        List<int[]> drawn = new ArrayList<>();
        for (int[] b : CodeSpace.uniform(space.variables(), components).all(1000)) {
            for (int[] u : space.all(1000)) {
                if (weight(parameters, b, u) > 0) {
                    chosen.add(b);
                    drawn.add(u);
                }
            }
        }
        component = chosen.toArray(int[][]::new);
        base = drawn.toArray(int[][]::new);
        weight = weights(parameters);
        networks.forEach((name, network) -> {
            Graph graph = new Graph(Precision.DOUBLE);
            Tensor x = graph.placeholder("x", components, component.length, space.variables(), space.width());
            Tensor logits = network.logits(graph, new ShiftNetwork.Inputs(x, null)).spread(1, component.length).plus(0);
            inputs.put(name, x);
            outputs.put(name, logits);
            plans.put(name, ExecutionPlan.forward(graph, logits));
        });
    }

    /** How probable components and base codes are. */
    private double weight(double[] flat, int[] b, int[] u) {
        double[] rho = mixture.weights(values(flat));
        double[] p = mixture.base().probabilities(values(flat).under("base"));
        double w = joint ? rho[b[0]] : 1;
        for (int d = 0; d < b.length; d++) {
            w *= joint && b[d] != b[0] ? 0 : p[(b[d] * b.length + d) * space.width() + u[d]];
            w *= joint ? 1 : rho[d * components + b[d]];
        }
        return w;
    }

    private double[] weights(double[] flat) {
        return IntStream.range(0, component.length).mapToDouble(c -> weight(flat, component[c], base[c])).toArray();
    }

    private ParameterValues values(double[] flat) {
        return new ParameterValues(mixture.layout(), flat);
    }

    /** The mean over all choices of the slope of the step's estimate along one entry of the flat parameters. */
    double gradient(int entry) {
        double[] up = parameters.clone();
        double[] down = parameters.clone();
        up[entry] += H;
        down[entry] -= H;
        Step step = new Step(up, down);
        if (estimator == Estimator.RESAMPLED) {
            return step.resampled();
        }
        double sum = 0;
        double[][][][] codes = step.codes();
        Step.Moves moves = step.new Moves(codes);
        for (int c = 0; c < weight.length; c++) {
            sum += weight[c] * step.slope(moves, c, codes[c]);
        }
        return sum;
    }

    /**
     * The slope of the exact ELBO along one entry of the base's or the weights' logits, which move no code: the sum
     * over all codes of dq(x) (log p(D, x) - log q(x)).
     */
    double exactGradient(int entry) {
        double[] up = parameters.clone();
        double[] down = parameters.clone();
        up[entry] += H;
        down[entry] -= H;
        double[] slopes = difference(weights(up), weights(down));
        double[] q = new double[(int) space.size()];
        double[] qSlope = new double[q.length];
        double[][][][] codes = new Step(parameters, parameters).codes();
        for (int c = 0; c < weight.length; c++) {
            int rank = (int) space.rank(Arrays.stream(codes[c]).mapToInt(StraightThroughTwin::largest).toArray());
            q[rank] += weight[c];
            qSlope[rank] += slopes[c];
        }
        double[] logJoint = target.logJoint(space.all(1000));
        return IntStream.range(0, q.length).filter(x -> q[x] > 0)
                .mapToDouble(x -> qSlope[x] * (logJoint[x] - Math.log(q[x]))).sum();
    }

    @Override
    public void close() {
        plans.values().forEach(ExecutionPlan::close);
    }

    /** All that a direction in parameter space changes. */
    private final class Step {
        private final double[] up;
        private final double[] down;
        private final double[] rho;
        private final double[] rhoSlope;
        private final double[] p;
        private final double[] pSlope;

        Step(double[] up, double[] down) {
            this.up = up;
            this.down = down;
            rho = mixture.weights(values(parameters));
            rhoSlope = difference(mixture.weights(values(up)), mixture.weights(values(down)));
            p = mixture.base().probabilities(values(parameters).under("base"));
            pSlope = difference(mixture.base().probabilities(values(up).under("base")),
                    mixture.base().probabilities(values(down).under("base")));
        }

        /** Codes [c][d][k][value, slope]. */
        double[][][][] codes() {
            double[][][][] u = new double[weight.length][][][];
            Arrays.setAll(u, c -> oneHot(base[c]));
            Dependence dependence = mixture.flow().dependence();
            boolean made = mixture.flow() instanceof ShiftFlow flow && flow.network() instanceof Made;
            int passes = dependence == Dependence.AUTOREGRESSIVE ? space.variables() : 1;
            double[][][][] x = u;
            for (int pass = 0; pass < passes; pass++) {
                double[][][][] at = x;
                Moves moves = new Moves(at);
                x = new double[weight.length][][][];
                for (int c = 0; c < weight.length; c++) {
                    x[c] = carried(moves, c, u[c]);
                }
            }
            if (joint && (!made || dependence == Dependence.NONE)) {
                return x;
            }
            // sampled outside: the code the networks look at has no slope
            double[][][][] fixed = new double[weight.length][][][];
            for (int c = 0; c < weight.length; c++) {
                fixed[c] = withoutSlope(x[c]);
            }
            Moves moves = new Moves(fixed);
            double[][][][] codes = new double[weight.length][][][];
            for (int c = 0; c < weight.length; c++) {
                codes[c] = switch (estimator) {
                    case CHOSEN -> carried(moves, c, u[c]);
                    case AVERAGED -> given(fixed[c], tables(moves, c), false);
                    case SECOND_ORDER -> given(fixed[c], tables(moves, c), true);
                    case RESAMPLED -> fixed[c];
                };
            }
            return codes;
        }

        private double[][][] carried(Moves moves, int c, double[][][] u) {
            double[][][] x = new double[u.length][][];
            for (int d = 0; d < u.length; d++) {
                x[d] = moved(moves, component[c][d], c, d, u[d]);
            }
            return x;
        }

        /** A vector [k][value, slope] moved forward by a component: x(a + s j) += mu(a) sigma(s) u(j). */
        private double[][] moved(Moves moves, int b, int c, int d, double[][] u) {
            int k = space.cardinality(d);
            double[][] x = new double[k][2];
            for (int a = 0; a < k; a++) {
                for (int s = 0; s < k; s++) {
                    for (int j = 0; j < k; j++) {
                        double[] mu = moves.mu[b][c][d][a];
                        double[] sigma = moves.sigma[b][c][d][s];
                        double[] to = x[(a + s * j) % k];
                        to[0] += mu[0] * sigma[0] * u[j][0];
                        to[1] += mu[1] * sigma[0] * u[j][0] + mu[0] * sigma[1] * u[j][0] + mu[0] * sigma[0] * u[j][1];
                    }
                }
            }
            return x;
        }

        /** The law of a variable under a component, [k][value, slope]. */
        private double[][] law(Moves moves, int b, int c, int d) {
            double[][] u = new double[space.cardinality(d)][];
            Arrays.setAll(u, j -> {
                int at = (b * space.variables() + d) * space.width() + j;
                return new double[] {p[at], pSlope[at]};
            });
            return moved(moves, b, c, d, u);
        }

        /** q_d(k), [d][k][value, slope]. */
        private double[][][] tables(Moves moves, int c) {
            double[][][] q = new double[space.variables()][][];
            for (int d = 0; d < q.length; d++) {
                q[d] = new double[space.cardinality(d)][2];
                for (int b = 0; b < components; b++) {
                    double[][] law = law(moves, b, c, d);
                    for (int k = 0; k < law.length; k++) {
                        q[d][k][0] += rho[d * components + b] * law[k][0];
                        q[d][k][1] += rho[d * components + b] * law[k][1] + rhoSlope[d * components + b] * law[k][0];
                    }
                }
            }
            return q;
        }

        /** The ELBO's slope as a function of the tables: sum_x sum_d dq_d prod_e q_e (log p - log q), with the floor in
         * the logarithm of the q_d that changes. */
        double resampled() {
            double sum = 0;
            for (int[] x : space.all(1000)) {
                double[][][][] codes = new double[weight.length][][][];
                Arrays.fill(codes, oneHot(x));
                double[][][] q = tables(new Moves(codes), 0);
                double logJoint = target.logJoint(new int[][] {x})[0];
                for (int d = 0; d < x.length; d++) {
                    double others = 1;
                    for (int e = 0; e < x.length; e++) {
                        others *= e == d ? 1 : q[e][x[e]][0];
                    }
                    double[] own = q[d][x[d]];
                    sum += others == 0 ? 0
                            : own[1] * others * (logJoint - Math.log(others) - Math.log(own[0] + floor()));
                }
            }
            return sum;
        }

        private double floor() {
            return mixture.base().parameters().isEmpty() ? 0.01 / components : 0;
        }

        /** The slope of a choice's estimate at its straight-through code. */
        double slope(Moves moves, int c, double[][][] x) {
            int[] code = new int[x.length];
            Arrays.setAll(code, d -> largest(x[d]));
            double[][] neighbours = joint ? ratios(code) : target.neighbours(code);
            double slope = 0;
            for (int d = 0; d < x.length; d++) {
                for (int k = 0; k < x[d].length; k++) {
                    slope += x[d][k][1] * neighbours[d][k];
                }
            }
            return slope + (estimator.isAveraged() ? entropy(tables(moves, c)) : -logProb(moves, c, x));
        }

        /** For each change of one variable the sum over factors of how their probability changes, [d][k]. */
        private double[][] ratios(int[] code) {
            double[][] sum = new double[code.length][];
            Arrays.setAll(sum, d -> new double[space.cardinality(d)]);
            for (Factor factor : target.factors()) {
                FactorTarget alone = new FactorTarget(space, List.of(factor));
                double own = alone.logJoint(new int[][] {code})[0];
                double[][] values = alone.neighbours(code);
                for (int d = 0; d < code.length; d++) {
                    for (int k = 0; k < sum[d].length; k++) {
                        sum[d][k] += Math.exp(values[d][k] - own);
                    }
                }
            }
            return sum;
        }

        private double entropy(double[][][] tables) {
            double slope = 0;
            for (double[][] q : tables) {
                for (double[] entry : q) {
                    slope -= entry[1] * (Math.log(entry[0] + floor()) + entry[0] / (entry[0] + floor()));
                }
            }
            return slope;
        }

        private double logProb(Moves moves, int c, double[][][] x) {
            double slope = 0;
            double[] logs = new double[components];
            double[] slopes = new double[components];
            for (int d = 0; d < x.length; d++) {
                double q = 0;
                double qSlope = 0;
                for (int b = 0; b < components; b++) {
                    double[][] law = law(moves, b, c, d);
                    double value = 0;
                    double change = 0;
                    for (int k = 0; k < law.length; k++) {
                        value += law[k][0] * x[d][k][0];
                        change += law[k][1] * x[d][k][0] + law[k][0] * x[d][k][1];
                    }
                    if (joint) {
                        logs[b] += Math.log(value + MixtureGraph.TRAINING);
                        slopes[b] += change / (value + MixtureGraph.TRAINING);
                    } else {
                        q += rho[d * components + b] * value;
                        qSlope += rho[d * components + b] * change + rhoSlope[d * components + b] * value;
                    }
                }
                slope += joint ? 0 : qSlope / (q + MixtureGraph.TRAINING);
            }
            if (!joint) {
                return slope;
            }
            double total = 0;
            for (int b = 0; b < components; b++) {
                total += rho[b] * Math.exp(logs[b]);
            }
            for (int b = 0; b < components; b++) {
                slope += Math.exp(logs[b]) * (rho[b] * slopes[b] + rhoSlope[b]) / total;
            }
            return slope;
        }

        /** One-hot moves of every component at codes, [b][c][d][k][value, slope]. */
        private final class Moves {
            private final double[][][][][] mu;
            private final double[][][][][] sigma;

            Moves(double[][][][] codes) {
                mu = oneHots(mixture.flow() instanceof LocationScaleFlow ? "location" : "shift", codes, false);
                sigma = mixture.flow() instanceof LocationScaleFlow ? oneHots("scale", codes, true) : ones();
            }

            private double[][][][][] oneHots(String name, double[][][][] codes, boolean units) {
                double[] logits = logits(name, parameters, codes, 0);
                double[] slopes = difference(logits(name, up, codes, H), logits(name, down, codes, -H));
                double[][][][][] all = new double[components][weight.length][space.variables()][][];
                for (int b = 0; b < components; b++) {
                    for (int c = 0; c < weight.length; c++) {
                        for (int d = 0; d < space.variables(); d++) {
                            int at = ((b * weight.length + c) * space.variables() + d) * space.width();
                            all[b][c][d] = straightThrough(logits, slopes, at, space.cardinality(d), units);
                        }
                    }
                }
                return all;
            }

            private double[][][][][] ones() {
                double[][][][][] all = new double[components][weight.length][space.variables()][][];
                for (double[][][][] b : all) {
                    for (double[][][] c : b) {
                        Arrays.setAll(c, d -> {
                            double[][] one = new double[space.cardinality(d)][2];
                            one[1 % one.length][0] = 1;
                            return one;
                        });
                    }
                }
                return all;
            }
        }
    }

    /** onehot(argmax) with the slope of softmax(logits / tau), [k][value, slope]. */
    private double[][] straightThrough(double[] logits, double[] slopes, int at, int categories, boolean units) {
        double[] soft = new double[categories];
        double[][] hard = new double[categories][2];
        int best = -1;
        double sum = 0;
        double mean = 0;
        for (int k = 0; k < categories; k++) {
            if (!units || ModularArithmetic.isUnit(k, categories)) {
                best = best < 0 || logits[at + k] > logits[at + best] ? k : best;
                soft[k] = Math.exp(logits[at + k] / tau);
                sum += soft[k];
                mean += soft[k] * slopes[at + k];
            }
        }
        hard[best][0] = 1;
        for (int k = 0; k < categories; k++) {
            hard[k][1] = soft[k] / sum * (slopes[at + k] - mean / sum) / tau;
        }
        return hard;
    }

    /** A network's logits at codes + h slopes, flat [B, c, D, K]. */
    private double[] logits(String name, double[] flat, double[][][][] codes, double h) {
        ExecutionPlan plan = plans.get(name);
        ParameterLayout layout = plan.layout();
        double[] own = new double[layout.size()];
        layout.parameters().forEach(parameter -> {
            double[] part = values(flat).under("flow").under(name).read(parameter.name());
            System.arraycopy(part, 0, own, layout.offset(parameter.name()), part.length);
        });
        plan.load(own);
        if (networks.get(name).dependence() != Dependence.NONE) {
            double[] x = new double[components * weight.length * space.oneHotLength()];
            for (int b = 0; b < components; b++) {
                for (int c = 0; c < weight.length; c++) {
                    for (int d = 0; d < space.variables(); d++) {
                        for (int k = 0; k < space.cardinality(d); k++) {
                            x[((b * weight.length + c) * space.variables() + d) * space.width() + k] =
                                    codes[c][d][k][0] + h * codes[c][d][k][1];
                        }
                    }
                }
            }
            plan.write(inputs.get(name), x);
        }
        plan.run();
        return plan.read(outputs.get(name));
    }

    private double[][][] oneHot(int[] code) {
        double[][][] all = new double[code.length][][];
        for (int d = 0; d < code.length; d++) {
            all[d] = new double[space.cardinality(d)][2];
            all[d][code[d]][0] = 1;
        }
        return all;
    }

    private static double[][][] withoutSlope(double[][][] x) {
        return Arrays.stream(x).map(row -> Arrays.stream(row).map(v -> new double[] {v[0], 0}).toArray(double[][]::new))
                .toArray(double[][][]::new);
    }

    /** Gives codes the slope of their tables, to first order or as ReinMax does. */
    private static double[][][] given(double[][][] codes, double[][][] tables, boolean second) {
        double[][][] all = new double[codes.length][][];
        for (int d = 0; d < codes.length; d++) {
            double[][] z = codes[d];
            double[][] q = tables[d];
            all[d] = new double[z.length][];
            double twice = 0;
            double never = 0;
            for (int k = 0; k < z.length; k++) {
                twice += twice(z[k][0], q[k]);
                never += q[k][0] == 0 ? q[k][1] / 2 : 0;
            }
            for (int k = 0; k < z.length; k++) {
                double reinMax = twice(z[k][0], q[k]) - (z[k][0] + q[k][0]) / 2 * twice - q[k][1] / 2
                        + (q[k][0] == 0 ? q[k][1] / 2 : 0) - q[k][0] * never;
                all[d][k] = new double[] {z[k][0], second ? reinMax : q[k][1]};
            }
        }
        return all;
    }

    private static double twice(double z, double[] q) {
        return (1 + (z == 0 ? 0 : z / q[0])) * q[1];
    }

    private static int largest(double[][] x) {
        int best = 0;
        for (int k = 1; k < x.length; k++) {
            best = x[k][0] > x[best][0] ? k : best;
        }
        return best;
    }

    private static double[] difference(double[] up, double[] down) {
        double[] slope = new double[up.length];
        Arrays.setAll(slope, i -> (up[i] - down[i]) / (2 * H));
        return slope;
    }
}
