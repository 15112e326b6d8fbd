package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.parity.ChildJvm;
import io.mdnf.checkpoint.RunManifest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C and SIGTERM, sent to the program as its own process: what it reached is saved, one line says how to go on. */
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class StoppingTest {
    private static final List<String> MIXTURE = List.of("gmm", "fit", "artificial", "--clusters", "3", "--components",
            "5", "--starts", "3", "--steps", "20", "--start", "random", "--quiet", "--out");

    @TempDir
    private static Path undisturbed;

    @TempDir
    private Path folder;

    @BeforeAll
    static void fitWithoutAStop() {
        whole(with(MIXTURE, undisturbed.resolve("run").toString()));
    }

    private Path err() {
        return folder.resolve("err");
    }

    /** A shell in the background hands on an ignored SIGINT; env gives the child the usual one back. */
    private static List<String> command(List<String> args) {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(ChildJvm.command(System.getProperty("java.class.path"), "io.mdnf.cli.Main"));
        command.addAll(args);
        return command;
    }

    private Process mdnf(List<String> args) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(args)).redirectOutput(folder.resolve("out").toFile())
                .redirectError(err().toFile());
        builder.environment().put("OMP_NUM_THREADS", "1");
        return builder.start();
    }

    /** The same within this virtual machine, where nothing is to be stopped. */
    private static void whole(List<String> args) {
        StringWriter said = new StringWriter();
        PrintWriter writer = new PrintWriter(said, true);
        assertThat(Main.run(writer, writer, args.toArray(String[]::new))).as(said.toString()).isZero();
    }

    private int stoppedOnce(List<String> args, String signal, BooleanSupplier ready) throws Exception {
        Process child = mdnf(args);
        while (!ready.getAsBoolean() && child.isAlive()) {
            Thread.sleep(5);
        }
        new ProcessBuilder("kill", "-" + signal, Long.toString(child.pid())).start().waitFor();
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return child.exitValue();
    }

    private static boolean hasFiles(Path directory) {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.anyMatch(file -> file.toString().endsWith(".mdnf"));
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void aStoppedMixtureResumesToTheSameModel(String signal, int exitCode) throws Exception {
        Path stopped = folder.resolve("stopped run");
        assertThat(stoppedOnce(with(MIXTURE, stopped.toString()), signal,
                () -> hasFiles(stopped.resolve("checkpoints"))))
                .isEqualTo(exitCode);
        assertThat(Files.readString(err()).lines()).singleElement().asString()
                .startsWith("mdnf: stopped, saved in " + stopped + "; go on with: mdnf gmm fit artificial")
                .endsWith("--out '" + stopped + "' --resume");
        assertThat(RunManifest.read(stopped).status()).isEqualTo(RunManifest.Status.STOPPED);
        assertThat(stopped.resolve("model.json")).doesNotExist();

        whole(with(MIXTURE, stopped.toString(), "--resume"));
        assertThat(RunManifest.read(stopped).status()).isEqualTo(RunManifest.Status.FINISHED);
        for (String file : List.of("model.json", "responsibilities.csv", "metrics.csv")) {
            assertThat(stopped.resolve(file)).hasSameTextualContentAs(undisturbed.resolve("run").resolve(file));
        }
    }

    @Test
    void aStoppedPosteriorSavesACheckpointAndGoesOn() throws Exception {
        Path run = folder.resolve("run");
        List<String> fit = List.of("bn", "fit", "asia", "--family", "autoregressive", "--steps", "1000", "--no-refine",
                "--quiet", "--json", "--out", run.toString());
        assertThat(stoppedOnce(fit, "INT", () -> hasFiles(run.resolve("checkpoints").resolve("autoregressive"))))
                .isEqualTo(130);
        assertThat(Files.readString(err()).lines()).singleElement().asString().endsWith(run + " --resume");
        assertThat(Files.readString(folder.resolve("out"))).isEmpty();
        assertThat(RunManifest.read(run).status()).isEqualTo(RunManifest.Status.STOPPED);
        assertThat(RunManifest.read(run).message()).matches("stopped after \\d+ steps");

        whole(with(fit, "--resume"));
        assertThat(RunManifest.read(run).status()).isEqualTo(RunManifest.Status.FINISHED);
    }

    /** Types Ctrl-C, as a keyboard sends it, into a terminal where the bar is shown; returns all that was seen. */
    private String stoppedInATerminal(List<String> args, BooleanSupplier ready, int times) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "no script(1) to open a terminal with");
        String command = command(args).stream().map(Stopping::quoted).collect(Collectors.joining(" "));
        ProcessBuilder builder = new ProcessBuilder("script", "-qfec", command, "/dev/null")
                .redirectErrorStream(true).redirectOutput(err().toFile());
        builder.environment().put("OMP_NUM_THREADS", "1");
        Process terminal = builder.start();
        while (!ready.getAsBoolean() && terminal.isAlive()) {
            Thread.sleep(5);
        }
        for (int i = 0; i < times; i++) {
            terminal.getOutputStream().write(3);
            terminal.getOutputStream().flush();
        }
        assertThat(terminal.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(terminal.exitValue()).isEqualTo(130);
        return Files.readString(err());
    }

    /** With the bar shown: the progress bar's library once took Ctrl-C away from the program. A second one of an
     * impatient person changes nothing. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void ctrlCInATerminalSavesToo(int times) throws Exception {
        Path run = folder.resolve("run");
        String seen = stoppedInATerminal(List.of("bn", "fit", "asia", "--family", "autoregressive", "--no-refine",
                "--out", run.toString()), () -> hasFiles(run.resolve("checkpoints").resolve("autoregressive")), times);
        assertThat(seen).contains("fit asia ");
        assertThat(lastLine(seen))
                .startsWith("mdnf: stopped, saved in " + run + "; go on with: mdnf bn fit asia ");
        assertThat(RunManifest.read(run).status()).isEqualTo(RunManifest.Status.STOPPED);
    }

    @Test
    void ctrlCInATerminalSaysWhatAReproductionKeeps() throws Exception {
        Path out = folder.resolve("reproduce");
        String seen = stoppedInATerminal(List.of("reproduce", "base-distributions", "--out", out.toString()),
                () -> said(" % ["), 1);
        assertThat(lastLine(seen))
                .startsWith("mdnf: stopped, finished parts are kept in " + out + "; go on with: mdnf reproduce");
    }

    /** The only line that says so is the last, and a bar is neither before nor after it. */
    private static String lastLine(String seen) {
        List<String> lines = seen.lines().toList();
        assertThat(lines).filteredOn(line -> line.contains("stopped")).hasSize(1);
        return lines.get(lines.size() - 1);
    }

    private boolean said(String words) {
        try {
            return Files.readString(err()).contains(words);
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aStoppedReproductionSaysWhatIsKept() throws Exception {
        Path out = folder.resolve("reproduce");
        assertThat(stoppedOnce(List.of("reproduce", "base-distributions", "--quiet", "--out", out.toString()), "INT",
                () -> Files.isDirectory(out))).isEqualTo(130);
        assertThat(Files.readString(err()).lines()).singleElement().asString()
                .startsWith("mdnf: stopped, finished parts are kept in " + out + "; go on with: mdnf reproduce")
                .endsWith("--resume");
    }

    @Test
    void aWordThatAShellWouldSplitIsQuoted() {
        assertThat(Stopping.quoted("a=b,c/d.e")).isEqualTo("a=b,c/d.e");
        assertThat(Stopping.quoted("it's here")).isEqualTo("'it'\\''s here'");
    }

    private static List<String> with(List<String> command, String... more) {
        List<String> longer = new ArrayList<>(command);
        longer.addAll(List.of(more));
        return longer;
    }
}
