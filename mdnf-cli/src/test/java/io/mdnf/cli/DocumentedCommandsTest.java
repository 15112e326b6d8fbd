package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.mdnf.parity.ChildJvm;
import io.mdnf.parity.SourceTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command that README and docs show is run as shown, in an empty folder, and prints what they show. */
@Tag("slow")
class DocumentedCommandsTest {

    private static final Pattern LINE = Pattern.compile("\\$ .*\\./mdnf (.*)");

    @TempDir
    private Path folder;

    /** A command and the lines shown under it. */
    private record Shown(String command, List<String> output) {

        /** Whether the output depends on nothing but the command: no MNIST, no machine. */
        boolean isTheSameEverywhere() {
            return command.startsWith("bn ") || command.startsWith("uai ");
        }
    }

    private static List<Shown> shown() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(SourceTree.root().resolve("README.md")));
        try (Stream<Path> docs = Files.walk(SourceTree.root().resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        List<Shown> shown = new ArrayList<>();
        for (Path page : pages) {
            boolean within = false;
            for (String line : Files.readAllLines(page)) {
                Matcher matcher = LINE.matcher(line);
                if (matcher.matches()) {
                    shown.add(new Shown(matcher.group(1), new ArrayList<>()));
                    within = true;
                } else if (line.startsWith("```") || line.startsWith("$ ") || line.equals("...")) {
                    within = false;
                } else if (within) {
                    shown.get(shown.size() - 1).output().add(line);
                }
            }
        }
        return shown;
    }

    @Test
    void everyShownCommandAndOptionExists() throws IOException {
        assertThat(shown()).hasSizeGreaterThan(10);
        for (Shown each : shown()) {
            assertThatCode(() -> Manual.commands(new Main()).parseArgs(each.command().split(" ")))
                    .as(each.command()).doesNotThrowAnyException();
        }
    }

    @Test
    void everyShownCommandRunsAndPrintsWhatIsShown() throws Exception {
        Path images = Files.createDirectory(folder.resolve("images"));
        OwnImages.write(images, 28);
        Map<String, List<String>> words = new LinkedHashMap<>();
        for (Shown each : shown()) {
            // experiments and benches are programs of minutes to hours, pages are served until Ctrl-C; they and tables
            // have tests of their own
            if (!each.command().matches("(reproduce|bench) .*|vae .* runs/people.*|explore [^ ]+")
                    || each.command().contains("--list")) {
                words.put(each.command(), words(each.command(), images));
            }
        }
        Map<String, List<String>> printed = run(words);
        assertThat(shown()).filteredOn(each -> each.isTheSameEverywhere() && !each.output().isEmpty())
                .hasSizeGreaterThan(2)
                .allSatisfy(each -> assertThat(printed.get(each.command())).as(each.command())
                        .startsWith(timeless(each.output().stream()).toArray(String[]::new)));
    }

    /** The lines with the seconds left out. */
    private static Stream<String> timeless(Stream<String> lines) {
        return lines.map(line -> line.replaceAll("[0-9.]+ s\\b", "# s").stripTrailing());
    }

    private static List<String> words(String command, Path images) {
        List<String> words = new ArrayList<>(Arrays.asList(command.split(" ")));
        if (command.matches("vae (train|evaluate|reconstruct|codes) .*")) {
            words.addAll(List.of("--data", images.toString(), "--own-images"));
        }
        int epochs = words.indexOf("--epochs");
        if (epochs >= 0) {
            words.set(epochs + 1, "1");
        }
        return words;
    }

    /** What each command prints; all are run in order by one JVM of the folder, since each of its own starts ND4J. */
    private Map<String, List<String>> run(Map<String, List<String>> commands) throws Exception {
        Path lines = folder.resolve("lines");
        Files.write(lines, commands.values().stream().map(words -> String.join("\t", words)).toList());
        List<String> java = ChildJvm.command(System.getProperty("java.class.path"), ManyCommands.class.getName(),
                lines.toString());
        Path err = folder.resolve("stderr");
        Process process = new ProcessBuilder(java).directory(folder.toFile()).redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(Files.readString(err)).isZero();
        Map<String, List<String>> printed = new HashMap<>();
        String[] answers = out.split(ManyCommands.END);
        assertThat(answers).hasSize(commands.size());
        int i = 0;
        for (String command : commands.keySet()) {
            printed.put(command, timeless(answers[i++].lines()).toList());
        }
        return printed;
    }
}
