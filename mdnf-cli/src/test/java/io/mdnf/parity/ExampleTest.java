package io.mdnf.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of library use compiles against these modules, prints what it says, and asks for these versions. */
class ExampleTest {
    private static final Path EXAMPLE = SourceTree.root().resolve("examples/library");

    private static String read(String name) throws IOException {
        return Files.readString(EXAMPLE.resolve(name));
    }

    @Test
    @Tag("slow")
    void itsBuildsNameTheseVersions() throws IOException {
        Build build = GradleBuild.read(SourceTree.root(), "native");
        String version = build.project().substring(build.project().indexOf(':') + 1);
        Map<String, String> versions = build.catalog();
        assertThat(read("build.gradle.kts"))
                .contains("platform(\"io.mdnf:mdnf-bom:" + version + "\")")
                .contains("nd4j-native-platform:" + versions.get("org.nd4j:nd4j-native-platform"))
                .contains("slf4j-nop:" + versions.get("org.slf4j:slf4j-api"));
        assertThat(read("pom.xml"))
                .contains("<artifactId>mdnf-bom</artifactId>\n        <version>" + version + "</version>")
                .contains("<version>" + versions.get("org.nd4j:nd4j-native-platform") + "</version>")
                .contains("<version>" + versions.get("org.slf4j:slf4j-api") + "</version>");
        assertThat(EXAMPLE.resolve(".mvn/maven.config"))
                .hasSameTextualContentAs(SourceTree.root().resolve(".mvn/maven.config"));
    }

    @Test
    @Tag("slow")
    void itFitsAPosteriorInThirtyLinesAndPrintsWhatItSays(@TempDir Path folder) throws Exception {
        Path source = EXAMPLE.resolve("src/main/java/example/AsiaPosterior.java");
        List<String> lines = Files.readAllLines(source);
        assertThat(lines).hasSizeLessThanOrEqualTo(30);
        String classPath = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-cp", classPath, "-d",
                folder.toString(), source.toString())).isZero();
        ProcessBuilder example = new ProcessBuilder(
                ChildJvm.command(folder + File.pathSeparator + classPath, "example.AsiaPosterior"))
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        example.environment().put("OMP_NUM_THREADS", "1");
        Process run = example.start();
        String printed = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(run.waitFor()).isZero();
        String readme = read("README.md");
        int start = readme.indexOf("```text\n") + "```text\n".length();
        // the log of the tests' logback goes to stdout as well, so only the end counts
        assertThat(printed).endsWith(readme.substring(start, readme.indexOf("```", start)));
    }
}
