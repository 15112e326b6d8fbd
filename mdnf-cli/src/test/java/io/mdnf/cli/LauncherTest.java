package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mdnf.parity.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher {@code mdnf} in a tree of its own, with stand-ins for Maven, Gradle and Java that note their calls: what
 * is tested is when it builds, with what, and how it runs the result.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a script of sh")
class LauncherTest {
    @TempDir
    private Path directory;
    private Path tree;
    private Path tools;
    private final Map<String, String> environment = new HashMap<>(Map.of("MDNF_SHARING", "off"));

    /** What a call of the launcher came to. */
    private record Outcome(int exitCode, String out, String err) { }

    @BeforeEach
    void growATree() throws IOException {
        tree = directory.resolve("a tree"); // a blank, as in many people's paths
        tools = directory.resolve("tools");
        write(tree.resolve("pom.xml"), "");
        write(tree.resolve("mdnf-cli/src/main/java/A.java"), "");
        write(tree.resolve("mdnf-cli/src/main/java/B.java"), "");
        write(tree.resolve("gradle/wrapper/gradle-wrapper.properties"),
                // Port 9 refuses at once: no server answers.
                "distributionUrl=http\\://127.0.0.1\\:9/distributions/gradle-8.5-bin.zip\n");
        Files.copy(SourceTree.root().resolve("mdnf"), tree.resolve("mdnf"));
        everythingIsOld();
        program(tools.resolve("mvn"), """
                echo "mvn $*" >>"$CALLS"
                mkdir -p mdnf-cli/target
                for arg; do case $arg in -Dbackend=*) backend=${arg#-Dbackend=} ;; esac; done
                echo maven.jar >"mdnf-cli/target/mdnf-$backend.classpath"
                """);
        program(tree.resolve("gradlew"), """
                echo "gradlew $*" >>"$CALLS"
                mkdir -p mdnf-cli/build
                echo gradle.jar >mdnf-cli/build/mdnf-native.classpath
                """);
        program(tools.resolve("java"), """
                echo "java ${OMP_NUM_THREADS:-}" >>"$CALLS"
                for arg; do echo "<$arg>"; done
                """);
    }

    @Test
    void buildsOnFirstUseAndThenNoMore() throws Exception {
        assertThat(mdnf("--version").exitCode()).isZero();
        assertThat(calls()).hasSize(2).first().asString().startsWith("mvn -q -B").contains("-Dbackend=native");

        Outcome second = mdnf("--version");
        assertThat(second.err()).isEmpty();
        assertThat(calls()).hasSize(3).last().isEqualTo("java ");
    }

    @Test
    void laterCallsShareAnArchiveOfClasses() throws Exception {
        environment.remove("MDNF_SHARING");
        Files.createDirectories(tree.resolve("mdnf-cli/target/classes"));
        program(tools.resolve("jar"), "touch \"$4\"");
        program(tools.resolve("java"), """
                for arg; do
                  case $arg in -XX:ArchiveClassesAtExit=*) echo archive >"${arg#*=}" ;; esac
                  echo "<$arg>"
                done
                """);
        assertThat(mdnf("fit").out()).contains(tree + "/mdnf-cli/target/classes:maven.jar");
        Path whole = tree.resolve("mdnf-cli/target/mdnf-native.shared");
        for (int i = 0; i < 600 && !Files.exists(whole); i++) {
            Thread.sleep(50); // half a minute at the most
        }
        List<String> shared = Files.readAllLines(whole);
        assertThat(shared.get(1)).matches(".*/mdnf-native\\.shared\\.[0-9]+/1\\.jar:maven\\.jar");
        assertThat(mdnf("fit").out().lines()).containsExactly("<-XX:+UseSerialGC>",
                "<-XX:SharedArchiveFile=" + shared.get(0) + ">", "<-Xlog:cds*=off>", "<-cp>",
                "<" + shared.get(1) + ">", "<io.mdnf.cli.Main>", "<fit>");
    }

