package io.mdnf.cli;

import io.mdnf.mnist.Mnist;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeEvaluation;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mdnf vae evaluate}: valid bounds of a trained VAE, and log p(x) itself where codes can be enumerated. */
@Command(name = "evaluate", description = {
    "Print valid bounds of a trained VAE: ELBO, importance-weighted bound, and log p(x) where codes are few.%n"})
final class VaeEvaluate implements Callable<Integer> {

    /** Which images. */
    enum Split {
        /** Those it was trained on. */
        TRAIN,
        /** Those it never saw. */
        TEST
    }

    @Mixin
    private VaeRunParameter run;

    @Option(names = "--split", paramLabel = "train|test", defaultValue = "test",
            description = "Which images: ${DEFAULT-VALUE} by default.")
    private Split split;

    @Option(names = "--samples", paramLabel = "S", defaultValue = "1",
            description = "Codes per image for the ELBO: ${DEFAULT-VALUE} by default.")
    private int samples;

    @Option(names = "--importance", paramLabel = "L", defaultValue = "0",
            description = "Codes per image for the importance-weighted bound; 0 for none: ${DEFAULT-VALUE} by default.")
    private int importance;

    @Option(names = "--limit", paramLabel = "N", description = "The first N images only.")
    private Integer limit;

    @Mixin
    private MnistOption mnist;

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException {
        if (samples < 1 || importance < 0 || limit != null && limit < 1) {
            throw new UsageProblem("--samples " + samples + ", --importance " + importance
                    + (limit == null ? "" : ", --limit " + limit) + ": at least 1, 0 and 1");
        }
        try (TrainedVae vae = run.open()) {
            Mnist data = mnist.load(json.given());
            DigitImages images = (split == Split.TRAIN ? data.train() : data.test()).images();
            VaeEvaluation found = vae.evaluate(limit == null ? images : images.first(limit), seed.seed(), samples,
                    importance, true);
            json.answer(() -> {
                Map<String, Object> answer = new LinkedHashMap<>();
                answer.put("run", run.folder().toString());
                answer.put("split", split.name().toLowerCase(Locale.ROOT));
                answer.putAll(VaeFigures.answer(found));
                return answer;
            }, out -> out.print(VaeFigures.text(VaeFigures.facts(found))));
        }
        return 0;
    }
}
