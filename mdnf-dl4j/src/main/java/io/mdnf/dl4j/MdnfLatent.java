package io.mdnf.dl4j;

import io.mdnf.base.Deltas;
import io.mdnf.flow.Setting;
import io.mdnf.flow.ShiftFlow;
import io.mdnf.graph.Graph;
import io.mdnf.graph.Precision;
import io.mdnf.graph.StraightThrough;
import io.mdnf.graph.Tensor;
import io.mdnf.mixture.Estimator;
import io.mdnf.mixture.Mixture;
import io.mdnf.mixture.Structure;
import io.mdnf.mixture.Weighting;
import io.mdnf.network.Given;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.samediff.SDLayerParams;
import org.deeplearning4j.nn.conf.layers.samediff.SameDiffLayer;
import org.nd4j.autodiff.samediff.SDVariable;
import org.nd4j.autodiff.samediff.SameDiff;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.shade.jackson.annotation.JsonIgnore;

/**
 * The posterior of a discrete latent code as a layer of a DL4J graph: a PER_VARIABLE mixture of B shift flows on deltas
 * whose shifts a linear map reads off the encoder.
 *
 * <p>From the encoder's output h [n, in], the logits h W + b [n, B, D, K] give each flow one category per variable, the
 * largest one, and the layer's output is the table of their frequencies,
 *
 * <pre>q_d(k) = (number of flows b whose category for variable d is k) / B,   [n, D * K], row-major,</pre>
 *
 * exactly: a multiple of 1 / B, with zeros where k &gt;= K_d. The gradient is that of softmax(logits / temperature) in
 * place of the largest one. Flows without number ({@link Builder#unlimited}) have the logits h W + b [n, D, K], and
 * q = softmax(logits), their limit. The layer draws nothing (where variables look at earlier ones, the layer has to:
 * {@link AutoregressiveLatent}). What turns q into codes and what scores it are its companions:
 *
 * <pre>{@code
 * MdnfLatent latent = new MdnfLatent.Builder().nIn(64).codes(CodeSpace.uniform(10, 2)).components(40).build();
 * builder.addInputs("image", "choice")
 *         .addLayer("encoder", encoder, "image")                                // [n, 64]
 *         .addLayer("posterior", latent, "encoder")                             // q, [n, 20]
 *         .addVertex("code", latent.sample(), "posterior", "choice")            // x ~ q, one-hot, [n, 20]
 *         .addLayer("decoder", decoder, "code")                                 // pixel logits, [n, 784]
 *         .addLayer("elbo", latent.negativeElbo(784), "decoder", "posterior")   // the score
 *         .setOutputs("elbo");
 * }</pre>
 */
public final class MdnfLatent extends SameDiffLayer {

    private static final long serialVersionUID = 1;

    /** The number of flows that stands for flows without number: as many as choices of type float can tell apart. */
    static final int UNLIMITED = 1 << 22;

    private static final String WEIGHTS = "W";
    private static final String BIAS = "b";

    private long inputs;
    private int[] cardinalities;
    private int components;
    private double temperature;

    /** For Jackson. */
    MdnfLatent() {}

    private MdnfLatent(Builder builder) {
        super(builder);
        inputs = builder.inputs;
        cardinalities = builder.codes.cardinalities();
        components = builder.components;
        temperature = builder.temperature;
    }

    /** Returns the number of inputs; 0 until DL4J has set it from the input type. */
    public long getInputs() {
        return inputs;
    }

    /** Returns K_1 .. K_D. */
    public int[] getCardinalities() {
        return cardinalities.clone();
    }

    /** Returns B, the number of flows. */
    public int getComponents() {
        return components;
    }

    /** Returns whether q is the softmax of logits, the limit of flows without number. */
    @JsonIgnore
    public boolean isUnlimited() {
        return components == UNLIMITED;
    }

    /** How many logits every category has. */
    private int networks() {
        return isUnlimited() ? 1 : components;
    }

    /** Returns the temperature of the gradient. */
    public double getTemperature() {
        return temperature;
    }

    CodeSpace space() {
        return CodeSpace.of(cardinalities);
    }

    /** The vertex that draws codes from this posterior, with the second-order gradient: from q [n, D * K] and choice
     * [n, D] to x [n, D * K]. */
    public SampledCode sample() {
        return sample(Estimator.SECOND_ORDER);
    }

    /** As {@link #sample()}; the estimator says what a code tells its table, to first or second order. */
    public SampledCode sample(Estimator estimator) {
        return new SampledCode(space(), components, estimator, temperature);
    }

    /** The output layer that scores codes of this posterior under the uniform prior; its inputs are logits [n, pixels]
     * and q [n, D * K], in this order. */
    public NegativeElbo negativeElbo(int pixels) {
        return new NegativeElbo(pixels, space(), components);
    }

    /** What draws the vertex's second input and pairs it with images: a preprocessor of an iterator's batches. */
    public ComponentChoices choices(Seed seed) {
        return new ComponentChoices(cardinalities.length, components, seed);
    }

