package io.mdnf.cli;

import io.mdnf.checkpoint.CheckpointFolder;
import io.mdnf.checkpoint.RunManifest;
import io.mdnf.mnist.Mnist;
import io.mdnf.report.Progress;
import io.mdnf.training.RunStoppedException;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeEvaluation;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mdnf vae train}: trains a VAE, saving after every epoch, and prints valid bounds. */
@Command(name = "train", description = {
    "Train a VAE with discrete codes on MNIST; print its bounds on training and test images.",
    "Every ELBO is a lower bound: codes are hard samples in all of its terms, whatever the method trained with.%n"})
final class VaeTrain implements Callable<Integer> {

    @Mixin
    private VaeModelOptions model;

    @Option(names = "--epochs", paramLabel = "E", defaultValue = "10",
            description = "Passes over the training images in all, resumed ones included: ${DEFAULT-VALUE} by default.")
    private int epochs;

    @Option(names = "--limit", paramLabel = "N", description = "Use the first N training and test images only.")
    private Integer limit;

    @Option(names = "--evaluate", paramLabel = "N", defaultValue = "10000",
            description = "Images per set evaluated after each epoch; all at the end: ${DEFAULT-VALUE} by default.")
    private int evaluated;

    @Mixin
    private MnistOption mnist;

    @Mixin
    private RunOptions run;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException {
        VaeSettings settings = model.settings();
        if (epochs < 1 || evaluated < 1 || limit != null && limit < 1) {
            throw new UsageProblem("--epochs " + epochs + ", --evaluate " + evaluated
                    + (limit == null ? "" : ", --limit " + limit) + ": at least 1 each");
        }
        Path out = run.requiredOut();
        Mnist data = mnist.load(run.quiet());
        DigitImages train = limited(data.train().images());
        DigitImages test = limited(data.test().images());
        Nd4jStart.now();
        RunFolder folder = run.open(VaeRun.WHAT, VaeRun.configuration(settings, train),
                List.of(RunManifest.Input.of("training images", train.toArray())));
        return run.run(folder, stopping -> {
            try (VaeTraining training = begin(settings, train, out)) {
                train(training, train, test, out, stopping);
                finish(folder, training, train, test);
            }
        });
    }

    private DigitImages limited(DigitImages images) {
        return limit == null ? images : images.first(limit);
    }

    private VaeTraining begin(VaeSettings settings, DigitImages train, Path out) throws IOException {
        var latest = run.resume() ? CheckpointFolder.look(VaeRun.checkpoints(out)).latest()
                : java.util.Optional.<CheckpointFolder.Latest>empty();
        return latest.isPresent() ? VaeTraining.resume(settings, train, latest.get().checkpoint())
                : new VaeTraining(settings, train, run.seed());
    }

    /** Trains to the last epoch; if it is stopped before, after a checkpoint. */
    private void train(VaeTraining training, DigitImages train, DigitImages test, Path out, Stopping stopping)
            throws IOException {
        CheckpointFolder checkpoints = CheckpointFolder.open(VaeRun.checkpoints(out));
        VaeRun.Metrics metrics = new VaeRun.Metrics(out, training.steps());
        boolean bound = !training.settings().method().isRelaxed();
        double shown = Double.NaN;
        double before = metrics.seconds();
        long start = System.nanoTime();
        try (Progress progress = Progress.start("train " + training.settings().method(), (long) epochs * train.count(),
                "images", run.quiet(), System.err)) {
            progress.at(training.imagesSeen(), shown);
            while (training.epoch() < epochs) {
                long epoch = training.epoch();
                while (training.epoch() == epoch && !stopping.wantsStop()) {
                    training.step();
                    // what a relaxed method maximises is not a bound: show the last one that was evaluated
                    progress.at(training.imagesSeen(), bound ? training.epochObjective() : shown);
                }
                checkpoints.save(training.save());
                if (training.epoch() == epoch) {
                    throw new RunStoppedException(training.steps());
                }
                try (TrainedVae vae = training.model()) {
                    VaeEvaluation now = evaluate(vae, train.first(evaluated), 0, false);
                    shown = now.elbo().value();
                    metrics.add(new VaeRun.Epoch(training.epoch(), training.steps(), training.temperature(),
                            training.epochObjective(), now, evaluate(vae, test.first(evaluated), 0, false),
                            before + (System.nanoTime() - start) * 1e-9));
                }
            }
        }
    }

    private VaeEvaluation evaluate(TrainedVae vae, DigitImages images, int importance, boolean exact) {
        return vae.evaluate(images, run.seed().fold("evaluation"), 1, importance, exact);
    }

    private void finish(RunFolder folder, VaeTraining training, DigitImages train, DigitImages test)
            throws IOException {
        Path out = run.requiredOut();
        VaeRun.Metrics metrics = new VaeRun.Metrics(out, training.steps());
        try (TrainedVae vae = training.model()) {
            VaeEvaluation onTrain = evaluate(vae, train, 0, false);
            VaeEvaluation onTest = evaluate(vae, test, 0, true);
            Map<String, Object> answer = new LinkedHashMap<>(vae.settings().toMap());
            answer.put("seed", run.seedNumber());
            answer.put("parameters", training.layout().size());
            answer.put("epochs", training.epoch());
            answer.put("steps", training.steps());
            answer.put("objective", training.epochObjective());
            answer.put("train", VaeFigures.answer(onTrain));
            answer.put("test", VaeFigures.answer(onTest));
            answer.put("seconds", metrics.seconds());
            answer.put("imagesPerSecond", training.imagesSeen() / metrics.seconds());
            VaeRun.report(out, folder.manifest(), vae, test, run.seed(), VaeFigures.facts(onTrain),
                    VaeFigures.facts(onTest), metrics);
            folder.result(answer);
            json.answer(() -> answer, printed -> {
                printed.println("training images, nats per image");
                printed.println(VaeFigures.text(VaeFigures.facts(onTrain)));
                printed.println("test images, nats per image");
                printed.println(VaeFigures.text(VaeFigures.facts(onTest)));
                printed.println("report: " + out.resolve("report.html"));
            });
        }
    }
}
