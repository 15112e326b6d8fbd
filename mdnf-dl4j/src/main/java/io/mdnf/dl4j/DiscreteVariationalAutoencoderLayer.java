package io.mdnf.dl4j;

import io.mdnf.distribution.Product;
import io.mdnf.dl4j.DenseParameters.Dense;
import io.mdnf.space.Check;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.variational.ReconstructionDistribution;
import org.deeplearning4j.nn.gradient.DefaultGradient;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.layers.BaseLayer;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.deeplearning4j.optimize.Solver;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.regularization.Regularization;
import org.nd4j.linalg.ops.transforms.Transforms;

/**
 * What {@link DiscreteVariationalAutoencoder} does when a network runs, and what can be asked of it, by the methods of
 * DL4J's own autoencoder. Codes are drawn from ND4J's random numbers, which the network's seed fixes.
 *
 * <pre>{@code
 * var vae = (DiscreteVariationalAutoencoderLayer) network.getLayer(0);
 * var bound = vae.reconstructionLogProbability(data, 50);        // [n, 1], nats, at most log p(x) on average
 * List<Product> q = vae.posterior(data);                         // one for each row
 * var mean = vae.generateAtMeanGivenZ(z);                        // from one-hot codes [n, D K]
 * }</pre>
 */
public final class DiscreteVariationalAutoencoderLayer extends BaseLayer<DiscreteVariationalAutoencoder> {

    private static final long serialVersionUID = 1;

    private final transient ReconstructionDistribution likelihood;

    DiscreteVariationalAutoencoderLayer(NeuralNetConfiguration conf, DataType type) {
        super(conf, type);
        likelihood = Likelihood.exact(layerConf().getOutputDistribution());
    }

    /** What a network of dense layers computed, kept for the way back: of each layer the input and what its activation
     * gets; the last layer has none. */
    private record Pass(List<Dense> layers, List<INDArray> inputs, List<INDArray> sums) {

        INDArray output() {
            return sums.get(sums.size() - 1);
        }
    }

    /** Softmax of logits [rows, K]. */
    private record Table(INDArray logs, INDArray q) {

        static Table of(INDArray logits) {
            INDArray shifted = logits.subColumnVector(logits.max(true, 1));
            INDArray logs = shifted.subColumnVector(Transforms.log(Transforms.exp(shifted).sum(true, 1), false));
            return new Table(logs, Transforms.exp(logs));
        }

        /** J(p) g = p (g - sum p g), the gradient by the logits of p = softmax where that by p is g. */
        static INDArray jacobian(INDArray p, INDArray g) {
            return g.subColumnVector(p.mul(g).sum(true, 1)).muli(p);
        }
    }

    @Override
    public void computeGradientAndScore(LayerWorkspaceMgr workspaceMgr) {
        INDArray x = checked(input);
        long n = x.size(0);
        int samples = layerConf().getNumSamples();
        Pass encoder = forward(layerConf().encoder(), x, true, workspaceMgr);
        INDArray logits = rows(logits(encoder, true));
        Table table = Table.of(logits);
        INDArray repeated = repeated(logits, samples);
        INDArray z = draw(repeated);
        Pass decoder =
                forward(layerConf().decoder(), z.reshape(n * samples, layerConf().getNOut()), true, workspaceMgr);
        INDArray data = repeated(x, samples);
        double missed = likelihood.negLogProbability(data, decoder.output(), false) / samples;
        score = (missed + divergence(table)) / n + calcRegularizationScore(false);

        INDArray byOutput = likelihood.gradient(data, decoder.output()).divi(samples);
        INDArray byCode = rows(backward(decoder, byOutput, workspaceMgr));
        INDArray byLogits = secondOrder(repeated, z, byCode).reshape(samples, logits.length()).sum(0)
                .reshape(logits.shape()).addi(Table.jacobian(table.q, table.logs));
        backward(encoder, bySums(encoder, byLogits), workspaceMgr);
        gradient = gradient(false);
        weightNoiseParams.clear();
    }

    /** KL(q || uniform), summed over rows. */
    private double divergence(Table table) {
        return table.q.mul(table.logs).sumNumber().doubleValue()
                + table.q.size(0) * Math.log(layerConf().getCategories());
    }

    /** 2 J(m) g - J(p) g / 2 with p = softmax(l) and m = (softmax(l / tau) + z) / 2. */
    private INDArray secondOrder(INDArray logits, INDArray z, INDArray g) {
        INDArray middle = Table.of(logits.div(layerConf().getTemperature())).q.addi(z).muli(0.5);
        return Table.jacobian(middle, g).muli(2).subi(Table.jacobian(Table.of(logits).q, g).muli(0.5));
    }

