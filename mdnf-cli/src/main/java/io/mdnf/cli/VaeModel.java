package io.mdnf.cli;

import io.mdnf.checkpoint.RunManifest;
import io.mdnf.file.AtomicFiles;
import io.mdnf.mnist.Mnist;
import io.mdnf.plot.DigitGrid;
import io.mdnf.plot.PngImage;
import io.mdnf.vae.DigitImages;
import io.mdnf.vae.TrainedVae;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Mixin for commands that use a trained VAE: the folder of its run, and a seed. */
final class VaeModel {

    @Parameters(paramLabel = "RUN", description = "Folder of a run of 'mdnf vae train'.")
    Path folder;

    @Mixin
    SeedOption seed;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** What a picture shows of a model, [images, pixels]. */
    interface Picture {
        PngImage of(TrainedVae vae, DigitGrid grid) throws IOException;
    }

    /** The model of the run's latest checkpoint. */
    TrainedVae open() throws IOException {
        Nd4jStart.now();
        return VaeRun.open(folder);
    }

    /** Images of the user's own as they are; or MNIST's, for a run that learned from those. */
    Mnist images(MnistOption named, boolean quiet) throws IOException {
        Mnist found = named.load(quiet);
        if (!named.isOwn()) {
            refuseOthers(folder, found.train().images());
        }
        return found;
    }

    /** Refuses training images that are not those that the run learned from, or more of them. */
    static void refuseOthers(Path folder, DigitImages train) throws IOException {
        RunManifest manifest = VaeRun.manifest(folder);
        int count = Integer.parseInt(manifest.configuration().get("images"));
        if (train.count() < count || !manifest.inputs().contains(VaeData.input(train.first(count)))) {
            throw new UsageProblem(folder + ": the run learned from other images than MNIST's; name their folder with "
                    + "--data DIR --own-images");
        }
    }

    /** Whether the run learned from a table. */
    boolean isOfTable() throws IOException {
        return VaeRun.manifest(folder).configuration().containsKey("columns");
    }

    /** Draws images into a file, in the run's folder unless the user names one, and says where. */
    int draw(Path out, String name, Picture picture) throws IOException {
        Path file = out == null ? folder.resolve(name) : out;
        try (TrainedVae vae = open()) {
            AtomicFiles.write(file, picture.of(vae, VaeRun.grid(RunManifest.read(folder))).bytes());
        }
        return wrote(file);
    }

    /** Says where the answer is. Returns the command's exit code. */
    int wrote(Path file) {
        command.commandLine().getOut().println(file);
        return 0;
    }
}
