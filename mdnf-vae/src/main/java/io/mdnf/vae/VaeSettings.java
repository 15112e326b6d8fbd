package io.mdnf.vae;

import io.mdnf.mixture.Estimator;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.training.TemperatureSchedule;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything that defines a discrete VAE and its training, except the data, the seed and for how long.
 *
 * <pre>{@code
 * VaeSettings mdnf = VaeSettings.of(LatentMethod.MDNF, 10, 2, 40);
 * VaeSettings published = mdnf.withHead(FlowHead.PAPER).withEstimator(Estimator.CHOSEN).withShuffled(false);
 * }</pre>
 *
 * @param method how the posterior of a code is represented and trained
 * @param latents D, the variables of a code
 * @param categories K, the categories of each
 * @param components B, the flows of a mixture; 1 for methods without
 * @param straightThrough whether the decoder of a Gumbel method sees one-hot codes while training
 * @param head how flows get their logits
 * @param estimator where the gradient of a code sampled from a per-variable mixture goes
 * @param prior the prior of codes
 * @param pixels what the model sees of a grey byte
 * @param hidden widths of the encoder's hidden layers; the decoder mirrors them
 * @param batch images per step
 * @param rate Adam's learning rate
 * @param temperature of the relaxation or of the straight-through gradient, by step
 * @param shuffled whether images come in a new order every epoch; the published code keeps the file's
 */
public record VaeSettings(LatentMethod method, int latents, int categories, int components, boolean straightThrough,
        FlowHead head, Estimator estimator, CodePrior prior, PixelKind pixels,
        List<Integer> hidden, int batch, double rate, TemperatureSchedule.Exponential temperature, boolean shuffled) {

    /** The most codes that are enumerated while training. */
    public static final int ENUMERABLE = 4096;

    /** Checks the ranges. */
    public VaeSettings {
        hidden = List.copyOf(hidden);
        require(latents >= 1, "latents", latents, "at least 1");
        require(categories >= 2, "categories", categories, "at least 2");
        require(components >= 1, "components", components, "at least 1");
        require(batch >= 1, "batch", batch, "at least 1");
        require(rate > 0 && rate < Double.POSITIVE_INFINITY, "rate", rate, "a finite number above 0");
        require(!hidden.isEmpty() && hidden.stream().allMatch(width -> width >= 1), "hidden", hidden,
                "one or more widths of at least 1");
        require(method.isFlow() || components == 1, "components", components,
                "1 for the method " + method + ", which has no flows");
        require(estimator != Estimator.RESAMPLED, "estimator", estimator,
                "chosen, averaged or second-order, since every image has one code");
        require(method.isRelaxed() || !straightThrough, "straightThrough", true,
                "a choice of Gumbel methods only, not of " + method);
        require(method != LatentMethod.JANG || prior == CodePrior.UNIFORM, "prior", prior,
                "uniform for jang; maddison-22 is the same with any prior");
        require(method != LatentMethod.EXACT || Math.pow(categories, latents) <= ENUMERABLE, "latents", latents,
                "small enough that categories^latents is at most " + ENUMERABLE + " for the method exact");
    }

    private static void require(boolean holds, String name, Object value, String allowed) {
        Check.that(holds, name, " = ", value, ": ", allowed);
    }

    /** The paper's sizes and rates: 784-512-256, batch 256, Adam 1e-3; temperatures 100 for the paper's flows, 1 for
     * others, cooling by 3e-5 a step. Methods without flows ignore the number B of components. */
    public static VaeSettings of(LatentMethod method, int latents, int categories, int components) {
        return new VaeSettings(method, latents, categories, method.isFlow() ? components : 1, false, FlowHead.SHARED,
                Estimator.SECOND_ORDER, CodePrior.UNIFORM, PixelKind.GREY, List.of(512, 256), 256,
                1e-3, usualTemperature(method, FlowHead.SHARED), true);
    }

    private static TemperatureSchedule.Exponential usualTemperature(LatentMethod method, FlowHead head) {
        if (!method.isFlow()) {
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

    /** Returns these settings with straight-through codes or without. */
    public VaeSettings withStraightThrough(boolean chosen) {
        return with(Map.of("straightThrough", chosen));
    }

    /** Returns these settings with another head and the temperature usual for it. */
    public VaeSettings withHead(FlowHead chosen) {
        TemperatureSchedule.Exponential usual = usualTemperature(method, chosen);
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

    /** Returns these settings with other hidden layers. */
    public VaeSettings withHidden(int... widths) {
        return with(Map.of("hidden", joined(Arrays.stream(widths).boxed().toList())));
    }

    /** Returns these settings with another batch size and learning rate. */
    public VaeSettings withBatch(int images, double learningRate) {
        return with(Map.of("batch", images, "rate", learningRate));
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
        changes.forEach((name, value) -> map.put(name, value.toString()));
        return of(map);
    }

    private static String joined(List<Integer> widths) {
        return widths.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Returns every setting by name, for a manifest. */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("algorithm", method.toString());
        map.put("latents", Integer.toString(latents));
        map.put("categories", Integer.toString(categories));
        map.put("components", Integer.toString(components));
        map.put("straightThrough", Boolean.toString(straightThrough));
        map.put("head", head.toString());
        map.put("estimator", estimator.toString());
        map.put("prior", prior.toString());
        map.put("pixels", pixels.toString());
        map.put("hidden", joined(hidden));
        map.put("batch", Integer.toString(batch));
        map.put("rate", Double.toString(rate));
        map.put("temperature", Double.toString(temperature.tau()));
        map.put("annealing", Double.toString(temperature.gamma()));
        map.put("temperatureFloor", Double.toString(temperature.floor()));
        map.put("shuffled", Boolean.toString(shuffled));
        return map;
    }

    /** The settings of a map made by {@link #toMap}, which may hold more besides. */
    public static VaeSettings of(Map<String, String> map) {
        return new VaeSettings(one(map, "algorithm", LatentMethod.values()), read(map, "latents", Integer::valueOf),
                read(map, "categories", Integer::valueOf), read(map, "components", Integer::valueOf),
                one(map, "straightThrough", true, false), one(map, "head", FlowHead.values()),
                one(map, "estimator", Estimator.values()), one(map, "prior", CodePrior.values()),
                one(map, "pixels", PixelKind.values()),
                read(map, "hidden", text -> Stream.of(text.split(",")).map(Integer::valueOf).toList()),
                read(map, "batch", Integer::valueOf), read(map, "rate", Double::valueOf),
                new TemperatureSchedule.Exponential(read(map, "temperature", Double::valueOf),
                        read(map, "annealing", Double::valueOf), read(map, "temperatureFloor", Double::valueOf)),
                one(map, "shuffled", true, false));
    }

    private static <T> T read(Map<String, String> map, String name, Function<String, T> reader) {
        String text = map.get(name);
        Check.that(text != null, "there is no setting '", name, "'");
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the setting " + name + " = " + text + " cannot be read", e);
        }
    }

    @SafeVarargs
    private static <T> T one(Map<String, String> map, String name, T... values) {
        return read(map, name, text -> Stream.of(values).filter(v -> v.toString().equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(text)));
    }
}
