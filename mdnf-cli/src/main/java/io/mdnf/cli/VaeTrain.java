package io.mdnf.cli;

import io.mdnf.mnist.Mnist;
import io.mdnf.report.Progress;
import io.mdnf.training.Algorithm;
import io.mdnf.training.GradientTraining;
import io.mdnf.training.ParameterAveraging;
import io.mdnf.training.Run;
import io.mdnf.training.RunListener;
import io.mdnf.training.RunStoppedException;
import io.mdnf.training.TrainingState;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.ImageRows;
import io.mdnf.vae.TrainedVae;
import io.mdnf.vae.VaeEvaluation;
import io.mdnf.vae.VaeSettings;
import io.mdnf.vae.VaeTraining;
import io.mdnf.work.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mdnf vae train}: trains a VAE, saving after every epoch, and prints valid bounds. */
@Command(name = "train", footer = {"  mdnf vae train --epochs 3 --out runs/digits",
    "  mdnf vae train --epochs 10 --out runs/digits --resume",
    "  mdnf vae train --csv table.csv --out runs/table"}, description = {
    "Train a VAE with discrete codes on MNIST or a table; print its bounds on training and test data.",
    "Every ELBO is a lower bound: codes are hard samples in all of its terms, whatever the algorithm trained with."})
final class VaeTrain implements Callable<Integer> {

    @Mixin
    private VaeModelOptions model;

    @Mixin
    private VaeTable table;

    @Option(names = "--epochs", paramLabel = "E", description = "Passes over the training data in all, resumed ones "
            + "included; 10 by default, 30 over a table.")
    private Integer epochsAsked;

    @Option(names = "--limit", paramLabel = "N",
            description = "Use the first N training and test images, or rows of the table, only.")
    private Integer limit;

    @Option(names = "--evaluate", paramLabel = "N", defaultValue = "10000",
            description = "Images or rows per set evaluated after each epoch; all at the end")
    private int evaluated;

    @Option(names = "--average-every", paramLabel = "STEPS", defaultValue = "0", description = "Let each of --shards "
            + "learn by itself, from rows of its own, and average them every so many steps, 25 for instance; 0 adds "
            + "their gradients in every step")
    private int averageEvery;

    @Mixin
    private MnistOption mnist;

    @Mixin
    private RunOptions run;

    @Spec
    private CommandSpec command;

    private int epochs;

    @Override
    public Integer call() throws IOException {
        VaeSettings settings = settings();
        table.check();
        epochs = epochsAsked != null ? epochsAsked : table.isGiven() ? 30 : 10;
        if (epochs < 1 || evaluated < 1 || limit != null && limit < 1) {
            throw new UsageProblem("--epochs " + epochs + ", --evaluate " + evaluated
                    + (limit == null ? "" : ", --limit " + limit) + ": at least 1 each");
        }
        Path out = run.requiredOut();
        VaeData data = load();
        Nd4jStart.now();
        // before there is a folder: a cluster that is not there leaves none
        Workers workers = Main.workers(command,
                Math.min(settings.shards(), Runtime.getRuntime().availableProcessors()));
        RunFolder folder = run.open(VaeRun.WHAT, data.configuration(settings), List.of(data.input()));
        return run.run(Optional.of(folder), stopping -> {
            VaeTraining task = new VaeTraining(settings, data.train(), epochs);
            try (Algorithm<TrainingState, TrainedVae> training = averageEvery == 0 ? new GradientTraining<>(task)
                    : new ParameterAveraging<>(task, workers)) {
                VaeRun.Metrics metrics = new VaeRun.Metrics(out, data.unit());
                TrainingState end = train(training, task, settings, data, metrics, stopping);
                finish(folder, training, task, end, data, metrics);
            }
        });
    }

    private VaeSettings settings() {
        VaeSettings alone = model.settings(table.isGiven());
        if (averageEvery < 0 || averageEvery > 0 && alone.shards() == 1) {
            throw new UsageProblem("--average-every " + averageEvery + ": at least 1, of --shards 2 or more");
        }
        if (averageEvery == 0 && Main.isOnCluster(command)) {
            throw new UsageProblem("--master: a cluster trains shards that are averaged; add --shards 2 "
                    + "--average-every 25, which gives the same in one process");
        }
        VaeSettings apart = alone.withAverageEvery(averageEvery);
        // the mean of S noisy steps of Adam is shorter by their root than one of a gradient with less noise
        return averageEvery == 0 || model.rateIsGiven() ? apart
                : apart.withBatch(apart.batch(), apart.rate() * Math.sqrt(apart.shards()));
    }