    /** One-hot z ~ softmax(logits), [rows, K]: the largest of logits and Gumbel noise. */
    private INDArray draw(INDArray logits) {
        INDArray uniform = Nd4j.rand(dataType, logits.shape());
        INDArray noise = Transforms.log(Transforms.log(uniform, false).negi(), false);
        int[] chosen = logits.sub(noise).argMax(1).toIntVector();
        return Nd4j.pullRows(Nd4j.eye(logits.size(1)).castTo(dataType), 1, chosen);
    }

    private static INDArray repeated(INDArray array, int times) {
        return times == 1 ? array : Nd4j.tile(array, times, 1);
    }

    /** [n, D K] as [n D, K]. */
    private INDArray rows(INDArray flat) {
        return flat.reshape(flat.length() / layerConf().getCategories(), layerConf().getCategories());
    }

    private INDArray logits(Pass encoder, boolean training) {
        return layerConf().getPzxActivationFn().getActivation(encoder.output().dup(), training);
    }

    /** From the gradient by logits [n D, K] to that by the encoder's output [n, D K]. */
    private INDArray bySums(Pass encoder, INDArray byLogits) {
        return layerConf().getPzxActivationFn()
                .backprop(encoder.output(), byLogits.reshape(encoder.output().shape())).getFirst();
    }

    private Pass forward(List<Dense> layers, INDArray x, boolean training, LayerWorkspaceMgr workspaceMgr) {
        List<INDArray> inputs = new ArrayList<>();
        List<INDArray> sums = new ArrayList<>();
        INDArray current = x;
        for (Dense dense : layers) {
            if (!inputs.isEmpty()) {
                current = layerConf().getActivationFn().getActivation(current.dup(), training);
            }
            inputs.add(current);
            current = current.mmul(getParamWithNoise(dense.weights(), training, workspaceMgr))
                    .addiRowVector(getParamWithNoise(dense.bias(), training, workspaceMgr));
            sums.add(current);
        }
        return new Pass(layers, inputs, sums);
    }

    /** Writes the gradients of the parameters, given that of the output; returns that of the input. */
    private INDArray backward(Pass pass, INDArray byOutput, LayerWorkspaceMgr workspaceMgr) {
        INDArray delta = byOutput;
        for (int i = pass.layers.size() - 1; i >= 0; i--) {
            Dense dense = pass.layers.get(i);
            Nd4j.gemm(pass.inputs.get(i), delta, gradientViews.get(dense.weights()), true, false, 1, 0);
            delta.sum(gradientViews.get(dense.bias()), 0);
            INDArray byInput = delta.mmul(getParamWithNoise(dense.weights(), true, workspaceMgr).transpose());
            IActivation activation = layerConf().getActivationFn();
            delta = i == 0 ? byInput : activation.backprop(pass.sums.get(i - 1), byInput).getFirst();
        }
        return delta;
    }

    private Gradient gradient(boolean backpropParamsOnly) {
        Gradient result = new DefaultGradient(gradientsFlattened);
        paramTable(backpropParamsOnly).keySet()
                .forEach(name -> result.gradientForVariable().put(name, gradientViews.get(name)));
        return result;
    }

    /** The tables q(z_d | x), [n, D K]. */
    @Override
    public INDArray activate(boolean training, LayerWorkspaceMgr workspaceMgr) {
        assertInputSet(false);
        Pass encoder = forward(layerConf().encoder(), input.castTo(dataType), training, workspaceMgr);
        INDArray q = Table.of(rows(logits(encoder, training))).q;
        return workspaceMgr.dup(ArrayType.ACTIVATIONS, q.reshape(encoder.output().shape()));
    }

    @Override
    public Pair<Gradient, INDArray> backpropGradient(INDArray epsilon, LayerWorkspaceMgr workspaceMgr) {
        assertInputSet(true);
        gradientViews.forEach((name, view) -> {
            if (layerConf().isPretrainParam(name)) {
                view.assign(0);
            }
        });
        Pass encoder = forward(layerConf().encoder(), input.castTo(dataType), true, workspaceMgr);
        INDArray q = Table.of(rows(logits(encoder, true))).q;
        INDArray byInput = backward(encoder, bySums(encoder, Table.jacobian(q, rows(epsilon))), workspaceMgr);
        weightNoiseParams.clear();
        return new Pair<>(gradient(true), workspaceMgr.dup(ArrayType.ACTIVATION_GRAD, byInput));
    }

