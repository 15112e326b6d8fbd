package io.mdnf.vae;

import io.mdnf.mixture.Estimator;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.training.TemperatureSchedule;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything that defines a discrete VAE and its training, except the data, the seed and for how long.
 *
 * <pre>{@code
 * VaeSettings best = VaeSettings.of(20, 10);
 * VaeSettings sharper = best.withPosterior(Posterior.PRODUCT).withPrior(CodePrior.UNIFORM);
 * VaeSettings published = VaeSettings.paper(10, 2, 40);
 * }</pre>
 *
 * @param posterior the family of q(z | x)
 * @param algorithm how its gradient is found
 * @param latents D, the variables of a code
 * @param categories K, the categories of each
 * @param components B, the flows of a mixture, or {@link #UNLIMITED}
 * @param straightThrough whether the decoder of a Gumbel algorithm sees one-hot codes while training
 * @param head how flows of a product get their logits
 * @param estimator where the gradient of a code sampled from a per-variable mixture goes
 * @param samples codes of an image in a step
 * @param moved whether q learns from images too that were moved by a pixel, of which the model learns nothing
 * @param prior the prior of codes
 * @param pixels what the model sees of a grey byte
 * @param channels of the encoder's convolutional layers, each of which halves height and width, before the hidden ones;
 *     none for networks that look at no neighbours; the decoder mirrors them
 * @param hidden widths of the encoder's hidden layers; the decoder mirrors them
 * @param looking hidden units of the networks that look at earlier variables
 * @param normalised whether hidden layers are normalised over the batch, which folds into their weights afterwards
 * @param centred whether the decoder starts where it describes the mean row, so that no code has to
 * @param batch images per step
 * @param shards parts of a batch, each normalised by itself and computed on a thread of its own
 * @param averageEvery steps after which shards that learn apart, each from rows of its own, are averaged, by {@link
 *     io.mdnf.training.ParameterAveraging}; 0 where their gradients are added in every step
 * @param optimiser the update rule
 * @param rate its learning rate
 * @param decaying whether the rate falls linearly to 0 over the training
 * @param warmUp epochs over which the divergence's weight rises from 0 to 1
 * @param temperature of the relaxation or of the gradient of drawn codes, by step
 * @param shuffled whether images come in a new order every epoch; the published code keeps the file's
 */
public record VaeSettings(Posterior posterior, LatentAlgorithm algorithm, int latents, int categories, int components,
        boolean straightThrough, FlowHead head, Estimator estimator, int samples, boolean moved, CodePrior prior,
        PixelKind pixels, List<Integer> channels, List<Integer> hidden, int looking, boolean normalised,
        boolean centred, int batch, int shards, int averageEvery, UpdateRule optimiser, double rate, boolean decaying,
        double warmUp, TemperatureSchedule.Exponential temperature, boolean shuffled) {

    /** The most codes that are summed while training. */
    public static final int ENUMERABLE = 4096;

    /** Codes up to which all of them are decoded in every step of the best settings. */
    private static final int FEW = 1024;

    /** In the place of a number of flows: flows without number, q_d = softmax(logits_d). */
    public static final int UNLIMITED = 0;

    /** Checks the ranges, and that the parts fit each other. */
    public VaeSettings {
        channels = List.copyOf(channels);
        hidden = List.copyOf(hidden);
        require(latents >= 1, "latents", latents, "at least 1");
        require(categories >= 2, "categories", categories, "at least 2");
        require(components >= 0, "components", components, "at least 1, or unlimited");
        require(batch >= 1, "batch", batch, "at least 1");
        require(shards >= 1 && batch % Math.max(1, shards) == 0, "shards", shards,
                "at least 1, and a divisor of the batch of " + batch);
        require(averageEvery >= 0 && (averageEvery == 0 || shards > 1), "averageEvery", averageEvery,
                "at least 1 step between averages of two or more shards, or 0");
        require(looking >= 1, "looking", looking, "at least 1");
        require(rate > 0 && rate < Double.POSITIVE_INFINITY, "rate", rate, "a finite number above 0");
        require(warmUp >= 0 && warmUp < Double.POSITIVE_INFINITY, "warmUp", warmUp, "a finite number, at least 0");
        require(!hidden.isEmpty() && hidden.stream().allMatch(width -> width >= 1), "hidden", hidden,
                "one or more widths of at least 1");
        require(channels.stream().allMatch(count -> count >= 1), "channels", channels, "at least 1 each");
        require(algorithm.isFlow() || components == UNLIMITED, "components", components,
                "the algorithm " + algorithm + " has no flows");
        require(algorithm.isRelaxed() || !straightThrough, "straightThrough", true,
                "a choice of Gumbel algorithms only, not of " + algorithm);
        require(!algorithm.needsProduct() || posterior == Posterior.PRODUCT, "algorithm", algorithm, "for a product");
        require(!(algorithm.isRelaxed() || algorithm == LatentAlgorithm.SUMMED) || prior != CodePrior.AUTOREGRESSIVE,
                "algorithm", algorithm, "for a prior that is uniform or learned");
        require(algorithm != LatentAlgorithm.DISARM || categories == 2, "categories", categories, "2 for disarm");
        require(algorithm != LatentAlgorithm.JANG || prior == CodePrior.UNIFORM, "prior", prior,
                "uniform for jang; maddison-22 is the same with any prior");
        require(algorithm.comparesCodes() ? samples >= 2 : samples == 1, "samples", samples,
                algorithm.comparesCodes() ? "at least 2 for " + algorithm
                        : "1; several are compared by reinforce and wake-sleep");
        require(!moved || algorithm == LatentAlgorithm.REINFORCE, "moved", true, "for reinforce, not for " + algorithm);
        checkPosterior(posterior, algorithm, components, estimator, categories, latents);
    }

    private static void checkPosterior(Posterior posterior, LatentAlgorithm algorithm, int components,
            Estimator estimator, int categories, int latents) {
        require(estimator != Estimator.RESAMPLED, "estimator", estimator,
                "chosen, averaged or second-order, since every image has one code");
        require(components != UNLIMITED || !algorithm.isFlow() || estimator != Estimator.CHOSEN
                || posterior == Posterior.EXACT, "estimator", estimator,
                "averaged or second-order, since flows without number are not chosen among");
        boolean counted = posterior == Posterior.JOINT;
        require(!counted || algorithm == LatentAlgorithm.MDNF && components != UNLIMITED, "posterior", posterior,
                "its flows are counted, as by 40 components, and trained by mdnf");
        require(posterior != Posterior.EXACT || algorithm == LatentAlgorithm.MDNF && components == UNLIMITED,
                "posterior", posterior, "Bayes' rule has no algorithm and no flows");
        boolean sums = algorithm == LatentAlgorithm.SUMMED || posterior == Posterior.EXACT;
        require(!sums || Math.pow(categories, latents) <= ENUMERABLE, "latents", latents,
                "where all codes are summed, categories^latents is at most " + ENUMERABLE
                        + ", as with 10 latents of 2 categories");
    }

    private static void require(boolean holds, String name, Object value, String allowed) {
        Check.that(holds, name, " = ", value, ": ", allowed);
    }

    /**
     * The best found for D variables of K categories: posterior and prior that look at earlier variables, flows without
     * number, normalised layers 784-512-256, a second-order gradient with its middle at temperature 3, Adam 3e-3
     * falling to 0, the divergence growing over the first epoch. Of few codes, each of which is decoded in a step,
     * eight are compared for every image: no bias, and little noise.
     */
    public static VaeSettings of(int latents, int categories) {
        boolean few = Math.pow(categories, latents) <= FEW;
        return new VaeSettings(Posterior.AUTOREGRESSIVE, few ? LatentAlgorithm.REINFORCE : LatentAlgorithm.MDNF,
                latents, categories, UNLIMITED, false, FlowHead.SHARED, Estimator.SECOND_ORDER, few ? 8 : 1, false,
                CodePrior.AUTOREGRESSIVE, PixelKind.GREY, List.of(), List.of(512, 256), 128, true, true, 256, 1, 0,
                UpdateRule.ADAM, 3e-3, true, 1, new TemperatureSchedule.Exponential(3, 0, 3), true);
    }

    /** The same for the rows of a table, which say less than an image: layers of 128 and 64, 128 rows in a step. */
    public static VaeSettings table(int latents, int categories) {
        return of(latents, categories).withHidden(128, 64).withBatch(128, 3e-3);
    }

    /**
     * A product with the paper's sizes and rates, 784-512-256, batch 256, Adam 1e-3, and the head and gradient of ours;
     * B is for flows only.
     */
    public static VaeSettings plain(LatentAlgorithm algorithm, int latents, int categories, int components) {
        return new VaeSettings(Posterior.PRODUCT, algorithm, latents, categories,
                algorithm.isFlow() ? components : UNLIMITED, false, FlowHead.SHARED, Estimator.SECOND_ORDER,
                algorithm.comparesCodes() ? 4 : 1, false, CodePrior.UNIFORM, PixelKind.GREY, List.of(),
                List.of(512, 256), 128, false, false, 256, 1, 0, UpdateRule.ADAM, 1e-3, false, 0,
                usualTemperature(algorithm, FlowHead.SHARED), true);
    }

    /** The published MDNF, with codes scored as they are sampled: the paper's head, the gradient of the chosen flow,
     * images in the file's order. */
    public static VaeSettings paper(int latents, int categories, int components) {
        return plain(LatentAlgorithm.MDNF, latents, categories, components).withHead(FlowHead.PAPER)
                .withEstimator(Estimator.CHOSEN).withShuffled(false);
    }

    private static TemperatureSchedule.Exponential usualTemperature(LatentAlgorithm algorithm, FlowHead head) {
        if (algorithm.isRelaxed()) {
            return new TemperatureSchedule.Exponential(1, 3e-5, 0.5);
        }
        return head == FlowHead.PAPER
                ? new TemperatureSchedule.Exponential(100, 3e-5, 0.001)
                : new TemperatureSchedule.Exponential(1, 0, 1);
    }

    /** Returns the space of codes. */
    public CodeSpace space() {
        return CodeSpace.uniform(latents, categories);
    }

    /** Returns whether flows are without number, or are not what carries the gradient. */
    boolean isUnlimited() {
        return components == UNLIMITED;
    }

    /** Returns these settings with another posterior. */
    public VaeSettings withPosterior(Posterior chosen) {
        return with(Map.of("posterior", chosen));
    }

    /** Returns these settings with another way to the gradient, and as many codes of an image in a step. */
    public VaeSettings withAlgorithm(LatentAlgorithm chosen, int codes) {
        return with(Map.of("algorithm", chosen, "samples", codes));
    }

    /** Returns these settings with a q that learns from moved images too, or not. */
    public VaeSettings withMoved(boolean chosen) {
        return with(Map.of("moved", chosen));
    }

    /** Returns these settings with another number of flows, or {@link #UNLIMITED}. */
    public VaeSettings withComponents(int flows) {
        return with(Map.of("components", flows));
    }

    /** Returns these settings with straight-through codes or without. */
    public VaeSettings withStraightThrough(boolean chosen) {
        return with(Map.of("straightThrough", chosen));
    }

    /** Returns these settings with another head and the temperature usual for it. */
    public VaeSettings withHead(FlowHead chosen) {
        TemperatureSchedule.Exponential usual = usualTemperature(algorithm, chosen);
        return with(Map.of("head", chosen)).withTemperature(usual.tau(), usual.gamma(), usual.floor());
    }

    /** Returns these settings with another gradient of sampled codes. */
    public VaeSettings withEstimator(Estimator chosen) {
        return with(Map.of("estimator", chosen));
    }

    /** Returns these settings with another prior. */
    public VaeSettings withPrior(CodePrior chosen) {
        return with(Map.of("prior", chosen));
    }

    /** Returns these settings with other pixels. */
    public VaeSettings withPixels(PixelKind chosen) {
        return with(Map.of("pixels", chosen));
    }

    /** Returns these settings with two convolutional layers in the place of the first hidden one. */
    public VaeSettings convolutional() {
        return withChannels(16, 32).withHidden(256);
    }

    /** Returns these settings with convolutional layers of so many channels, or none, before the hidden ones. */
    public VaeSettings withChannels(int... counts) {
        return with(Map.of("channels", Arrays.stream(counts).boxed().toList()));
    }

    /** Returns these settings with other hidden layers. */
    public VaeSettings withHidden(int... widths) {
        return with(Map.of("hidden", Arrays.stream(widths).boxed().toList()));
    }

    /** Returns these settings with so many units that look at earlier variables. */
    public VaeSettings withLooking(int units) {
        return with(Map.of("looking", units));
    }

    /** Returns these settings with layers normalised over the batch, or not. */
    public VaeSettings withNormalised(boolean chosen) {
        return with(Map.of("normalised", chosen));
    }

    /** Returns these settings with a decoder that starts at the mean row, or anywhere. */
    public VaeSettings withCentred(boolean chosen) {
        return with(Map.of("centred", chosen));
    }

    /** Returns these settings with another batch size and learning rate. */
    public VaeSettings withBatch(int images, double learningRate) {
        return with(Map.of("batch", images, "rate", learningRate));
    }

    /** Returns these settings with another update rule. */
    public VaeSettings withOptimiser(UpdateRule chosen) {
        return with(Map.of("optimiser", chosen));
    }

    /** Returns these settings with a batch in so many parts. */
    public VaeSettings withShards(int parts) {
        return with(Map.of("shards", parts));
    }

    /** Returns these settings with shards that learn apart and are averaged every so many steps. */
    public VaeSettings withAverageEvery(int steps) {
        return with(Map.of("averageEvery", steps));
    }

    /** Returns these settings with a rate that falls to 0, or stays. */
    public VaeSettings withDecaying(boolean chosen) {
        return with(Map.of("decaying", chosen));
    }

    /** Returns these settings with a divergence that grows over so many epochs. */
    public VaeSettings withWarmUp(double epochs) {
        return with(Map.of("warmUp", epochs));
    }

    /** Returns these settings with another temperature. */
    public VaeSettings withTemperature(double tau, double gamma, double floor) {
        return with(Map.of("temperature", tau, "annealing", gamma, "temperatureFloor", floor));
    }

    /** Returns these settings with images in random order, or in the file's. */
    public VaeSettings withShuffled(boolean chosen) {
        return with(Map.of("shuffled", chosen));
    }

    private VaeSettings with(Map<String, ?> changes) {
        Map<String, String> map = toMap();
        changes.forEach((name, value) -> map.put(name, text(value)));
        return of(map);
    }

    private static String text(Object value) {
        return !(value instanceof List<?> widths) ? value.toString() : widths.isEmpty() ? "none"
                : widths.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Returns every setting by name: a number, a list of numbers, a truth or a word. */
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        for (RecordComponent part : VaeSettings.class.getRecordComponents()) {
            Object value = called(() -> part.getAccessor().invoke(this));
            if (value instanceof TemperatureSchedule.Exponential tau) {
                values.put("temperature", tau.tau());
                values.put("annealing", tau.gamma());
                values.put("temperatureFloor", tau.floor());
            } else {
                values.put(part.getName(), value instanceof Enum<?> word ? word.toString() : value);
            }
        }
        values.replace("components", UNLIMITED, "unlimited");
        return values;
    }

    /** Returns every setting by name as text, for a manifest. */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        values().forEach((name, value) -> map.put(name, text(value)));
        return map;
    }

    /** The settings of a map made by {@link #toMap}, which may hold more besides. */
    public static VaeSettings of(Map<String, String> map) {
        RecordComponent[] parts = VaeSettings.class.getRecordComponents();
        Object[] values = Arrays.stream(parts).map(part -> read(map, part.getName(), part.getType())).toArray();
        return called(() -> VaeSettings.class.getConstructor(
                Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new)).newInstance(values));
    }

    private interface Reflected<T> {
        T call() throws ReflectiveOperationException;
    }

    /** What a record's own accessor or constructor, both of which are there, returns or refuses. */
    @SuppressWarnings("unchecked")
    private static <T> T called(Reflected<?> call) {
        try {
            return (T) call.call();
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException refused ? refused : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object read(Map<String, String> map, String name, Class<?> type) {
        if (type == TemperatureSchedule.Exponential.class) {
            return new TemperatureSchedule.Exponential((double) read(map, name, double.class),
                    (double) read(map, "annealing", double.class),
                    (double) read(map, "temperatureFloor", double.class));
        }
        String text = map.get(name);
        Check.that(text != null, "there is no setting '", name, "'");
        try {
            return type == double.class ? (Object) Double.valueOf(text)
                    : type == int.class ? number(name, text)
                    : type == List.class ? text.equals("none") ? List.of()
                            : Stream.of(text.split(",")).map(Integer::valueOf).toList()
                    : Stream.of(type == boolean.class ? new Object[] {true, false} : type.getEnumConstants())
                            .filter(value -> value.toString().equals(text)).findFirst().orElseThrow();
        } catch (IllegalArgumentException | NoSuchElementException e) {
            throw new IllegalArgumentException("the setting " + name + " = " + text + " cannot be read", e);
        }
    }

    private static int number(String name, String text) {
        return name.equals("components") && text.equals("unlimited") ? UNLIMITED : Integer.parseInt(text);
    }
}
