package io.mdnf.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The Gradle build and the Maven build say the same, and the comparison can tell when they do not. */
class BuildParityTest {
    private static final Pattern SNAPSHOT = Pattern.compile("\\d[\\w.]*-SNAPSHOT");

    @TempDir
    private Path copy;

    @BeforeEach
    void copyTheBuildFiles() throws IOException {
        Path root = SourceTree.root();
        try (Stream<Path> files = Files.walk(root, 2)) {
            for (Path file : files.filter(BuildParityTest::isBuildFile).toList()) {
                Path target = copy.resolve(root.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }

    private static boolean isBuildFile(Path file) {
        return List.of("pom.xml", "gradle.properties", "libs.versions.toml").contains(file.getFileName().toString())
                || file.toString().endsWith(".gradle.kts");
    }

    @Test
    void gradleAndMavenBuildTheSameThing() throws IOException {
        assertThat(BuildParity.differences(SourceTree.root())).isEmpty();
    }

    /** What Maven Central asks of a pom, from both builds. Where the sources are stands on the project's page. */
    @Test
    void publishedPomsSayWhatTheyAre() throws IOException {
        Path root = SourceTree.root();
        Properties gradle = new Properties();
        gradle.load(new StringReader(Files.readString(root.resolve("gradle.properties"))));
        String url = gradle.getProperty("url");
        for (String module : MavenBuild.read(root, "native").modules().keySet()) {
            assertThat(MavenBuild.metadata(root, module)).as(module).isEqualTo(Map.of("name", module,
                    "description", gradle.getProperty("description"), "url", url, "scm", url,
                    "licenses", "Apache-2.0 https://www.apache.org/licenses/LICENSE-2.0",
                    "developers", "The MDNF developers"));
        }
        assertThat(Files.readString(root.resolve("build.gradle.kts")))
                .contains("name.set(project.name)", "description.set(providers.gradleProperty(\"description\"))",
                        "url.set(providers.gradleProperty(\"url\"))", "name.set(\"Apache-2.0\")",
                        "url.set(\"https://www.apache.org/licenses/LICENSE-2.0\")",
                        "developers { developer { name.set(\"The MDNF developers\") } }",
                        "scm { url.set(providers.gradleProperty(\"url\")) }", "withSourcesJar()", "withJavadocJar()");
    }

    /** Without these, Maven would add a module's name to what it inherits: addresses that nobody serves. */
    @Test
    void modulesInheritTheAddressesAsTheyAre() throws IOException {
        assertThat(Files.readString(SourceTree.root().resolve("pom.xml")))
                .contains("child.project.url.inherit.append.path=\"false\"",
                        "child.scm.url.inherit.append.path=\"false\"");
    }

    /** Equal sources make equal archives, whoever packs them and when. */
    @Test
    void archivesHoldNoTimeOfTheirBuild() throws IOException {
        assertThat(Files.readString(SourceTree.root().resolve("pom.xml")))
                .containsPattern("<project.build.outputTimestamp>\\d{4}-\\d\\d-\\d\\dT[\\d:]{8}Z<");
        assertThat(Files.readString(SourceTree.root().resolve("build.gradle.kts")))
                .contains("isPreserveFileTimestamps = false", "isReproducibleFileOrder = true");
    }

    /** What CONTRIBUTING's two commands change at a release, they change everywhere. */
    @Test
    void noPageOrExampleNamesAnotherSnapshotOfOurs() throws IOException {
        Path root = SourceTree.root();
        String project = MavenBuild.read(root, "native").project();
        List<String> others = new ArrayList<>();
        for (String folder : List.of("docs", "examples", "gradle", ".")) {
            try (Stream<Path> files = Files.walk(root.resolve(folder), folder.equals(".") ? 1 : 2)) {
                for (Path file : files.filter(f -> f.toString().matches(".*\\.(md|xml|kts|properties|sh)")).toList()) {
                    SNAPSHOT.matcher(Files.readString(file)).results().map(MatchResult::group)
                            .filter(version -> !project.endsWith(":" + version))
                            .forEach(version -> others.add(root.relativize(file) + ": " + version));
                }
            }
        }
        assertThat(others).isEmpty();
    }

    /** What README tells a user of the library to depend on runs, and without a warning of slf4j's. */
    @Test
    void readmeNamesABackendAndALoggerOfOurVersions() throws IOException {
        String versions = Files.readString(SourceTree.root().resolve("gradle/libs.versions.toml"));
        String readme = Files.readString(SourceTree.root().resolve("README.md"));
        for (String dependency : List.of("nd4j-native-platform", "slf4j-nop")) {
            String name = dependency.split("-")[0];
            Matcher version = Pattern.compile("^" + name + " = \"(.*)\"", Pattern.MULTILINE).matcher(versions);
            assertThat(version.find()).isTrue();
            assertThat(readme)
                    .contains("runtimeOnly(\"org." + name + ":" + dependency + ":" + version.group(1) + "\")");
        }
    }

    /** File, regex, replacement, and what must be named then; every kind of difference is there. */
    static Stream<Arguments> edits() {
        return Stream.of(
            arguments("gradle/libs.versions.toml", "picocli = \"[^\"]*\"", "picocli = \"1\"",
                "version of info.picocli:picocli: Gradle has 1,"),
            arguments("pom.xml", "(<junit.version>).*(<)", "$1 1$2", "version of org.junit:junit-bom"),
            arguments("pom.xml", "nd4j-cuda-11.6-platform", "nd4j-cuda-11.4-platform",
                "version of org.nd4j:nd4j-cuda-11.6-platform"),
            arguments("gradle.properties", "version=.*", "version=9", "project: Gradle has io.mdnf:9, Maven"),
            arguments("pom.xml", "<maven.compiler.release>17", "<maven.compiler.release>21",
                "Java release: Gradle has 17, Maven has 21"),
            arguments("settings.gradle.kts", "\"mdnf-gmm\",", "", "module mdnf-gmm: only in Maven"),
            arguments("pom.xml", "<module>mdnf-gmm</module>", "", "module mdnf-gmm: only in Gradle"),
            arguments("mdnf-core/build.gradle.kts", "implementation(.libs.slf4j.api)", "runtimeOnly$1",
                "mdnf-core -> org.slf4j:slf4j-api"),
            arguments("mdnf-cli/pom.xml", "<scope>runtime", "<scope>test", "mdnf-cli -> org.nd4j:nd4j-native-platform"),
            arguments("build.gradle.kts", "\"testImplementation\".*libs.assertj.core.", "",
                "mdnf-bn -> org.assertj:assertj-core: Gradle has none"),
            arguments("mdnf-vae/build.gradle.kts", "exclude.*datavec-data-image\".", "",
                "mdnf-vae -> org.deeplearning4j:deeplearning4j-core"),
            arguments("mdnf-vae/pom.xml", "oshi-json", "oshi-core",
                "mdnf-vae -> org.deeplearning4j:deeplearning4j-core"),
            arguments("mdnf-bom/build.gradle.kts", "api.*mdnf-gmm...", "", "bill of materials"));
    }

    @ParameterizedTest(name = "{0}: {1} becomes {2}")
    @MethodSource("edits")
    @Tag("slow")
    void namesTheDifference(String file, String from, String to, String reported) throws IOException {
        edit(file, from, to);

        assertThat(BuildParity.differences(copy)).anyMatch(difference -> difference.startsWith(reported));
    }

    @Test
    void refusesAConstructItCannotRead() throws IOException {
        edit("mdnf-gmm/build.gradle.kts", "libs.jackson.databind", "\"a:b:1\"");

        assertThatThrownBy(() -> BuildParity.differences(copy)).hasMessageContaining("implementation(\"a:b:1\")");
    }

    @Test
    void refusesAModuleOfAnotherVersion() throws IOException {
        edit("mdnf-bom/pom.xml", "<version>[^$<]*<", "<version>9<");

        assertThatThrownBy(() -> BuildParity.differences(copy))
                .hasMessageContaining("mdnf-bom/pom.xml is of io.mdnf:9,");
    }

    private void edit(String file, String from, String to) throws IOException {
        String before = Files.readString(copy.resolve(file));
        String after = before.replaceAll(from, to);
        assertThat(after).isNotEqualTo(before);
        Files.writeString(copy.resolve(file), after);
    }
}
