package io.mdnf.cli;

import io.mdnf.checkpoint.RunManifest;
import io.mdnf.mnist.Mnist;
import io.mdnf.report.Progress;
import io.mdnf.training.Algorithm;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.Run;
import io.mdnf.training.RunListener;
import io.mdnf.training.RunStoppedException;
import io.mdnf.training.TrainingState;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeEvaluation;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mdnf vae train}: trains a VAE, saving after every epoch, and prints valid bounds. */
@Command(name = "train", footer = {"  mdnf vae train --epochs 3 --out runs/digits",
    "  mdnf vae train --epochs 10 --out runs/digits --resume"}, description = {
    "Train a VAE with discrete codes on MNIST; print its bounds on training and test images.",
    "Every ELBO is a lower bound: codes are hard samples in all of its terms, whatever the algorithm trained with."})
final class VaeTrain implements Callable<Integer> {

    @Mixin
    private VaeModelOptions model;

    @Option(names = "--epochs", paramLabel = "E", defaultValue = "10",
            description = "Passes over the training images in all, resumed ones included")
    private int epochs;

    @Option(names = "--limit", paramLabel = "N", description = "Use the first N training and test images only.")
    private Integer limit;

    @Option(names = "--evaluate", paramLabel = "N", defaultValue = "10000",
            description = "Images per set evaluated after each epoch; all at the end")
    private int evaluated;

    @Mixin
    private MnistOption mnist;

    @Mixin
    private RunOptions run;

    @Override
    public Integer call() throws IOException {
        VaeSettings settings = model.settings();
        if (epochs < 1 || evaluated < 1 || limit != null && limit < 1) {
            throw new UsageProblem("--epochs " + epochs + ", --evaluate " + evaluated
                    + (limit == null ? "" : ", --limit " + limit) + ": at least 1 each");
        }
        Path out = run.requiredOut();
        Mnist data = mnist.load(run.quiet);
        DigitImages train = limited(data.train().images());
        DigitImages test = limited(data.test().images());
        Nd4jStart.now();
        RunFolder folder = run.open(VaeRun.WHAT, VaeRun.configuration(settings, train),
                List.of(RunManifest.Input.of("training images", train.toArray())));
        return run.run(Optional.of(folder), stopping -> {
            VaeTraining task = new VaeTraining(settings, train, epochs);
            try (GradientTraining<TrainedVae> training = new GradientTraining<>(task)) {
                VaeRun.Metrics metrics = new VaeRun.Metrics(out);
                TrainingState end = train(training, task, settings, train, test, metrics, stopping);
                finish(folder, training, task, end, train, test, metrics);
            }
        });
    }

    private DigitImages limited(DigitImages images) {
        return limit == null ? images : images.first(limit);
    }

    /** Trains to the last epoch; if it is stopped before, after a checkpoint. */
    private TrainingState train(GradientTraining<TrainedVae> training, VaeTraining task, VaeSettings settings,
            DigitImages train, DigitImages test, VaeRun.Metrics metrics, RunListener stopping) throws IOException {
        try (Progress progress = Progress.start("train", (long) epochs * train.count(), "images",
                run.quiet, System.err)) {
            // what a relaxed method maximises is not a bound: show the last one that was evaluated
            RunListener shown = new RunListener() {
                @Override
                public void onStep(Algorithm.Info info) {
                    progress.at(task.imagesSeen(info.step()),
                            settings.method().isRelaxed() ? metrics.lastElbo() : info.elbo());
                }
            };
            TrainingState end = new Run<>(training, run.seed.seed())
                    .checkpoints(VaeRun.checkpoints(run.requiredOut()), task.stepsPerEpoch())
                    .reportEvery(task.stepsPerEpoch()).listener(metrics).listener(shown).listener(stopping)
                    .observer(state -> {
                        if (state.step() % task.stepsPerEpoch() == 0) {
                            try (TrainedVae vae = training.result(state)) {
                                metrics.add(state.step() / task.stepsPerEpoch(), state,
                                        settings.temperature().at(state.step()), task.epochObjective(state),
                                        evaluate(vae, train.first(evaluated), false),
                                        evaluate(vae, test.first(evaluated), false));
                            }
                        }
                    }).execute(run.resume);
            if (!training.isFinished(end)) {
                throw new RunStoppedException(end.step());
            }
            return end;
        }
    }

    private VaeEvaluation evaluate(TrainedVae vae, DigitImages images, boolean exact) {
        return vae.evaluate(images, run.seed.seed().fold("evaluation"), 1, 0, exact);
    }

    private void finish(RunFolder folder, GradientTraining<TrainedVae> training, VaeTraining task, TrainingState end,
            DigitImages train, DigitImages test, VaeRun.Metrics metrics) throws IOException {
        Path out = run.requiredOut();
        double seconds = end.nanos() * 1e-9;
        try (TrainedVae vae = training.result(end)) {
            VaeEvaluation onTrain = evaluate(vae, train, false);
            VaeEvaluation onTest = evaluate(vae, test, true);
            Map<String, Object> answer = VaeFigures.answer(vae.settings());
            answer.put("seed", run.seed.number());
            answer.put("parameters", end.parameters().length);
            answer.put("epochs", end.step() / task.stepsPerEpoch());
            answer.put("steps", end.step());
            answer.put("objective", task.epochObjective(end));
            answer.put("train", VaeFigures.answer(onTrain));
            answer.put("test", VaeFigures.answer(onTest));
            answer.put("seconds", seconds);
            answer.put("imagesPerSecond", task.imagesSeen(end.step()) / seconds);
            VaeRun.report(folder, vae, test, run.seed.seed(), onTrain, onTest, metrics);
            folder.result(answer);
            run.answer(() -> answer, printed -> {
                printed.println("training images, nats per image");
                printed.println(VaeFigures.text(onTrain));
                printed.println("test images, nats per image");
                printed.println(VaeFigures.text(onTest));
                printed.println("report: " + out.resolve("report.html"));
            });
        }
    }
}
