package io.mdnf.cli;

import io.mdnf.vae.TrainedVae;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** Mixin for commands that use a trained VAE: the folder of its run. */
final class VaeRunParameter {

    @Parameters(paramLabel = "RUN", description = "Folder of a run of 'mdnf vae train'.")
    private Path folder;

    Path folder() {
        return folder;
    }

    /** The model of the run's latest checkpoint. */
    TrainedVae open() throws IOException {
        Nd4jStart.now();
        return VaeRun.open(folder);
    }
}
