package io.mdnf.cli;

import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeEvaluation;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mdnf vae evaluate}: valid bounds of a trained VAE, and log p(x) itself where codes can be enumerated. */
@Command(name = "evaluate", description = {
    "Print valid bounds of a trained VAE: ELBO, importance-weighted bound, and log p(x) where codes are few.%n"})
final class VaeEvaluate implements Callable<Integer> {

    @Mixin
    private VaeModel model;

    @Option(names = "--samples", paramLabel = "S", defaultValue = "1",
            description = "Codes per image for the ELBO: ${DEFAULT-VALUE} by default.")
    private int samples;

    @Option(names = "--importance", paramLabel = "L", defaultValue = "0",
            description = "Codes per image for the importance-weighted bound; 0 for none: ${DEFAULT-VALUE} by default.")
    private int importance;

    @Mixin
    private VaeImages images;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException {
        UsageProblem.ifBelowOne("--samples", samples);
        images.check();
        if (importance < 0) {
            throw new UsageProblem("--importance " + importance + ": at least 0 is needed");
        }
        try (TrainedVae vae = model.open()) {
            VaeEvaluation found = vae.evaluate(images.of(images.load(json.given())), model.seed(), samples, importance,
                    true);
            json.answer(() -> {
                Map<String, Object> answer = new LinkedHashMap<>();
                answer.put("run", model.folder().toString());
                answer.put("split", images.split());
                answer.putAll(VaeFigures.answer(found));
                return answer;
            }, out -> out.print(VaeFigures.text(VaeFigures.facts(found))));
        }
        return 0;
    }
}
