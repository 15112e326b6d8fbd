package io.mdnf.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

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
                .contains("org.nd4j:nd4j-native-platform:" + nd4j + "\"");
    }
}
