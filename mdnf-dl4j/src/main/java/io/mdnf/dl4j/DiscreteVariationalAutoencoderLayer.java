package io.mdnf.dl4j;

import io.mdnf.distribution.CodeDistribution;
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
 * List<CodeDistribution> q = vae.posterior(data);                // one for each row
 * var mean = vae.generateAtMeanGivenZ(z);                        // from one-hot codes [n, D K]
 * }</pre>
 */
public final class DiscreteVariationalAutoencoderLayer extends BaseLayer<DiscreteVariationalAutoencoder> {

    private static final long serialVersionUID = 1;

    private final transient ReconstructionDistribution likelihood;

    DiscreteVariationalAutoencoderLayer(NeuralNetConfiguration conf, DataType type) {
        super(conf, type);
        likelihood = ReconstructionLikelihood.exact(layerConf().getOutputDistribution());
    }

    /** What a network of dense layers computed, kept for the way back: of each layer the input and what its activation
     * gets; the last layer has none. */
    private record Pass(List<Dense> layers, List<INDArray> inputs, List<INDArray> sums) {

        INDArray output() {
            return sums.get(sums.size() - 1);
        }

        /** What the last layer sees. */
        INDArray hidden() {
            return inputs.get(inputs.size() - 1);
        }
    }

    @Override
    public void computeGradientAndScore(LayerWorkspaceMgr workspaceMgr) {
        INDArray x = checked(input);
        long n = x.size(0);
        int samples = layerConf().getNumSamples();
        Pass encoder = forward(layerConf().encoder(), x, true, workspaceMgr);
        LookingUnits.Walk walk = drawn(encoder, samples, true, workspaceMgr);
        INDArray logits = rows(walk.logits());
        Table table = Table.of(logits);
        Pass decoder = forward(layerConf().decoder(), walk.z(), true, workspaceMgr);
        INDArray data = repeated(x, samples);
        double missed = likelihood.negLogProbability(data, decoder.output(), false) / samples;
        score = (missed + divergence(table) / samples) / n + calcRegularizationScore(false);

        INDArray byOutput = likelihood.gradient(data, decoder.output()).divi(samples);
        INDArray byCode = rows(backward(decoder, byOutput, null, workspaceMgr));
        INDArray byLogits = Table.secondOrder(logits, rows(walk.z()), byCode, layerConf().getTemperature())
                .addi(Table.jacobian(table.q(), table.logs()).divi(samples)).reshape(walk.z().shape());
        backward(encoder, walk, byLogits, workspaceMgr);
        gradient = gradient(false);
        weightNoiseParams.clear();
    }

    /** KL(q || uniform), summed over rows. */
    private double divergence(Table table) {
        return table.q().mul(table.logs()).sumNumber().doubleValue()
                + table.q().size(0) * Math.log(layerConf().getCategories());
    }

    /** So many codes of every row, [S n, D K], each the largest of its logits and Gumbel noise. */
    private LookingUnits.Walk drawn(Pass encoder, int samples, boolean training, LayerWorkspaceMgr workspaceMgr) {
        INDArray uniform = Nd4j.rand(dataType, encoder.output().length() * samples / layerConf().getCategories(),
                layerConf().getCategories());
        INDArray noise = Transforms.log(Transforms.log(uniform, false).negi(), false).negi();
        return walk(encoder, samples, noise, training, workspaceMgr);
    }

    /** The likeliest category of every variable, one after the other. */
    private LookingUnits.Walk likeliest(Pass encoder, boolean training, LayerWorkspaceMgr workspaceMgr) {
        return walk(encoder, 1, rows(Nd4j.zeros(dataType, encoder.output().shape())), training, workspaceMgr);
    }

    /** So many codes of every row, each the largest of logits and noise [S n D, K]. */
    private LookingUnits.Walk walk(Pass encoder, int samples, INDArray noise, boolean training,
            LayerWorkspaceMgr workspaceMgr) {
        INDArray own = repeated(logits(encoder, training), samples);
        if (!looks()) {
            INDArray z = LookingUnits.largest(rows(own).add(noise));
            return new LookingUnits.Walk(z.reshape(own.shape()), own, List.of());
        }
        LookingUnits units = units(training, workspaceMgr);
        INDArray added = noise.reshape(own.shape());
        return units.walk(own, repeated(start(encoder, training, workspaceMgr), samples),
                (d, logits) -> LookingUnits.largest(logits.add(units.columns(added, d))));
    }

    private boolean looks() {
        return layerConf().getLooking() > 0;
    }

    private LookingUnits units(boolean training, LayerWorkspaceMgr workspaceMgr) {
        return new LookingUnits(layerConf().space(),
                getParamWithNoise(layerConf().rows().weights(), training, workspaceMgr),
                getParamWithNoise(layerConf().weights().weights(), training, workspaceMgr));
    }

    /** What the units that look at earlier variables begin with, [n, H]. */
    private INDArray start(Pass encoder, boolean training, LayerWorkspaceMgr workspaceMgr) {
        Dense start = layerConf().start();
        return encoder.hidden().mmul(getParamWithNoise(start.weights(), training, workspaceMgr))
                .addiRowVector(getParamWithNoise(start.bias(), training, workspaceMgr));
    }

