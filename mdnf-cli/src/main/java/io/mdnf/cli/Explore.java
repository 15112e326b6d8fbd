package io.mdnf.cli;

import io.mdnf.bn.NetworkFormat;
import io.mdnf.bn.NetworkSource;
import io.mdnf.checkpoint.CheckpointFolder;
import io.mdnf.checkpoint.RunManifest;
import io.mdnf.explorer.AutoencoderPage;
import io.mdnf.explorer.Explorer;
import io.mdnf.explorer.NetworkPage;
import io.mdnf.explorer.Page;
import io.mdnf.explorer.RunPage;
import io.mdnf.file.AtomicFiles;
import io.mdnf.mnist.LabelledImages;
import io.mdnf.plot.DigitGrid;
import io.mdnf.uai.UaiModel;
import io.mdnf.uai.UaiReader;
import io.mdnf.vae.ImageShape;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mdnf explore}: a page in a browser, served to this machine only. */
@Command(name = "explore", footer = {"  mdnf explore asia", "  mdnf explore asia --export asia.html",
    "  mdnf explore runs/digits"},
        description = {"Look at a network, a trained autoencoder or a run in a browser: click a state of a network and "
            + "all bars move, move the variables of a code and see what it decodes to, watch a run while it goes.",
            "The page is served to this machine only, at the address that is printed, until Ctrl-C."})
final class Explore implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "NETWORK|RUN", completionCandidates = Completion.Networks.class,
            description = "A built-in network, the path of a network file, or the folder of a run.")
    private String what;

    @Option(names = "--port", paramLabel = "N", defaultValue = "0",
            description = "The port to listen at, 0 for any that is free")
    private int port;

    @Option(names = "--export", paramLabel = "FILE.html", converter = FileToWrite.class,
            description = "Write a network's page into one file that answers by itself, and serve nothing.")
    private Path export;

    @Mixin
    private MnistOption mnist;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws IOException {
        if (port < 0 || port > 65535) {
            throw new UsageProblem("--port " + port + ": 0 to 65535");
        }
        Path folder = Path.of(what);
        if (Files.isDirectory(folder)) {
            if (export != null) {
                throw new UsageProblem("--export: only a network's page answers by itself; a run has report.html");
            }
            return serve(run(folder));
        }
        NetworkPage page = UsageProblem.ifRefused(this::network);
        if (export == null) {
            return serve(page);
        }
        String alone = UsageProblem.ifRefused(page::alone);
        AtomicFiles.write(export, alone);
        command.commandLine().getOut().println(export);
        return 0;
    }

    private NetworkPage network() throws IOException {
        Path file = Path.of(what);
        return Files.isRegularFile(file) && NetworkFormat.of(file) == NetworkFormat.UAI
                && UaiReader.model(file).kind() == UaiModel.Kind.MARKOV
                ? NetworkPage.of(NetworkSource.factors(what), what) : NetworkPage.of(NetworkSource.open(what), what);
    }

    private Page run(Path folder) throws IOException {
        if (!Files.exists(folder.resolve(RunManifest.NAME))) {
            throw new UsageProblem(folder + ": there is no run in this folder");
        }
        RunManifest manifest = RunManifest.read(folder);
        RunPage page = new RunPage(folder);
        if (!manifest.what().equals(VaeRun.WHAT) || manifest.configuration().containsKey("columns")
                || CheckpointFolder.look(VaeRun.checkpoints(folder)).latest().isEmpty()) {
            return page;
        }
        Nd4jStart.now();
        DigitGrid grid = VaeRun.grid(manifest);
        return new AutoencoderPage(VaeRun.open(folder), new ImageShape(grid.height(), grid.width()), images(folder),
                page);
    }

    /** Test images to look at; none where they are not to be had. */
    private Optional<LabelledImages> images(Path folder) throws IOException {
        try {
            VaeModel model = new VaeModel();
            model.folder = folder;
            return Optional.of(model.images(mnist, false).test());
        } catch (UsageProblem e) {
            command.commandLine().getErr().println("mdnf: " + e.getMessage() + "; the page shows no images");
            return Optional.empty();
        }
    }

    private int serve(Page page) throws IOException {
        try (Explorer explorer = Explorer.start(page, port)) {
            PrintWriter out = command.commandLine().getOut();
            out.println(explorer.address());
            out.flush();
            command.commandLine().getErr().println("Open this address in a browser on this machine; Ctrl-C ends it.");
            new CountDownLatch(1).await();
            return 0;
        } catch (BindException e) {
            throw new UsageProblem("--port " + port + ": another program has it; leave it out for any that is free", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Stopping.EXIT_CODE;
        }
    }
}
