package io.mdnf.cli;

import io.mdnf.checkpoint.RunManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A run's folder and its {@code manifest.json}: a new run, or one that goes on. */
final class RunFolder {

    private final Path path;
    private final boolean resumed;
    private RunManifest manifest;

    private RunFolder(Path path, boolean resumed, RunManifest manifest) {
        this.path = path;
        this.resumed = resumed;
        this.manifest = manifest;
    }

    /** A new run, or with resume the one that is there, which must have been asked for the same. */
    static RunFolder open(Path path, boolean resume, String what, Map<String, String> configuration, long seed,
            List<RunManifest.Input> inputs) throws IOException {
        RunManifest wanted = Provenance.started(what, configuration, seed, inputs);
        boolean there = Files.exists(path.resolve(RunManifest.NAME));
        if (!resume) {
            if (there) {
                throw new UsageProblem("--out " + path + ": there is a run already; --resume goes on with it");
            }
            return new RunFolder(path, false, wanted);
        }
        if (!there) {
            throw new UsageProblem("--resume: there is no run in " + path);
        }
        RunManifest old = RunManifest.read(path);
        if (!old.what().equals(wanted.what()) || !old.configuration().equals(wanted.configuration())
                || old.seed() != seed || !old.inputs().equals(wanted.inputs())) {
            throw new UsageProblem("--resume: the run in " + path + " was " + describe(old) + ", not "
                    + describe(wanted));
        }
        return new RunFolder(path, true, old.resumed());
    }

    /** A run that begins now, whatever was in the folder before. */
    static RunFolder anew(Path path, RunManifest manifest) {
        return new RunFolder(path, false, manifest);
    }

    private static String describe(RunManifest run) {
        String hashes = String.join(",", run.inputs().stream().map(input -> input.sha256().substring(0, 8)).toList());
        return run.what() + " " + run.configuration() + " seed " + run.seed() + " of file " + hashes;
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    boolean resumed() {
        return resumed;
    }

    RunManifest manifest() {
        return manifest;
    }

    void start() throws IOException {
        Files.createDirectories(path);
        manifest.write(path);
    }

    void finish() throws IOException {
        manifest = manifest.ended(RunManifest.Status.FINISHED, "");
        manifest.write(path);
    }

    /** Somebody wanted it to end early; it can be resumed. */
    void stop(String why) throws IOException {
        manifest.ended(RunManifest.Status.STOPPED, why).write(path);
    }

    /** Keeps the first problem: a manifest that cannot be written must not hide it. */
    void fail(Exception problem) {
        try {
            manifest.ended(RunManifest.Status.FAILED, String.valueOf(problem.getMessage())).write(path);
        } catch (IOException e) {
            problem.addSuppressed(e);
        }
    }
}
