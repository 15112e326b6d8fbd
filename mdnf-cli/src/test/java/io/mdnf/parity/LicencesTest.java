package io.mdnf.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** THIRD-PARTY.md names every library of the command's zip with the licence that its pom has, and is in the zip. */
class LicencesTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([\\w.-]+:[\\w.-]+) \\| (.*?) \\|$");
    private static final Pattern LICENCE = Pattern.compile("<license>.*?<name>(.*?)</name>", Pattern.DOTALL);
    private static final Pattern PARENT = Pattern.compile("<parent>.*?</parent>", Pattern.DOTALL);

    /** What licences are called, the first that fits. */
    private static final Map<String, String> NAMES = new LinkedHashMap<>();

    static {
        NAMES.put("classpath exception", "GPL-2.0 with Classpath exception");
        NAMES.put("version 2, or any later", "GPL-2.0-or-later");
        NAMES.put("lgpl|lesser", "LGPL-2.1");
        NAMES.put("eclipse public license - v 2|epl-2", "EPL-2.0");
        NAMES.put("eclipse", "EPL-1.0");
        NAMES.put("apache", "Apache-2.0");
        NAMES.put("mit", "MIT");
        NAMES.put("bsd", "BSD-3-Clause");
    }

    @Test
    void everyLibraryIsNamedWithTheLicenceOfItsPom() throws IOException {
        Path classPath = SourceTree.root().resolve("mdnf-cli/target/mdnf-native.classpath");
        assumeTrue(Files.exists(classPath), "Maven did not build the command with the CPU's backend here");
        SortedMap<String, String> ofPoms = new TreeMap<>();
        for (String jar : Files.readString(classPath).strip().split(File.pathSeparator)) {
            Matcher place = Pattern.compile("(.*/repository)/(.*)/([^/]+)/([^/]+)/[^/]+\\.jar")
                    .matcher(jar.replace('\\', '/'));
            if (place.matches()) {
                String group = place.group(2).replace('/', '.');
                ofPoms.put(group + ":" + place.group(3),
                        licences(Path.of(place.group(1)), group, place.group(3), place.group(4)));
            }
        }
        SortedMap<String, String> ofPage = new TreeMap<>();
        ROW.matcher(Files.readString(SourceTree.root().resolve("THIRD-PARTY.md"))).results()
                .forEach(row -> ofPage.put(row.group(1), row.group(2)));
        assertThat(ofPoms).hasSizeGreaterThan(40);
        assertThat(ofPage).isEqualTo(ofPoms);
    }

    /** Those of a pom, else of its parent. */
    private static String licences(Path repository, String group, String artifact, String version)
            throws IOException {
        String pom = Files.readString(repository.resolve(group.replace('.', '/')).resolve(artifact).resolve(version)
                .resolve(artifact + "-" + version + ".pom"));
        String names = LICENCE.matcher(pom).results().map(found -> name(found.group(1)))
                .collect(Collectors.joining(" or "));
        if (!names.isEmpty()) {
            return names;
        }
        Matcher parent = PARENT.matcher(pom);
        assertThat(parent.find()).as("a licence of " + group + ":" + artifact).isTrue();
        return licences(repository, tag(parent.group(), "groupId"), tag(parent.group(), "artifactId"),
                tag(parent.group(), "version"));
    }

    private static String name(String licence) {
        String words = licence.toLowerCase(Locale.ROOT);
        return NAMES.entrySet().stream().filter(each -> Pattern.compile(each.getKey()).matcher(words).find())
                .map(Map.Entry::getValue).findFirst().orElse(licence);
    }

    private static String tag(String xml, String name) {
        return xml.replaceAll("(?s).*<" + name + ">\\s*(.*?)\\s*</" + name + ">.*", "$1");
    }

    @Test
    void bothBuildsPutItIntoTheZip() throws IOException {
        Path command = SourceTree.root().resolve("mdnf-cli");
        assertThat(Files.readString(command.resolve("src/assembly/zip.xml")))
                .contains("<source>../LICENSE</source>", "<source>../THIRD-PARTY.md</source>");
        assertThat(Files.readString(command.resolve("build.gradle.kts")))
                .contains("from(rootProject.files(\"LICENSE\", \"THIRD-PARTY.md\"))");
    }
}
