package io.mdnf.cli;

import io.mdnf.checkpoint.CheckpointFolder;
import io.mdnf.checkpoint.RunManifest;
import io.mdnf.random.Draws;
import io.mdnf.random.Seed;
import io.mdnf.report.Progress;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mdnf bench kill}: whether runs that are killed and resumed end as if nothing had happened. */
@Command(name = "kill", footer = "  mdnf bench kill --times 20", description = {
    "Kills trainings at random moments, resumes them, and compares what comes of them bit for bit.",
    "In turns 'bn fit' and 'vae train', each a program of its own, ended by SIGKILL."})
final class BenchKill implements Callable<Integer> {

    private static final int SIZE = 8;
    /** Of eight kills so many come at random moments of the whole run; the others once it has saved something. */
    private static final int EARLY_OF_EIGHT = 2;

    @Option(names = "--times", paramLabel = "N", defaultValue = "20", description = "How many kills")
    private int times;

    @Mixin
    private QuietOption quiet;

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    private volatile Process running;

    /**
     * A command that trains for a few seconds.
     *
     * @param checkpoints within its folder
     */
    private record Trained(List<String> command, String checkpoints) { }

    /**
     * What came of the kills: how many hit a run before its first checkpoint, how many went on to the same parameters
     * to the last bit, how many to others, how many not at all.
     */
    record Answer(int kills, int early, int same, int different, int failed, List<String> problems) { }

    @Override
    public Integer call() throws IOException {
        UsageProblem.ifBelowOne("--times", times);
        Nd4jStart.now();
        Path folder = Files.createTempDirectory("mdnf-kill");
        // on Ctrl-C no program is left behind
        Thread hook = new Thread(() -> Optional.ofNullable(running).ifPresent(Process::destroyForcibly));
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            Answer answer;
            try (Progress progress = quiet.progress("kill", times, "")) {
                answer = kill(folder, progress);
            }
            json.answer(() -> answer, out -> {
                out.printf("%d runs killed, %d of them before their first checkpoint: %d resumed to the same parameters"
                        + " bit for bit, %d to others, %d failed%n", answer.kills, answer.early, answer.same,
                        answer.different, answer.failed);
                answer.problems.forEach(out::println);
            });
            return answer.different + answer.failed == 0 ? 0 : 1;
        } finally {
            Runtime.getRuntime().removeShutdownHook(hook);
            FileUtils.deleteDirectory(folder.toFile());
        }
    }

    private Answer kill(Path folder, Progress progress) throws IOException {
        images(folder);
        List<Trained> trained = List.of(
                new Trained(List.of("bn", "fit", "cancer", "--evidence", "Cancer=True", "--family", "autoregressive",
                        "--components", "5", "--steps", "1000", "--no-refine"), "checkpoints/autoregressive"),
                new Trained(List.of("vae", "train", "--latents", "3", "--categories", "4", "--components", "5",
                        "--batch", "32", "--epochs", "12", "--own-images", "--data", folder.toString()),
                        "checkpoints"));
        Map<Trained, double[]> whole = new HashMap<>();
        Map<Trained, Long> millis = new HashMap<>();
        SplittableRandom moments = new SplittableRandom(seed.number());
        int[] counts = new int[4];
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            Trained each = trained.get(i % trained.size());
            if (!whole.containsKey(each)) {
                Path undisturbed = folder.resolve("whole-" + i);
                Process process = begun(start(each, undisturbed, false), undisturbed, true);
                long began = System.nanoTime();
                if (!ends(process)) {
                    throw new IllegalStateException(each.command + " failed without a kill: " + log(undisturbed));
                }
                millis.put(each, Math.max(1, (System.nanoTime() - began) / 1_000_000));
                whole.put(each, parameters(each, undisturbed));
            }
            Path out = folder.resolve("killed-" + i);
            long moment = moments.nextLong(millis.get(each));
            if (endsWithin(moment, begun(start(each, out, false), out, i % 8 >= EARLY_OF_EIGHT))) {
                // it had ended: this was no kill
                FileUtils.deleteDirectory(out.toFile());
                i--;
                continue;
            }
            Path saved = out.resolve(each.checkpoints);
            counts[0] += Files.exists(saved) && CheckpointFolder.look(saved).latest().isPresent() ? 0 : 1;
            boolean resumed = ends(start(each, out, true));
            boolean same = resumed && Arrays.equals(whole.get(each), parameters(each, out));
            counts[same ? 1 : resumed ? 2 : 3]++;
            if (!same) {
                problems.add(each.command.get(0) + " killed after " + moment + " ms: "
                        + (resumed ? "other parameters" : log(out)));
            }
            progress.at(i + 1L, Double.NaN);
        }
        return new Answer(times, counts[0], counts[1], counts[2], counts[3], problems);
    }

    /** The program anew, with this one's virtual machine and options. */
    private Process start(Trained trained, Path out, boolean resume) throws IOException {
        // fast to start; what is computed is the same
        List<String> line = itself("-XX:TieredStopAtLevel=1");
        line.addAll(trained.command);
        line.addAll(List.of("--quiet", "--out", out.toString()));
        if (resume) {
            line.add("--resume");
        }
        running = new ProcessBuilder(line).redirectErrorStream(true)
                .redirectOutput(out.resolveSibling(out.getFileName() + ".log").toFile()).start();
        return running;
    }

    /** How this program is started anew, with more options for the virtual machine; arguments may be added. */
    static List<String> itself(String... options) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        line.addAll(List.of(options));
        line.addAll(List.of("-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), Main.class.getName()));
        return line;
    }

    private static String log(Path out) throws IOException {
        return Files.readString(out.resolveSibling(out.getFileName() + ".log")).strip();
    }

    private static boolean ends(Process process) {
        return endsWithin(Integer.MAX_VALUE, process) && process.exitValue() == 0;
    }

    /** The process once its run has begun, or has saved: before that there is nothing, or little, to lose. */
    private static Process begun(Process process, Path out, boolean saved) {
        while (process.isAlive() && !(saved ? Stopping.isSaved(out) : Files.exists(out.resolve(RunManifest.NAME)))) {
            LockSupport.parkNanos(1_000_000);
        }
        return process;
    }

    /** Whether it ended by itself; otherwise it is killed. */
    private static boolean endsWithin(long millis, Process process) {
        try {
            return process.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a run was under way", e);
        } finally {
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    private static double[] parameters(Trained trained, Path out) throws IOException {
        return CheckpointFolder.look(out.resolve(trained.checkpoints)).latest().orElseThrow().checkpoint().parameters();
    }

    /** A few random images under MNIST's names. */
    private static void images(Path folder) throws IOException {
        for (String set : List.of("train", "t10k")) {
            int count = set.equals("train") ? 400 : 40;
            ByteBuffer images = ByteBuffer.allocate(16 + count * SIZE * SIZE)
                    .put(new byte[] {0, 0, 8, 3}).putInt(count).putInt(SIZE).putInt(SIZE);
            for (int pixel : new Draws(Seed.of(1)).uniform(set, count * SIZE * SIZE, 256)) {
                images.put((byte) pixel);
            }
            Files.write(folder.resolve(set + "-images-idx3-ubyte"), images.array());
            Files.write(folder.resolve(set + "-labels-idx1-ubyte"),
                    ByteBuffer.allocate(8 + count).put(new byte[] {0, 0, 8, 1}).putInt(count).array());
        }
    }
}
