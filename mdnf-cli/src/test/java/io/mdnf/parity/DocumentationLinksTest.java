package io.mdnf.parity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every link of a page leads somewhere in this tree, and every class a page names is there. */
class DocumentationLinksTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z0-9]+[A-Z]\\w*)(?:[.#]\\w+)?(?:\\(.*?\\))?`");

    /** Names in backticks that are classes of the libraries we stand on. */
    private static final List<String> NOT_OURS =
            List.of("SameDiff", "ComputationGraph", "SameDiffLayer", "SameDiffOutputLayer", "CollectScoresListener",
                    "ExternalErrorsFunction", "DataSetIterator", "MultiDataSetIterator", "ModelSerializer",
                    "RecordReader", "RecordReaderDataSetIterator", "VariationalAutoencoder", "MultiLayerNetwork");

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(SourceTree.root())) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !SourceTree.root().relativize(file).toString().matches(".*(target|build|runs)/.*"))
                    .sorted().toList();
        }
    }

    /** A heading's anchor: lower case, words joined by hyphens, no other signs. */
    private static List<String> anchors(Path page) throws IOException {
        return Files.readAllLines(page).stream().filter(line -> line.matches("#+ .*"))
                .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "")
                        .replace(' ', '-'))
                .toList();
    }

    @Test
    void everyLinkLeadsToAFileAndAHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            Matcher matcher = LINK.matcher(Files.readString(page));
            while (matcher.find()) {
                links++;
                String[] parts = matcher.group(1).split("#", 2);
                Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
                if (Files.notExists(file) || parts.length == 2 && !anchors(file).contains(parts[1])) {
                    broken.add(page.getFileName() + " -> " + matcher.group(1));
                }
            }
        }
        assertThat(links).isGreaterThan(10);
        assertThat(broken).isEmpty();
    }

    @Test
    void everyClassThatAPageNamesExists() throws IOException {
        List<String> classes;
        try (Stream<Path> files = Files.walk(SourceTree.root())) {
            classes = files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".java"))
                    .map(name -> name.replace(".java", "")).collect(Collectors.toList());
        }
        classes.addAll(NOT_OURS);
        List<String> missing = new ArrayList<>();
        for (Path page : pages()) {
            Matcher matcher = CLASS.matcher(Files.readString(page));
            while (matcher.find()) {
                if (!classes.contains(matcher.group(1))) {
                    missing.add(page.getFileName() + " names " + matcher.group(1));
                }
            }
        }
        assertThat(missing).isEmpty();
    }
}
