package io.mdnf.dl4j;

import io.mdnf.dl4j.DenseParameters.Dense;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.ParamInitializer;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.variational.GaussianReconstructionDistribution;
import org.deeplearning4j.nn.conf.layers.variational.ReconstructionDistribution;
import org.deeplearning4j.nn.conf.memory.LayerMemoryReport;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * A variational autoencoder with discrete codes as a pretrain layer, configured as DL4J's Gaussian {@code
 * VariationalAutoencoder} is: D variables of K categories, nOut = D K.
 *
 * <pre>
 * q(z | x) = prod_d softmax(l_d)_{z_d}          l = encoder(x), [n, D, K]: flows without number
 * p(z)     = K^-D
 * p(x | z) = any {@code ReconstructionDistribution} that is a probability
 * score    = mean over x of KL(q || p) - log p(x | z),   z ~ q one-hot: at least -log p(x) on average
 * </pre>
 *
 * With {@link Builder#autoregressive} l_d looks at the variables drawn before it, too, net(z_&lt;d, x) in the manner of
 * {@code Nade}.
 *
 * <p>The divergence is summed in closed form, given the variables before. Pretraining gives the logits the second-order
 * gradient of the drawn code at the temperature tau ({@code StraightThrough.carrySecondOrder}); as a layer of a network
 * its output is the table q, [n, D K], with the gradient of the softmax, where variables look at earlier ones along the
 * likeliest of each.
 *
 * <pre>{@code
 * DiscreteVariationalAutoencoder layer = new DiscreteVariationalAutoencoder.Builder().nIn(784).nOut(200).categories(10)
 *         .encoderLayerSizes(256).decoderLayerSizes(256).reconstructionDistribution(pixels).build();
 * }</pre>
 *
 * What it can do once trained is in {@link DiscreteVariationalAutoencoderLayer}.
 */
public final class DiscreteVariationalAutoencoder extends FeedForwardLayer implements DenseParameters.Made {

    private static final long serialVersionUID = 1;

    private int categories;
    private double temperature;
    private int[] encoderLayerSizes;
    private int[] decoderLayerSizes;
    private ReconstructionDistribution outputDistribution;
    private IActivation pzxActivationFn;
    private int numSamples;
    private int looking;

    /** For Jackson. */
    DiscreteVariationalAutoencoder() {}

    private DiscreteVariationalAutoencoder(Builder builder) {
        super(builder);
        categories = builder.categories;
        temperature = builder.temperature;
        encoderLayerSizes = builder.encoderLayerSizes.clone();
        decoderLayerSizes = builder.decoderLayerSizes.clone();
        outputDistribution = builder.outputDistribution;
        pzxActivationFn = builder.pzxActivationFn;
        numSamples = builder.numSamples;
        looking = builder.looking;
    }

    /** Returns K. */
    public int getCategories() {
        return categories;
    }

    /** Returns the temperature of the gradient of drawn codes. */
    public double getTemperature() {
        return temperature;
    }

    /** Returns the widths of the encoder's hidden layers. */
    public int[] getEncoderLayerSizes() {
        return encoderLayerSizes.clone();
    }

    /** Returns the widths of the decoder's hidden layers. */
    public int[] getDecoderLayerSizes() {
        return decoderLayerSizes.clone();
    }

    /** Returns p(x | z). */
    public ReconstructionDistribution getOutputDistribution() {
        return outputDistribution;
    }

    /** Returns what the encoder's output goes through to become logits. */
    public IActivation getPzxActivationFn() {
        return pzxActivationFn;
    }

    /** Returns how many codes pretraining draws for each example. */
    public int getNumSamples() {
        return numSamples;
    }

    /** Returns the units that look at earlier variables; 0 of a product. */
    public int getLooking() {
        return looking;
    }

    CodeSpace space() {
        return CodeSpace.uniform((int) (getNOut() / categories), categories);
    }

    /** From x to logits. */
    List<Dense> encoder() {
        return network("e", getNIn(), encoderLayerSizes, "pZX", getNOut());
    }

    /** From the encoder's last hidden layer to what the units that look at earlier variables begin with. */
    Dense start() {
        return new Dense("pZXStart", encoderLayerSizes[encoderLayerSizes.length - 1], looking);
    }

    /** What a drawn variable adds to the units of those after it. */
    Dense rows() {
        return new Dense("pZXRows", getNOut(), looking, false);
    }

    /** What the units add to the logits. */
    Dense weights() {
        return new Dense("pZXWeights", looking, getNOut(), false);
    }

    @Override
    public List<Dense> dense() {
        List<Dense> all = new ArrayList<>(encoder());
        all.addAll(looking == 0 ? List.of() : List.of(start(), rows(), weights()));
        all.addAll(decoder());
        return all;
    }

    /** From a code to the parameters of p(x | z). */
    List<Dense> decoder() {
        int out = outputDistribution.distributionInputSize((int) getNIn());
        return network("d", getNOut(), decoderLayerSizes, "pXZ", out);
    }

    private static List<Dense> network(String prefix, long in, int[] hidden, String last, long out) {
        List<Dense> layers = new ArrayList<>();
        long width = in;
        for (int i = 0; i < hidden.length; i++) {
            layers.add(new Dense(prefix + i, width, hidden[i]));
            width = hidden[i];
        }
        layers.add(new Dense(last, width, out));
        return layers;
    }

    @Override
    public Layer instantiate(NeuralNetConfiguration conf, Collection<TrainingListener> listeners, int index,
            INDArray params, boolean initialise, DataType type) {
        return DenseParameters.placed(new DiscreteVariationalAutoencoderLayer(conf, type), listeners, index, params,
                initialise);
    }

    @Override
    public ParamInitializer initializer() {
        return DenseParameters.INSTANCE;
    }

    /** The decoder's parameters take no part once the layer is one of a network. */
    @Override
    public boolean isPretrainParam(String paramName) {
        return !paramName.startsWith("e") && !paramName.startsWith("pZX");
    }

    @Override
    public LayerMemoryReport getMemoryReport(InputType inputType) {
        int forward = Arrays.stream(encoderLayerSizes).sum();
        // logits, tables, codes and their gradients, and what the decoder keeps for the way back
        int pretraining = 2 * (forward + numSamples * (4 * (int) getNOut() + Arrays.stream(decoderLayerSizes).sum()));
        return DenseParameters.memory(this, inputType, forward, pretraining);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DiscreteVariationalAutoencoder vae && super.equals(vae) && parts().equals(vae.parts());
    }

    @Override
    public int hashCode() {
        return Objects.hash(super.hashCode(), parts());
    }

    private List<Object> parts() {
        return List.of(categories, temperature, Arrays.toString(encoderLayerSizes), Arrays.toString(decoderLayerSizes),
                outputDistribution, pzxActivationFn, numSamples, looking);
    }

    @Override
    public String toString() {
        return "DiscreteVariationalAutoencoder(nIn=" + getNIn() + ", encoder=" + Arrays.toString(encoderLayerSizes)
                + ", nOut=" + getNOut() + ", K=" + categories + ", decoder=" + Arrays.toString(decoderLayerSizes) + ", "
                + (looking == 0 ? "" : "autoregressive by " + looking + ", ") + outputDistribution + ")";
    }

    /** Describes the layer, in the words of DL4J's own; updater, activation and weight initialisation are DL4J's. */
    @SuppressWarnings("unchecked") // DL4J's build() can return any layer, this one cannot
    public static final class Builder extends FeedForwardLayer.Builder<Builder> {

        private int categories = 2;
        private double temperature = 3;
        private int[] encoderLayerSizes = {100};
        private int[] decoderLayerSizes = {100};
        private ReconstructionDistribution outputDistribution = new GaussianReconstructionDistribution(Activation.TANH);
        private IActivation pzxActivationFn = new ActivationIdentity();
        private int numSamples = 1;
        private int looking;

        /** The categories K of every variable, 2 unless told; there are D = nOut / K variables. */
        public Builder categories(int count) {
            Check.that(count >= 2, "categories = ", count, ": at least 2 are needed");
            categories = count;
            return this;
        }

        /** The temperature tau of the gradient of drawn codes, above 0, 3 unless told; it changes neither q nor the
         * score. */
        public Builder temperature(double tau) {
            temperature = Check.positive("temperature", tau);
            return this;
        }

        /** The widths of the encoder's hidden layers, one of 100 unless told. */
        public Builder encoderLayerSizes(int... sizes) {
            encoderLayerSizes = checked("encoderLayerSizes", sizes);
            return this;
        }

        /** The widths of the decoder's hidden layers, one of 100 unless told. */
        public Builder decoderLayerSizes(int... sizes) {
            decoderLayerSizes = checked("decoderLayerSizes", sizes);
            return this;
        }

        /** p(x | z): DL4J's Bernoulli (of the sigmoid), Gaussian (of tanh unless told), exponential, a composite of
         * them, or one of yours that is a probability; loss functions are refused, since they give no bound. */
        public Builder reconstructionDistribution(ReconstructionDistribution distribution) {
            ReconstructionLikelihood.exact(distribution);
            outputDistribution = distribution;
            return this;
        }

        /** What the encoder's output goes through to become logits, nothing unless told. */
        public Builder pzxActivationFn(IActivation activation) {
            pzxActivationFn = activation;
            return this;
        }

        /** As {@link #pzxActivationFn}. */
        public Builder pzxActivationFunction(Activation activation) {
            return pzxActivationFn(activation.getActivationFunction());
        }

        /** How many codes pretraining draws for each example, 1 unless told. */
        public Builder numSamples(int samples) {
            numSamples = Check.atLeastOne("numSamples", samples);
            return this;
        }

        /** Lets every variable look at those before it by so many units: a posterior that is no product, at about
         * twice the time. */
        public Builder autoregressive(int units) {
            Check.that(units >= 1, "autoregressive = ", units, ": at least 1 unit is needed");
            looking = units;
            return this;
        }

        @Override
        public DiscreteVariationalAutoencoder build() {
            Check.that(nOut % categories == 0, "nOut = ", nOut, " is no multiple of categories = ", categories,
                    ": nOut is the length D K of a one-hot code");
            return new DiscreteVariationalAutoencoder(this);
        }

        private static int[] checked(String name, int[] sizes) {
            Check.that(sizes.length >= 1 && Arrays.stream(sizes).allMatch(size -> size >= 1), name, " = ",
                    Arrays.toString(sizes), ": at least one width above 0 is needed");
            return sizes.clone();
        }
    }
}