    /** Writes the gradients of encoder and units, given that by the logits [S n, D K]; returns that by the
     * data. */
    private INDArray backward(Pass encoder, LookingUnits.Walk walk, INDArray byLogits, LayerWorkspaceMgr workspaceMgr) {
        long n = encoder.output().size(0);
        INDArray byHidden = null;
        if (looks()) {
            Dense start = layerConf().start();
            INDArray byStart = summed(units(true, workspaceMgr).backward(walk, byLogits,
                    gradientViews.get(layerConf().rows().weights()),
                    gradientViews.get(layerConf().weights().weights())), n);
            Nd4j.gemm(encoder.hidden(), byStart, gradientViews.get(start.weights()), true, false, 1, 0);
            byStart.sum(gradientViews.get(start.bias()), 0);
            byHidden = byStart.mmul(getParamWithNoise(start.weights(), true, workspaceMgr).transpose());
        }
        INDArray bySums = layerConf().getPzxActivationFn().backprop(encoder.output(), summed(byLogits, n)).getFirst();
        return backward(encoder, bySums, byHidden, workspaceMgr);
    }

    /** The sums over samples [n, m] of rows [S n, m]. */
    private static INDArray summed(INDArray all, long n) {
        return all.size(0) == n ? all
                : all.reshape(all.size(0) / n, n * all.size(1)).sum(0).reshape(n, all.size(1));
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

    /** Writes the gradients of the parameters, given that of the output, and what else comes to the last hidden layer,
     * or null; returns that of the input. */
    private INDArray backward(Pass pass, INDArray byOutput, INDArray byHidden, LayerWorkspaceMgr workspaceMgr) {
        INDArray delta = byOutput;
        for (int i = pass.layers.size() - 1; i >= 0; i--) {
            Dense dense = pass.layers.get(i);
            Nd4j.gemm(pass.inputs.get(i), delta, gradientViews.get(dense.weights()), true, false, 1, 0);
            delta.sum(gradientViews.get(dense.bias()), 0);
            INDArray byInput = delta.mmul(getParamWithNoise(dense.weights(), true, workspaceMgr).transpose());
            if (byHidden != null && i == pass.layers.size() - 1) {
                byInput.addi(byHidden);
            }
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

    /** The tables q(z_d | x), or q(z_d | z_&lt;d, x) along the likeliest of each, [n, D K]. */
    @Override
    public INDArray activate(boolean training, LayerWorkspaceMgr workspaceMgr) {
        assertInputSet(false);
        Pass encoder = forward(layerConf().encoder(), input.castTo(dataType), training, workspaceMgr);
        INDArray logits = likeliest(encoder, training, workspaceMgr).logits();
        return workspaceMgr.dup(ArrayType.ACTIVATIONS, Table.of(rows(logits)).q().reshape(logits.shape()));
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
        LookingUnits.Walk walk = likeliest(encoder, true, workspaceMgr);
        INDArray byLogits = Table.jacobian(Table.of(rows(walk.logits())).q(), rows(epsilon));
        INDArray byInput = backward(encoder, walk, byLogits.reshape(epsilon.shape()), workspaceMgr);
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
        Pass encoder = forward(layerConf().encoder(), x, false, none);
        double logPrior = -layerConf().space().variables() * Math.log(layerConf().getCategories());
        INDArray weights = Nd4j.create(DataType.DOUBLE, x.size(0), numSamples);
        for (int s = 0; s < numSamples; s++) {
            LookingUnits.Walk walk = drawn(encoder, 1, false, none);
            INDArray decoded = decode(walk.z());
            INDArray logs = Table.of(rows(walk.logits())).logs().reshape(walk.z().shape());
            INDArray logQ = logs.muli(walk.z()).sum(true, 1);
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

    /** The posteriors q(z | x) of data [n, in]: a {@link Product} each, or where variables look at earlier ones a
     * {@code FlowMixture}. */
    public List<CodeDistribution> posterior(INDArray data) {
        LayerWorkspaceMgr none = LayerWorkspaceMgr.noWorkspaces();
        Pass encoder = forward(layerConf().encoder(), data.castTo(dataType), false, none);
        INDArray logits = logits(encoder, false);
        if (looks()) {
            return units(false, none).distributions(logits, start(encoder, false, none));
        }
        double[][] q = Table.of(rows(logits.castTo(DataType.DOUBLE))).q().toDoubleMatrix();
        int variables = layerConf().space().variables();
        List<CodeDistribution> posteriors = new ArrayList<>();
        for (int at = 0; at < q.length; at += variables) {
            posteriors.add(new Product(Arrays.copyOfRange(q, at, at + variables)));
        }
        return posteriors;
    }

    private INDArray checked(INDArray data) {
        INDArray x = data.castTo(dataType);
        Check.that(x.rank() == 2 && x.size(1) == layerConf().getNIn(), "data of shape ", Arrays.toString(x.shape()),
                ": [n, ", layerConf().getNIn(), "] is needed ", layerId());
        ReconstructionLikelihood.check(likelihood, x);
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