    /**
     * A lower bound of log p(x) in nats for every row of the data, [n, 1], by so many codes drawn for each: the
     * importance-weighted
     *
     * <pre>log (1 / S) sum_s p(x | z_s) p(z_s) / q(z_s | x),   z_s ~ q,</pre>
     *
     * on average at most log p(x) and the nearer the more codes there are. One code gives the ELBO. (DL4J's Gaussian
     * layer returns the mean of log p(x | z), which bounds nothing.)
     */
    public INDArray reconstructionLogProbability(INDArray data, int numSamples) {
        Check.that(numSamples >= 1, "numSamples = ", numSamples, ": at least 1 is needed");
        LayerWorkspaceMgr none = LayerWorkspaceMgr.noWorkspaces();
        INDArray x = checked(data);
        INDArray logits = rows(logits(forward(layerConf().encoder(), x, false, none), false));
        INDArray logs = Table.of(logits).logs;
        double logPrior = -layerConf().space().variables() * Math.log(layerConf().getCategories());
        INDArray weights = Nd4j.create(DataType.DOUBLE, x.size(0), numSamples);
        for (int s = 0; s < numSamples; s++) {
            INDArray z = draw(logits);
            INDArray decoded = decode(z.reshape(x.size(0), layerConf().getNOut()));
            INDArray logQ = z.muli(logs).reshape(x.size(0), layerConf().getNOut()).sum(true, 1);
            weights.putColumn(s, likelihood.exampleNegLogProbability(x, decoded).addi(logQ).rsubi(logPrior)
                    .castTo(DataType.DOUBLE));
        }
        INDArray most = weights.max(true, 1);
        INDArray mean = Transforms.exp(weights.subiColumnVector(most), false).mean(true, 1);
        return Transforms.log(mean, false).addi(most);
    }

    /** The exponential of {@link #reconstructionLogProbability}, [n, 1]: on average p(x). */
    public INDArray reconstructionProbability(INDArray data, int numSamples) {
        return Transforms.exp(reconstructionLogProbability(data, numSamples), false);
    }

    /** The mean of p(x | z) for one-hot codes, or tables, [n, D K]; as this layer's output has them. */
    public INDArray generateAtMeanGivenZ(INDArray latentSpaceValues) {
        return layerConf().getOutputDistribution().generateAtMean(decode(latentSpaceValues));
    }

    /** x ~ p(x | z) for one-hot codes [n, D K]. */
    public INDArray generateRandomGivenZ(INDArray latentSpaceValues, LayerWorkspaceMgr workspaceMgr) {
        return layerConf().getOutputDistribution().generateRandom(decode(latentSpaceValues));
    }

    private INDArray decode(INDArray codes) {
        Check.that(codes.rank() == 2 && codes.size(1) == layerConf().getNOut(), "codes of shape ",
                Arrays.toString(codes.shape()), ": [n, ", layerConf().getNOut(), "] is needed");
        return forward(layerConf().decoder(), codes.castTo(dataType), false, LayerWorkspaceMgr.noWorkspaces()).output();
    }

    /** The posteriors q(z | x) of data [n, in]. */
    public List<Product> posterior(INDArray data) {
        LayerWorkspaceMgr none = LayerWorkspaceMgr.noWorkspaces();
        INDArray logits = logits(forward(layerConf().encoder(), data.castTo(dataType), false, none), false);
        double[][] q = Table.of(rows(logits.castTo(DataType.DOUBLE))).q.toDoubleMatrix();
        int variables = layerConf().space().variables();
        List<Product> posteriors = new ArrayList<>();
        for (int at = 0; at < q.length; at += variables) {
            posteriors.add(new Product(Arrays.copyOfRange(q, at, at + variables)));
        }
        return posteriors;
    }

    private INDArray checked(INDArray data) {
        INDArray x = data.castTo(dataType);
        Check.that(x.rank() == 2 && x.size(1) == layerConf().getNIn(), "data of shape ", Arrays.toString(x.shape()),
                ": [n, ", layerConf().getNIn(), "] is needed ", layerId());
        Likelihood.check(likelihood, x);
        return x;
    }

    @Override
    public void fit(INDArray data, LayerWorkspaceMgr workspaceMgr) {
        setInput(data, workspaceMgr);
        if (solver == null) {
            // the updater's memory outlives a step
            try (MemoryWorkspace outside = Nd4j.getMemoryManager().scopeOutOfWorkspaces()) {
                solver = new Solver.Builder().model(this).configure(conf()).listeners(getListeners()).build();
            }
        }
        optimizer = solver.getOptimizer();
        solver.optimize(LayerWorkspaceMgr.noWorkspaces());
    }

    @Override
    public boolean isPretrainLayer() {
        return true;
    }

    @Override
    public Map<String, INDArray> paramTable(boolean backpropParamsOnly) {
        Map<String, INDArray> table = new LinkedHashMap<>(params);
        table.keySet().removeIf(name -> backpropParamsOnly && layerConf().isPretrainParam(name));
        return table;
    }

    @Override
    public long numParams(boolean backwards) {
        return paramTable(backwards).values().stream().mapToLong(INDArray::length).sum();
    }

    @Override
    public double calcRegularizationScore(boolean backpropParamsOnly) {
        double sum = 0;
        for (Map.Entry<String, INDArray> entry : paramTable(backpropParamsOnly).entrySet()) {
            List<Regularization> terms = layerConf().getRegularizationByParam(entry.getKey());
            for (Regularization term : terms == null ? List.<Regularization>of() : terms) {
                sum += term.score(entry.getValue(), getIterationCount(), getEpochCount());
            }
        }
        return sum;
    }
}