    private VaeData load() throws IOException {
        if (!table.isGiven()) {
            Mnist data = mnist.load(run.quiet.given());
            DigitImages train = limited(data.train().images());
            return table.heldOut().map(share -> VaeData.heldOut(train, share))
                    .orElseGet(() -> VaeData.of(train, limited(data.test().images())));
        }
        if (mnist.isGiven()) {
            throw new UsageProblem("--csv: there are no images to look for; leave out --data and --own-images");
        }
        VaeData data = table.load(limit, run.seed.seed());
        if (!run.quiet.given()) {
            data.schema().ifPresent(schema -> System.err.print(TextTables.text(VaeTable.columns(schema))));
        }
        return data;
    }

    private DigitImages limited(DigitImages images) {
        return limit == null ? images : images.first(limit);
    }

    /** Trains to the last epoch; if it is stopped before, after a checkpoint. */
    private TrainingState train(Algorithm<TrainingState, TrainedVae> training, VaeTraining task, VaeSettings settings,
            VaeData data, VaeRun.Metrics metrics, RunListener stopping) throws IOException {
        try (Progress progress = run.quiet.progress("train", (long) epochs * data.train().count(), data.units())) {
            // what a relaxed algorithm maximises is not a bound: show the last one that was evaluated
            RunListener shown = new RunListener() {
                @Override
                public void onStep(Algorithm.Info info) {
                    progress.at(task.imagesSeen(info.step()),
                            settings.algorithm().isRelaxed() ? metrics.lastElbo() : info.elbo());
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
                                        evaluate(vae, data.train().first(evaluated), false),
                                        evaluate(vae, data.test().first(evaluated), false));
                            }
                        }
                    }).execute(run.resume);
            if (!training.isFinished(end)) {
                throw new RunStoppedException(end.step());
            }
            return end;
        }
    }

    private VaeEvaluation evaluate(TrainedVae vae, ImageRows images, boolean exact) {
        return vae.evaluate(images, run.seed.seed().fold("evaluation"), 1, 0, exact);
    }

    private void finish(RunFolder folder, Algorithm<TrainingState, TrainedVae> training, VaeTraining task,
            TrainingState end, VaeData data, VaeRun.Metrics metrics) throws IOException {
        Path out = run.requiredOut();
        double seconds = end.nanos() * 1e-9;
        try (TrainedVae vae = training.result(end)) {
            VaeEvaluation onTrain = evaluate(vae, data.train(), false);
            VaeEvaluation onTest = evaluate(vae, data.test(), true);
            Map<String, Object> answer = vae.settings().values();
            answer.put("seed", run.seed.number());
            answer.put("parameters", end.parameters().length);
            answer.put("epochs", end.step() / task.stepsPerEpoch());
            answer.put("steps", end.step());
            answer.put("objective", task.epochObjective(end));
            data.schema().ifPresent(schema -> answer.put("columns", VaeFigures.answer(schema)));
            answer.put("train", VaeFigures.answer(onTrain, data.unit()));
            answer.put("test", VaeFigures.answer(onTest, data.unit()));
            answer.put("seconds", seconds);
            answer.put(data.units() + "PerSecond", task.imagesSeen(end.step()) / seconds);
            VaeRun.report(folder, vae, data, run.seed.seed(), onTrain, onTest, metrics);
            folder.result(answer);
            run.answer(() -> answer, printed -> {
                printed.println(VaeFigures.title(vae.settings()));
                printed.println();
                printed.println("training " + data.units() + ", nats per " + data.unit());
                printed.println(VaeFigures.text(onTrain, data.unit()));
                printed.println("test " + data.units() + ", nats per " + data.unit());
                printed.println(VaeFigures.text(onTest, data.unit()));
                printed.println("report: " + out.resolve("report.html"));
            });
        }
    }
}
