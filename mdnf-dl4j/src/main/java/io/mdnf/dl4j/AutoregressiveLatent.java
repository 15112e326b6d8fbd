package io.mdnf.dl4j;

import io.mdnf.dl4j.DenseParameters.Dense;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.deeplearning4j.nn.api.Layer;
import org.deeplearning4j.nn.api.ParamInitializer;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.SubsetVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.memory.LayerMemoryReport;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * The posterior of a discrete latent code as a layer of a DL4J graph in which every variable looks at those before it,
 * net(z_&lt;d, y), where that of {@link MdnfLatent} is a product. So it draws and scores in one:
 *
 * <pre>
 * l_d = b_d + G_d h + V_d relu(c + A h + sum_{e &lt; d} W_e z_e),    q_d = softmax(l_d),    z_d ~ q_d
 * </pre>
 *
 * From the encoder's output h [n, m] and choice [n, D], drawn outside the graph ({@link #choices}), to z and q side by
 * side, [n, 2 D K]; {@link #code} and {@link #tables} take them apart. What is scored is what was drawn: the sum of the
 * tables' divergences along the drawn code is on average KL(q || p), so the score is a negative ELBO. The code has the
 * second-order gradient of {@link MdnfLatent#sample()}, the tables that of the softmax.
 *
 * <pre>{@code
 * AutoregressiveLatent latent = new AutoregressiveLatent.Builder().nIn(64).codes(CodeSpace.uniform(10, 2)).build();
 * builder.addInputs("image", "choice")
 *         .addLayer("encoder", encoder, "image")                                // [n, 64]
 *         .addLayer("latent", latent, "encoder", "choice")                      // z and q, [n, 40]
 *         .addVertex("code", latent.code(), "latent")                           // z ~ q, one-hot, [n, 20]
 *         .addVertex("posterior", latent.tables(), "latent")                    // q, [n, 20]
 *         .addLayer("decoder", decoder, "code")                                 // pixel logits, [n, 784]
 *         .addLayer("elbo", latent.negativeElbo(784), "decoder", "posterior")   // the score
 *         .setOutputs("elbo");
 * }</pre>
 */
public final class AutoregressiveLatent extends FeedForwardLayer implements DenseParameters.Made {

    private static final long serialVersionUID = 1;

    private int[] cardinalities;
    private int looking;
    private double temperature;

    /** For Jackson. */
    AutoregressiveLatent() {}

    private AutoregressiveLatent(Builder builder) {
        super(builder);
        cardinalities = builder.codes.cardinalities();
        looking = builder.looking;
        temperature = builder.temperature;
        // the choices come beside the encoder's output
        nIn = builder.features == 0 ? 0 : builder.features + cardinalities.length;
        nOut = 2L * space().oneHotLength();
    }

    /** Returns K_1 .. K_D. */
    public int[] getCardinalities() {
        return cardinalities.clone();
    }

    /** Returns the units that look at earlier variables. */
    public int getLooking() {
        return looking;
    }

    /** Returns the temperature of the gradient of drawn codes. */
    public double getTemperature() {
        return temperature;
    }

    CodeSpace space() {
        return CodeSpace.of(cardinalities);
    }

    /** m, the width of the encoder. */
    long features() {
        return nIn - cardinalities.length;
    }

    /** b and G. */
    Dense own() {
        return new Dense("own", features(), space().oneHotLength());
    }

    /** c and A. */
    Dense start() {
        return new Dense("start", features(), looking);
    }

    /** W. */
    Dense rows() {
        return new Dense("rows", space().oneHotLength(), looking, false);
    }

    /** V. */
    Dense weights() {
        return new Dense("weights", looking, space().oneHotLength(), false);
    }

    @Override
    public List<Dense> dense() {
        return List.of(own(), start(), rows(), weights());
    }

    /** The vertex that takes the drawn codes, [n, D K], from this layer's output. */
    public SubsetVertex code() {
        return new SubsetVertex(0, space().oneHotLength() - 1);
    }

    /** The vertex that takes the tables the codes were drawn from, [n, D K], from this layer's output. */
    public SubsetVertex tables() {
        return new SubsetVertex(space().oneHotLength(), 2 * space().oneHotLength() - 1);
    }

    /** The output layer that scores codes under the uniform prior; its inputs are logits [n, pixels] and the {@link
     * #tables}, in this order. */
    public NegativeElbo negativeElbo(int pixels) {
        return new NegativeElbo(pixels, space(), MdnfLatent.UNLIMITED);
    }

    /** What draws the layer's second input and pairs it with images: a preprocessor of an iterator's batches. */
    public ComponentChoices choices(Seed seed) {
        return new ComponentChoices(cardinalities.length, MdnfLatent.UNLIMITED, seed);
    }

    @Override
    public Layer instantiate(NeuralNetConfiguration conf, Collection<TrainingListener> listeners, int index,
            INDArray params, boolean initialise, DataType type) {
        return DenseParameters.placed(new AutoregressiveLatentLayer(conf, type), listeners, index, params, initialise);
    }

    @Override
    public ParamInitializer initializer() {
        return DenseParameters.INSTANCE;
    }

    @Override
    public LayerMemoryReport getMemoryReport(InputType inputType) {
        int walked = cardinalities.length * looking + 4 * space().oneHotLength();
        return DenseParameters.memory(this, inputType, walked, 2 * walked);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AutoregressiveLatent latent && super.equals(latent) && looking == latent.looking
                && temperature == latent.temperature && Arrays.equals(cardinalities, latent.cardinalities);
    }

    @Override
    public int hashCode() {
        return Objects.hash(super.hashCode(), looking, temperature, Arrays.hashCode(cardinalities));
    }

    @Override
    public String toString() {
        return "AutoregressiveLatent(nIn=" + features() + ", " + space() + ", looking=" + looking + ", temperature="
                + temperature + ")";
    }

    /** Describes the layer; updater, regularisation and weight initialisation are DL4J's own. */
    @SuppressWarnings("unchecked") // DL4J's build() can return any layer, this one cannot
    public static final class Builder extends FeedForwardLayer.Builder<Builder> {

        private long features;
        private CodeSpace codes;
        private int looking = 128;
        private double temperature = 3;

        /** The encoder's width; needed unless the graph has input types. */
        @Override
        public Builder nIn(int width) {
            return nIn((long) width);
        }

        /** The encoder's width; needed unless the graph has input types. */
        @Override
        public Builder nIn(long width) {
            features = Check.atLeastOne("nIn", width);
            return this;
        }

        /** The space of latent codes: D variables with K_1 .. K_D categories. */
        public Builder codes(CodeSpace space) {
            codes = space;
            return this;
        }

        /** The units that look at earlier variables, 128 unless told. */
        public Builder looking(int units) {
            looking = Check.atLeastOne("looking", units);
            return this;
        }

        /** The temperature of the gradient of drawn codes, above 0, 3 unless told; it changes neither q nor the
         * score. */
        public Builder temperature(double tau) {
            temperature = Check.positive("temperature", tau);
            return this;
        }

        @Override
        public AutoregressiveLatent build() {
            if (codes == null) {
                throw new IllegalStateException("codes: the space of latent codes is missing");
            }
            return new AutoregressiveLatent(this);
        }
    }
}