    @Test
    void unpackedFromAZipItBuildsNothingAndWritesNothing() throws Exception {
        Path zip = directory.resolve("un packed");
        Files.createDirectories(zip.resolve("bin"));
        Files.copy(tree.resolve("mdnf"), zip.resolve("bin/mdnf"));
        write(zip.resolve("lib/mdnf-cli-1.jar"), "");
        Files.createSymbolicLink(tools.resolve("linked"), zip.resolve("bin/mdnf"));
        environment.remove("MDNF_SHARING");
        Outcome ran = call(directory, tools.resolve("linked").toString(), "bn", "fit", "a b");
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out().lines()).containsExactly("<-XX:+UseSerialGC>", "<-cp>",
                "<" + zip.toRealPath() + "/lib/*>", "<io.mdnf.cli.Main>", "<bn>", "<fit>", "<a b>");
        assertThat(calls()).containsExactly("java ");
        try (var files = Files.walk(zip)) {
            assertThat(files.filter(Files::isRegularFile)).hasSize(2);
        }
        String launcher = zip.resolve("bin/mdnf").toString();
        assertThat(call(directory, launcher, "--master", "local").err()).contains("this zip is without Spark");
        environment.put("MDNF_BACKEND", "cuda");
        assertThat(call(directory, launcher, "--version")).isEqualTo(new Outcome(2, "",
                "mdnf: MDNF_BACKEND=cuda: this zip has the CPU backend; build one with the other, see README.md\n"));
        environment.remove("MDNF_BACKEND");
        program(directory.resolve("old/bin/java"), "");
        write(directory.resolve("old/release"), "JAVA_VERSION=\"11.0.2\"\n");
        environment.put("JAVA_HOME", directory.resolve("old").toString());
        assertThat(call(directory, launcher, "--version").err()).contains("is Java 11: install Java 17 or later");
    }

    @Test
    void aClusterNeedsItsModuleWhichIsBuiltOnlyThen() throws Exception {
        program(tools.resolve("mvn"), """
                echo "mvn $*" >>"$CALLS"
                mkdir -p mdnf-cli/target mdnf-spark/target
                case $* in
                  *'-pl mdnf-spark'*)
                    echo sent.jar >mdnf-spark/target/mdnf-native.classpath
                    echo spark.jar >mdnf-spark/target/spark.classpath ;;
                  *) echo maven.jar >mdnf-cli/target/mdnf-native.classpath ;;
                esac
                """);
        assertThat(mdnf("bn").out()).contains("<io.mdnf.cli.Main>");
        String sent = tree + "/mdnf-spark/target/classes:sent.jar";
        for (int i = 0; i < 2; i++) {
            assertThat(mdnf("--master", "local[2]", "bn").out().lines()).containsExactly("<-XX:+UseSerialGC>",
                    "<-Dmdnf.sent=" + sent + ">", "<-cp>", "<" + sent + ":spark.jar>", "<io.mdnf.spark.Application>",
                    "<--master>", "<local[2]>", "<bn>");
        }
        assertThat(calls().stream().filter(call -> call.startsWith("mvn"))).hasSize(2)
                .first().asString().contains("-pl mdnf-cli");
    }

    @Test
    void passesArgumentsAsTheyAre() throws Exception {
        environment.put("MDNF_JAVA_OPTS", "-Xmx1g -ea");

        assertThat(mdnf("fit", "two words", "", "*").out().lines()).containsExactly(
                "<-XX:+UseSerialGC>", "<-Xmx1g>", "<-ea>", "<-cp>",
                "<" + tree + "/mdnf-cli/target/classes:maven.jar>", "<io.mdnf.cli.Main>", "<fit>",
                "<two words>", "<>", "<*>");
    }

    @Test
    void runsFromAnyDirectoryAndThroughSymlinks() throws Exception {
        Files.createDirectories(directory.resolve("bin"));
        Path relative = Files.createSymbolicLink(directory.resolve("bin/mdnf"), Path.of("../a tree/mdnf"));
        Path absolute = Files.createSymbolicLink(directory.resolve("bin/again"), relative);

        for (Path link : List.of(relative, absolute)) {
            Outcome outcome = call(directory.resolve("tools"), link.toString());
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            assertThat(outcome.out()).contains(tree + "/mdnf-cli/target/classes:maven.jar");
        }
    }

    @Test
    void buildsAgainWhenASourceChangesOrGoes() throws Exception {
        mdnf();
        Files.setLastModifiedTime(tree.resolve("mdnf-cli/src/main/java/A.java"), soon());
        mdnf();
        assertThat(calls().stream().filter(call -> call.startsWith("mvn"))).hasSize(2);

        everythingIsOld();
        Files.delete(tree.resolve("mdnf-cli/src/main/java/B.java"));
        Files.setLastModifiedTime(tree.resolve("mdnf-cli/src/main/java"), soon());
        mdnf();
        assertThat(calls().stream().filter(call -> call.startsWith("mvn"))).hasSize(3);
    }

    @Test
    void aFailingBuildSaysWhyAndWhereTheLogIs() throws Exception {
        program(tools.resolve("mvn"), """
                echo "[ERROR] COMPILATION ERROR :"
                echo "[ERROR] A.java:[3,1] cannot find symbol"
                exit 1
                """);

        Outcome outcome = mdnf("--version");

        Path log = tree.resolve("mdnf-cli/target/mdnf-build.log");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err().lines()).containsExactly(
                "mdnf: the build with maven failed: [ERROR] A.java:[3,1] cannot find symbol",
                "mdnf: the whole story is in " + log);
        assertThat(log).content().contains("COMPILATION ERROR");
        assertThat(tree.resolve("mdnf-cli/target/mdnf-build.lock")).doesNotExist();
    }

    @Test
    void usesGradleWhenItsDistributionIsThere() throws Exception {
        Path home = directory.resolve("gradle-home");
        write(home.resolve("wrapper/dists/gradle-8.5-bin/abc/gradle-8.5-bin.zip.ok"), "");
        environment.put("GRADLE_USER_HOME", home.toString());

        assertThat(mdnf().out()).contains("<gradle.jar>");
        assertThat(calls()).first().asString().startsWith("gradlew").contains("-Pbackend=native", "writeClasspath");
    }

    @Test
    void usesTheBuildThatIsAskedFor() throws Exception {
        environment.put("MDNF_BUILD", "gradle");
        assertThat(mdnf().out()).contains("<gradle.jar>");

        environment.put("MDNF_BUILD", "maven");
        assertThat(mdnf().out()).contains("classes:maven.jar>");
    }

    @Test
    void saysWhyGradleFailed() throws Exception {
        environment.put("MDNF_BUILD", "gradle");
        program(tree.resolve("gradlew"), """
                echo 'FAILURE: Build failed with an exception.'
                echo
                echo '* What went wrong:'
                echo "Execution failed for task ':mdnf-core:compileJava'."
                echo "> Could not resolve all files for configuration ':mdnf-core:compileClasspath'."
                echo '   > Could not find org.nd4j:nd4j-api:1.0.0-M2.1.'
                echo
                echo '* Try:'
                echo '> Run with --stacktrace option to get the stack trace.'
                exit 1
                """);
        assertThat(mdnf().err()).startsWith("mdnf: the build with gradle failed: Execution failed for task "
                + "':mdnf-core:compileJava'. > Could not resolve all files for configuration "
                + "':mdnf-core:compileClasspath'. > Could not find org.nd4j:nd4j-api:1.0.0-M2.1.\n");
    }

    @Test
    void keepsOneClassPathPerBackend() throws Exception {
        mdnf();
        environment.put("MDNF_BACKEND", "cuda");
        mdnf();
        assertThat(calls()).filteredOn(call -> call.startsWith("mvn")).hasSize(2).last().asString()
                .contains("-Dbackend=cuda");
    }

    @Test
    void leavesTheThreadsToTheUser() throws Exception {
        environment.put("OMP_NUM_THREADS", "4");
        mdnf();
        assertThat(calls()).last().isEqualTo("java 4");
    }

    @Test
    void leavesTheKernelsOfProductsToTheUser() throws Exception {
        program(tools.resolve("java"), "echo \"kernels ${OPENBLAS_CORETYPE:-}\"");
        environment.put("OPENBLAS_CORETYPE", "Haswell");
        assertThat(mdnf().out()).isEqualTo("kernels Haswell\n");

        environment.put("OPENBLAS_CORETYPE", "");
        Path processors = Path.of("/proc/cpuinfo");
        List<String> can = Files.exists(processors)
                ? List.of(Files.readString(processors).split("\\s+")) : List.of();
        String kernels = !can.containsAll(List.of("avx2", "fma")) ? ""
                : can.containsAll(List.of("avx512f", "avx512bw", "avx512dq", "avx512vl")) ? "SkylakeX" : "Haswell";
        assertThat(mdnf().out()).isEqualTo("kernels " + kernels + "\n");
    }

    @Test
    void refusesUnknownBackendsAndBuilds() throws Exception {
        environment.put("MDNF_BACKEND", "tpu");
        assertThat(mdnf()).isEqualTo(new Outcome(2, "", "mdnf: MDNF_BACKEND=tpu: native or cuda\n"));

        environment.put("MDNF_BACKEND", "cuda");
        environment.put("MDNF_BUILD", "make");
        assertThat(mdnf()).isEqualTo(new Outcome(2, "", "mdnf: MDNF_BUILD=make: gradle or maven\n"));
    }

    @Test
    void aLockWhoseOwnerIsGoneDoesNotBlock() throws Exception {
        // No process can have this number: Linux stops at 2^22.
        write(tree.resolve("mdnf-cli/target/mdnf-build.lock/owner"), "99999999\n");
        assertThat(mdnf().exitCode()).isZero();
    }

    private Outcome mdnf(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(tree.resolve("mdnf").toString()));
        command.addAll(List.of(args));
        return call(directory, command.toArray(String[]::new));
    }

    private Outcome call(Path from, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(from.toFile())
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile());
        Map<String, String> its = builder.environment();
        List.of("JAVA_HOME", "OMP_NUM_THREADS", "MDNF_BACKEND", "MDNF_BUILD", "MDNF_JAVA_OPTS").forEach(its::remove);
        its.put("PATH", tools + ":" + its.get("PATH"));
        its.put("CALLS", directory.resolve("calls").toString());
        its.put("GRADLE_USER_HOME", directory.resolve("no-gradle").toString());
        its.putAll(environment);
        int exitCode = builder.start().waitFor();
        return new Outcome(
                exitCode, Files.readString(directory.resolve("out")), Files.readString(directory.resolve("err")));
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(directory.resolve("calls"));
    }

    /** An hour ago, so that what a stand-in builds is surely newer, however coarse the file system's clock. */
    private void everythingIsOld() throws IOException {
        try (var files = Files.walk(tree)) {
            Path sources = tree.resolve("mdnf-cli/src");
            for (Path file : files.filter(f -> f.startsWith(sources) || f.endsWith("pom.xml")).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(3600)));
            }
        }
    }

    /** Newer than the class path, but past once the launcher builds again. */
    private FileTime soon() throws IOException {
        Path classpath = tree.resolve("mdnf-cli/target/mdnf-native.classpath");
        Files.setLastModifiedTime(classpath, FileTime.from(Instant.now().minusSeconds(1800)));
        return FileTime.from(Instant.now().minusSeconds(900));
    }

    private static void program(Path file, String script) throws IOException {
        write(file, "#!/bin/sh\nset -eu\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
