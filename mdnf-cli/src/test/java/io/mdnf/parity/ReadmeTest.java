package io.mdnf.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the README tells a newcomer is what the tree does. */
class ReadmeTest {
    private static String read(String file) throws IOException {
        return Files.readString(SourceTree.root().resolve(file));
    }

    @Test
    void theCheckRunsExactlyTheTestCommand() throws IOException {
        String command = "mvn -B verify";

        assertThat(read("README.md").lines()).contains("$ " + command);
        assertThat(read(".ci/run").lines()).contains(command);
        assertThat(SourceTree.root().resolve(".ci/run")).isExecutable();
    }

    @Test
    void theLibrarySnippetNamesTheseVersions() throws IOException {
        Build build = GradleBuild.read(SourceTree.root(), "native");
        String version = build.project().substring(build.project().indexOf(':') + 1);
        String nd4j = build.catalog().get("org.nd4j:nd4j-native-platform");

        assertThat(read("README.md"))
                .contains("platform(\"io.mdnf:mdnf-bom:" + version + "\")")
                .contains("org.nd4j:nd4j-native-platform:" + nd4j + "\"")
                .contains("<artifactId>mdnf-bom</artifactId>\n      <version>" + version + "</version>")
                .contains("<artifactId>nd4j-native-platform</artifactId>\n    <version>" + nd4j + "</version>");
    }

    /** The examples compile against the library and print what the pages say they print. */
    @ParameterizedTest
    @Tag("slow")
    @CsvSource({"README.md, FirstPosterior", "docs/tutorial.md, Switches", "docs/tutorial.md, Bars",
        "docs/tutorial.md, CodedBars", "docs/samediff.md, ExistingModel",
        "docs/models.md, Survey", "docs/models.md, Topics", "docs/models.md, Weather",
        "docs/models.md, Beliefs", "docs/models.md, Autoencoder",
        "docs/cookbook.md, Umbrella", "docs/cookbook.md, Restored", "docs/cookbook.md, Visits",
        "docs/cookbook.md, Streamed", "docs/cookbook.md, ManyCases", "docs/cookbook.md, Bottleneck"})
    void theExampleRunsAsShown(String page, String name, @TempDir Path folder) throws Exception {
        String example = Arrays.stream(read(page).split("<!-- /?example -->"))
                .filter(part -> part.contains("public class " + name + " {")).findFirst().orElseThrow();
        String code = fenced(example, "java");
        String shown = fenced(example, "text");
        Path source = folder.resolve(name + ".java");
        Files.writeString(source, code);
        String classPath = System.getProperty("java.class.path");
        int compiled = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-cp", classPath, "-d",
                folder.toString(),
                source.toString());
        assertThat(compiled).isZero();
        String printed = printed(folder, name);
        assertThat(printed).endsWith(shown);
    }

    /** What a program prints, which is run within this virtual machine: a new one would start ND4J anew. */
    private static String printed(Path classes, String name) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream before = System.out;
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
            loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String fenced(String text, String language) {
        Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(text);
        assertThat(block.find()).as("a block of " + language).isTrue();
        return block.group(1);
    }
}
