package io.mdnf.cli;

import io.mdnf.checkpoint.RunManifest;
import io.mdnf.report.Progress;
import io.mdnf.training.RunListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Mixin for commands that train: their run may be kept in a folder, stopped there and resumed. */
final class RunOptions {

    @Mixin
    SeedOption seed;

    @Option(names = "--out", paramLabel = "DIR",
            description = "Write manifest, metrics, checkpoints, results and report into this folder.")
    private Path out;

    @Option(names = "--resume", description = "Go on from the checkpoints in --out.")
    boolean resume;

    @Mixin
    QuietOption quiet;

    @Mixin
    JsonOption json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** The run's folder, if it is to be kept. */
    Optional<Path> out() {
        if (resume && out == null) {
            throw new UsageProblem("--resume: name the run's folder with --out DIR");
        }
        return Optional.ofNullable(out);
    }

    /** The run's folder, for a command that cannot do without. */
    Path requiredOut() {
        if (out == null) {
            throw new ParameterException(command.commandLine(), "Missing required option: '--out=DIR'");
        }
        return out;
    }

    void answer(Supplier<?> machine, Consumer<PrintWriter> person) {
        json.answer(command, machine, person);
    }

    Progress progress(String task, long total) {
        return quiet.progress(task, total, "");
    }

    /** A new run, or with {@code --resume} the one in the folder, which must have been asked for the same. */
    RunFolder open(String what, Map<String, String> configuration, List<RunManifest.Input> inputs) throws IOException {
        return RunFolder.open(requiredOut(), resume, what, configuration, seed.number(), inputs);
    }

    /** Works; within a run's folder Ctrl-C stops it so that it can be resumed. Returns the command's exit code. */
    int run(Optional<RunFolder> folder, RunFolder.Work work) throws IOException {
        if (folder.isPresent()) {
            return folder.get().run(command, work);
        }
        work.run(new RunListener() { });
        return 0;
    }
}
