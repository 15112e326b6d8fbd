package io.mdnf.explorer;

import com.fasterxml.jackson.databind.JsonNode;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.FlowMixture;
import io.mdnf.distribution.Marginals;
import io.mdnf.distribution.WeightedCode;
import io.mdnf.mnist.LabelledImages;
import io.mdnf.random.Seed;
import io.mdnf.space.Check;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.ImageShape;
import io.mdnf.vae.TrainedVae;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The page of a trained autoencoder of images: codes and what they decode to, images and their posteriors. */
public final class AutoencoderPage implements Page {

    private static final int SHOWN = 40;
    private static final int MOST_CODES = 1000;
    private static final int RECONSTRUCTIONS = 4;
    /** For marginals of conditionals: enough for two digits. */
    private static final int SAMPLES = 4000;
    private static final Seed SEED = Seed.of(1);

    private final TrainedVae vae;
    private final ImageShape shape;
    private final Optional<LabelledImages> images;
    private final RunPage run;
    private int draws;

    /** The page of a run's model; images to look at, if there are any. */
    public AutoencoderPage(TrainedVae vae, ImageShape shape, Optional<LabelledImages> images, RunPage run) {
        this.vae = vae;
        this.shape = shape;
        this.images = images;
        this.run = run;
    }

    @Override
    public synchronized Map<String, Object> look() throws IOException {
        Map<String, Object> look = new LinkedHashMap<>(run.look());
        look.put("kind", "autoencoder");
        look.put("title", vae.settings().latents() + " variables of " + vae.settings().categories()
                + " categories, posterior " + word(vae.settings().posterior()) + ", prior "
                + word(vae.settings().prior()));
        look.put("categories", vae.settings().categories());
        look.put("shape", shape);
        look.put("start", vae.prior().sample(1, SEED)[0]);
        look.put("shown", SHOWN);
        look.put("images", images.map(LabelledImages::count).orElse(0));
        look.put("noImages", "The images that it learned from are not here.");
        return look;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** One at a time: a plan has one set of buffers. */
    @Override
    public synchronized Object answer(String question, JsonNode about, BooleanSupplier cancelled)
            throws IOException {
        return switch (question) {
            case "decode" -> Map.of("images", decoded(codes(about.path("codes"))));
            case "draw" -> drawn(about.path("count").asInt(), about.path("temperature").asDouble());
            case "image" -> image(about.path("index").asInt(-1));
            default -> run.answer(question, about, cancelled);
        };
    }

    @Override
    public Optional<Path> file(String name) throws IOException {
        return run.file(name);
    }

    private int[][] codes(JsonNode given) {
        Check.that(given.size() >= 1 && given.size() <= MOST_CODES, given.size(), " codes: 1 to ", MOST_CODES);
        int[][] codes = new int[given.size()][vae.settings().latents()];
        for (int i = 0; i < codes.length; i++) {
            for (int d = 0; d < codes[i].length; d++) {
                codes[i][d] = given.path(i).path(d).asInt(-1);
                Check.that(codes[i][d] >= 0 && codes[i][d] < vae.settings().categories(), "code ", given.path(i),
                        " is none of ", vae.settings().space());
            }
        }
        return codes;
    }

    private List<byte[]> decoded(int[][] codes) {
        float[] means = vae.means(codes);
        return IntStream.range(0, codes.length).mapToObj(i -> bytes(means, i * shape.size())).toList();
    }

    private byte[] bytes(float[] pixels, int offset) {
        byte[] bytes = new byte[shape.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Math.round(255 * pixels[offset + i]);
        }
        return bytes;
    }

    private Map<String, Object> drawn(int count, double temperature) {
        Check.that(count >= 1 && count <= MOST_CODES, count, " codes: 1 to ", MOST_CODES);
        try (CodeDistribution prior = vae.prior(temperature)) {
            int[][] codes = prior.sample(count, SEED.fold("drawn").fold(draws++));
            return Map.of("codes", codes, "images", decoded(codes));
        }
    }

    private Map<String, Object> image(int index) {
        Check.that(images.isPresent() && index >= 0 && index < images.get().count(), "there is no image ", index + 1);
        byte[] pixels = Arrays.copyOfRange(images.get().images().toArray(), index * shape.size(),
                (index + 1) * shape.size());
        DigitImages one = DigitImages.of(shape.height(), shape.width(), pixels);
        try (CodeDistribution q = vae.posteriors(one, SEED)[0]) {
            Marginals marginals = q.marginals(SAMPLES, SEED.fold("marginals"));
            List<WeightedCode> best = best(q, one);
            List<byte[]> decoded = decoded(best.stream().map(WeightedCode::code).toArray(int[][]::new));
            return Map.of("image", pixels, "label", images.get().labels()[index], "marginals",
                    marginals.probabilities(), "exact", marginals.isExact(), "how", q instanceof FlowMixture
                            ? "The likeliest of drawn codes, with their probability."
                            : "The most probable codes, with their probability.",
                    "codes", IntStream.range(0, best.size()).mapToObj(i -> Map.of("code", best.get(i).code(),
                            "probability", best.get(i).probability(), "image", decoded.get(i))).toList());
        }
    }

    /** The most probable codes where they can be found, else the likeliest of what was drawn. */
    private List<WeightedCode> best(CodeDistribution q, DigitImages one) {
        if (!(q instanceof FlowMixture)) {
            return q.mostProbable(RECONSTRUCTIONS);
        }
        int[][] drawn = Stream.concat(Arrays.stream(vae.codes(one, SEED)),
                Arrays.stream(q.sample(200, SEED.fold("codes")))).toArray(int[][]::new);
        int[][] distinct = Arrays.stream(drawn).collect(Collectors.toMap(Arrays::toString, c -> c,
                (a, b) -> a, LinkedHashMap::new)).values().toArray(int[][]::new);
        double[] logProb = q.logProb(distinct);
        return IntStream.range(0, distinct.length).boxed().sorted((a, b) -> Double.compare(logProb[b], logProb[a]))
                .limit(RECONSTRUCTIONS).map(i -> new WeightedCode(distinct[i], Math.exp(logProb[i]))).toList();
    }

    @Override
    public synchronized void close() {
        vae.close();
    }
}