    @Override
    public SDVariable defineLayer(SameDiff sameDiff, SDVariable layerInput, Map<String, SDVariable> paramTable,
            SDVariable mask) {
        CodeSpace codes = space();
        int length = codes.oneHotLength();
        Graph graph = new Graph(sameDiff, Precision.of(layerInput));
        Tensor h = graph.adopt(layerInput, -1, inputs);
        int flows = networks();
        Tensor weights = graph.adopt(paramTable.get(WEIGHTS), inputs, (long) flows * length);
        Tensor bias = graph.adopt(paramTable.get(BIAS), 1, (long) flows * length);
        Tensor logits = h.matmul(weights).plusRow(bias).reshape(-1, flows, length).permute(1, 0, 2)
                .reshape(flows, -1, codes.variables(), codes.width());
        Tensor inverseTemperature = graph.constant(new double[] {1 / temperature}, 1, 1);
        Given network = new Given(codes, flows);
        Mixture mixture = isUnlimited() ? Mixture.unlimited(network)
                : new Mixture(Structure.PER_VARIABLE, new ShiftFlow(network), Deltas.zero(codes, flows),
                        Weighting.EQUAL);
        Setting setting = new Setting(graph, StraightThrough.FIRST_ORDER, inverseTemperature, logits);
        return gradientOnce(mixture.in(setting).tables(null).q().reshape(-1, length)).variable();
    }

    /**
     * The same value with half the gradient: DL4J 1.0.0-M2.1 counts the gradient of a SameDiff layer's output twice,
     * as the function that feeds in the outer gradient both sets it and returns it to be added. Output layers are not
     * concerned.
     */
    private static Tensor gradientOnce(Tensor result) {
        return StraightThrough.carryGradient(result.stopGradient(), result.times(0.5));
    }

    @Override
    public void defineParameters(SDLayerParams params) {
        if (inputs < 1) {
            throw new IllegalStateException("nIn = " + inputs + " in layer " + getLayerName()
                    + ": give the number of inputs, or the graph's input types");
        }
        long out = (long) networks() * space().oneHotLength();
        params.addWeightParam(WEIGHTS, inputs, out);
        params.addBiasParam(BIAS, 1, out);
    }

    @Override
    public void initializeParameters(Map<String, INDArray> params) {
        // by the fan-out of one flow: the flows lie beside each other and do not add up
        initWeights((int) inputs, space().oneHotLength(), weightInit, params.get(WEIGHTS));
        params.get(BIAS).assign(0);
    }

    @Override
    public InputType getOutputType(int layerIndex, InputType inputType) {
        return InputType.feedForward(space().oneHotLength());
    }

    @Override
    public void setNIn(InputType inputType, boolean override) {
        if (inputs < 1 || override) {
            inputs = inputType.arrayElementsPerExample();
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MdnfLatent latent && super.equals(latent) && inputs == latent.inputs
                && components == latent.components && temperature == latent.temperature
                && Arrays.equals(cardinalities, latent.cardinalities);
    }

    @Override
    public int hashCode() {
        return Objects.hash(super.hashCode(), inputs, components, temperature, Arrays.hashCode(cardinalities));
    }

    @Override
    public String toString() {
        return "MdnfLatent(nIn=" + inputs + ", " + space() + ", B="
                + (isUnlimited() ? "unlimited" : components) + ", temperature=" + temperature + ")";
    }

    /** Describes the layer; updater, regularisation and weight initialisation are DL4J's own. */
    @SuppressWarnings("unchecked") // DL4J's build() can return any layer, this one cannot
    public static final class Builder extends SameDiffLayer.Builder<Builder> {

        private long inputs;
        private CodeSpace codes;
        private int components = 40;
        private double temperature = 1;

        /** The number of inputs, the encoder's width; needed unless the graph has input types. */
        public Builder nIn(long width) {
            inputs = Check.atLeastOne("nIn", width);
            return this;
        }

        /** The space of latent codes: D variables with K_1 .. K_D categories. */
        public Builder codes(CodeSpace space) {
            codes = space;
            return this;
        }

        /** The number B of flows, 40 unless told: q is a multiple of 1 / B, the layer has in * B * D * K weights. */
        public Builder components(int flows) {
            components = Check.atLeastOne("components", flows);
            return this;
        }

        /** Flows without number: q = softmax of in * D * K weights' logits, better and cheaper than any number of
         * flows. Drawn codes have the second-order gradient whose half point is at the temperature; 3 suits. */
        public Builder unlimited() {
            components = UNLIMITED;
            return this;
        }

        /** The temperature of the gradient, above 0, 1 unless told; it does not change q. */
        public Builder temperature(double tau) {
            temperature = Check.positive("temperature", tau);
            return this;
        }

        @Override
        public MdnfLatent build() {
            if (codes == null) {
                throw new IllegalStateException("codes: the space of latent codes is missing");
            }
            return new MdnfLatent(this);
        }
    }
}
