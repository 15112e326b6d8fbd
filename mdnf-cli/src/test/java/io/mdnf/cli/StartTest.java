package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.parity.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program as its own process: what it loads, and which stream gets what. */
class StartTest {
    @TempDir
    private Path directory;
    private String classPath = System.getProperty("java.class.path");

    @ParameterizedTest
    @CsvSource({"--version, 0", "--help, 0", "doctor --help, 0", "docter, 2", "doctor --jsno, 2"})
    @Tag("slow")
    void questionsAboutTheProgramItselfDoNotLoadNd4j(String args, int exitCode) throws Exception {
        assertThat(mdnf(args)).isEqualTo(exitCode);
        assertThat(loaded()).contains("io.mdnf.cli.Main").noneMatch(StartTest::isHeavy);
    }

    @Test
    @Tag("slow")
    void doctorLoadsNd4jWhichShowsThatTheProbeWorks() throws Exception {
        assertThat(mdnf("doctor --json")).isZero();
        assertThat(loaded()).anyMatch(StartTest::isHeavy);
        assertThat(Files.readString(directory.resolve("err"))).isEmpty();
        assertThat(Files.readString(directory.resolve("out"))).startsWith("{").endsWith("}\n");
    }

    @Test
    @Tag("slow")
    void verboseLogsOnStderrAndLeavesStdoutToTheAnswer() throws Exception {
        assertThat(mdnf("doctor --json --verbose")).isZero();
        assertThat(Files.readString(directory.resolve("err"))).contains("INFO  Nd4jBackend");
        assertThat(Files.readString(directory.resolve("out"))).startsWith("{").endsWith("}\n");
    }

    @Test
    @Tag("slow")
    void withoutABackendTheDoctorSaysSoAndNothingElseIsPrinted() throws Exception {
        classPath = Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> !entry.contains("nd4j-native-1.")) // the CPU backend's two jars
                .collect(Collectors.joining(File.pathSeparator));

        assertThat(mdnf("doctor")).isEqualTo(1);
        assertThat(Files.readString(directory.resolve("out"))).contains("does not start\n", "-> ND4J finds no backend");
        assertThat(Files.readString(directory.resolve("err"))).isEmpty();
    }

    private static boolean isHeavy(String className) {
        return className.startsWith("org.nd4j.") || className.startsWith("org.bytedeco.")
                || className.startsWith("ch.qos.logback.");
    }

    private int mdnf(String args) throws IOException, InterruptedException {
        List<String> command = ChildJvm.command(classPath, "-Xlog:class+load:file=" + directory.resolve("classes"),
                "io.mdnf.cli.Main");
        command.addAll(List.of(args.split(" ")));
        return new ProcessBuilder(command)
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile())
                .start().waitFor();
    }

    /** Lines of the log read {@code [0.1s][info][class,load] java.lang.Object source: ...}. */
    private List<String> loaded() throws IOException {
        return Files.readAllLines(directory.resolve("classes")).stream()
                .map(line -> line.replaceFirst("^(\\[[^]]*])+ ", "").replaceFirst(" .*", ""))
                .toList();
    }
}
