package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Every command that README and docs show is run as shown, in an empty folder. */
@Tag("slow")
class DocumentedCommandsTest {

    @TempDir
    private Path folder;

    /** The tree's root, found from the module's folder. */
    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("docs")) ? here : here.getParent();
    }

    private static List<String> commands() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(root().resolve("README.md")));
        try (Stream<Path> docs = Files.walk(root().resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        Set<String> commands = new LinkedHashSet<>();
        for (Path page : pages) {
            Files.readAllLines(page).stream().filter(line -> line.matches("\\$ .*\\./mdnf .*"))
                    .forEach(line -> commands.add(line.replaceFirst("\\$ .*\\./mdnf ", "")));
        }
        return List.copyOf(commands);
    }

    @Test
    void everyShownCommandAndOptionExists() throws IOException {
        assertThat(commands()).hasSizeGreaterThan(10);
        for (String command : commands()) {
            assertThatCode(() -> new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true)
                    .parseArgs(command.split(" "))).as(command).doesNotThrowAnyException();
        }
    }

    @Test
    void everyShownCommandRuns() throws Exception {
        Path images = Files.createDirectory(folder.resolve("images"));
        OwnImages.write(images, 28);
        for (String command : commands()) {
            // experiments and benches are programs of minutes to hours, with tests of their own
            if (!command.matches("(reproduce|bench) .*") || command.contains("--list")) {
                List<String> words = new ArrayList<>(Arrays.asList(command.split(" ")));
                if (command.matches("vae (train|evaluate|reconstruct|codes) .*")) {
                    words.addAll(List.of("--data", images.toString(), "--own-images"));
                }
                int epochs = words.indexOf("--epochs");
                if (epochs >= 0) {
                    words.set(epochs + 1, "1");
                }
                run(words);
            }
        }
    }

    private void run(List<String> words) throws Exception {
        List<String> line = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), Main.class.getName()));
        line.addAll(words);
        Path err = folder.resolve("stderr");
        Process process = new ProcessBuilder(line).directory(folder.toFile()).redirectError(err.toFile()).start();
        process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).as("mdnf " + String.join(" ", words) + "\n" + Files.readString(err)).isZero();
    }
}
