package io.mdnf.dl4j;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.deeplearning4j.nn.api.ParamInitializer;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LayerValidation;
import org.deeplearning4j.nn.conf.memory.LayerMemoryReport;
import org.deeplearning4j.nn.conf.memory.MemoryReport;
import org.deeplearning4j.nn.layers.AbstractLayer;
import org.deeplearning4j.nn.weights.IWeightInit;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.indexing.NDArrayIndex;

/** The parameters of layers made of {@link Dense} ones, one after the other in DL4J's flat vector: weights [in, out] in
 * DL4J's order 'f', then biases [out]. */
final class DenseParameters implements ParamInitializer {

    static final DenseParameters INSTANCE = new DenseParameters();

    /** A layer of a network that is made of dense ones. */
    interface Made {
        List<Dense> dense();
    }

    /** One dense layer; its parameters are called by its name and W or b. */
    record Dense(String name, long in, long out, boolean biased) {

        Dense(String name, long in, long out) {
            this(name, in, out, true);
        }

        long size() {
            return in * out + (biased ? out : 0);
        }

        String weights() {
            return name + "W";
        }

        String bias() {
            return name + "b";
        }
    }

    private DenseParameters() {}

    /** The layer that runs a configuration, with its parameters, listeners and place. */
    static <L extends AbstractLayer<?>> L placed(L layer, Collection<TrainingListener> listeners, int index,
            INDArray params, boolean initialise) {
        FeedForwardLayer made = (FeedForwardLayer) layer.conf().getLayer();
        LayerValidation.assertNInNOutSet(made.getClass().getSimpleName(), made.getLayerName(), index, made.getNIn(),
                made.getNOut());
        layer.setListeners(listeners);
        layer.setIndex(index);
        layer.setParamsViewArray(params);
        layer.setParamTable(INSTANCE.init(layer.conf(), params, initialise));
        return layer;
    }

    /** What a configuration takes: so many numbers for an example forwards, and so many while it trains. */
    static LayerMemoryReport memory(FeedForwardLayer made, InputType input, int forwards, int training) {
        long parameters = INSTANCE.numParams(made);
        return new LayerMemoryReport.Builder(made.getLayerName(), made.getClass(), input,
                made.getOutputType(-1, input))
                .standardMemory(parameters, (int) made.getIUpdater().stateSize(parameters))
                .workingMemory(0, forwards, 0, training)
                .cacheMemory(MemoryReport.CACHE_MODE_ALL_ZEROS, MemoryReport.CACHE_MODE_ALL_ZEROS).build();
    }

    private static List<Dense> layers(Layer layer) {
        return ((Made) layer).dense();
    }

    @Override
    public long numParams(NeuralNetConfiguration conf) {
        return numParams(conf.getLayer());
    }

    @Override
    public long numParams(Layer layer) {
        return layers(layer).stream().mapToLong(Dense::size).sum();
    }

    @Override
    public List<String> paramKeys(Layer layer) {
        return layers(layer).stream().flatMap(dense -> dense.biased()
                ? Stream.of(dense.weights(), dense.bias()) : Stream.of(dense.weights())).toList();
    }

    @Override
    public List<String> weightKeys(Layer layer) {
        return layers(layer).stream().map(Dense::weights).toList();
    }

    @Override
    public List<String> biasKeys(Layer layer) {
        return layers(layer).stream().filter(Dense::biased).map(Dense::bias).toList();
    }

    @Override
    public boolean isWeightParam(Layer layer, String key) {
        return weightKeys(layer).contains(key);
    }

    @Override
    public boolean isBiasParam(Layer layer, String key) {
        return biasKeys(layer).contains(key);
    }

    @Override
    public Map<String, INDArray> init(NeuralNetConfiguration conf, INDArray paramsView, boolean initializeParams) {
        FeedForwardLayer layer = (FeedForwardLayer) conf.getLayer();
        Map<String, INDArray> views = views(layer, paramsView);
        for (Dense dense : layers(layer)) {
            if (initializeParams) {
                INDArray weights = views.get(dense.weights());
                layer.getWeightInitFn().init(dense.in(), dense.out(), weights.shape(),
                        IWeightInit.DEFAULT_WEIGHT_INIT_ORDER, weights);
                if (dense.biased()) {
                    views.get(dense.bias()).assign(layer.getBiasInit());
                }
            }
        }
        paramKeys(layer).forEach(conf::addVariable);
        return views;
    }

    @Override
    public Map<String, INDArray> getGradientsFromFlattened(NeuralNetConfiguration conf, INDArray gradientView) {
        return views(conf.getLayer(), gradientView);
    }

    private static Map<String, INDArray> views(Layer layer, INDArray flat) {
        INDArray vector = flat.reshape(flat.length());
        Map<String, INDArray> views = new LinkedHashMap<>();
        long at = 0;
        for (Dense dense : layers(layer)) {
            long bias = at + dense.in() * dense.out();
            views.put(dense.weights(),
                    vector.get(NDArrayIndex.interval(at, bias)).reshape('f', dense.in(), dense.out()));
            at += dense.size();
            if (dense.biased()) {
                views.put(dense.bias(), vector.get(NDArrayIndex.interval(bias, at)));
            }
        }
        return views;
    }
}
