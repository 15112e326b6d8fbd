package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** One behaviour for every file that a command writes. */
class FileToWriteTest {

    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeCases() throws IOException {
        Files.writeString(folder.resolve("cases.csv"), "Cancer\nTrue\n?\n");
    }

    private int run(String command, Path file) {
        err.getBuffer().setLength(0);
        String words = command.replace("CASES", folder.resolve("cases.csv").toString());
        return Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err, true), Stream.of(words.split(" "))
                .map(word -> word.replace("FILE", file.toString())).toArray(String[]::new));
    }

    private static Stream<CommandLine> flat(CommandLine command) {
        return Stream.concat(Stream.of(command), command.getSubcommands().values().stream()
                .flatMap(FileToWriteTest::flat));
    }

    @Test
    void everyFileThatIsWrittenIsLookedAtBeforeTheWork() {
        List<ArgSpec> written = flat(Manual.commands(new Main())).flatMap(command -> command.getCommandSpec().args()
                .stream()).filter(arg -> arg.paramLabel().equals("TO") || arg.paramLabel().startsWith("FILE")
                && List.of("--out", "--export", "--picture").contains(arg.isOption()
                ? ((CommandLine.Model.OptionSpec) arg).longestName() : "")).toList();
        // bn info, sample, query, learn; uai mar, pr; vae sample, reconstruct, codes, impute; bench uai; explore;
        // convert
        assertThat(written).hasSize(13).allMatch(arg -> arg.converters()[0] instanceof FileToWrite);
    }

    @ParameterizedTest
    @ValueSource(strings = {"convert cancer FILE.bif", "bn query cancer --cases CASES --out FILE.bif",
        "bn learn cancer --data CASES --quiet --out FILE.bif", "explore cancer --export FILE.bif",
        "bn info cancer --picture FILE.dot", "bn sample cancer --out FILE.bif"})
    void aFolderInItsPlaceIsRefusedAndMissingOnesAboveItAreMade(String command) throws IOException {
        Path file = folder.resolve("a/b/c");
        if (!command.startsWith("bn sample")) {
            // samples need a fit
            assertThat(run(command, file)).as(err.toString()).isZero();
            assertThat(Files.list(file.getParent()).filter(Files::isRegularFile).count()).isPositive();
        }

        Path taken = folder.resolve("taken");
        Files.createDirectories(Path.of(taken + ".bif"));
        Files.createDirectories(Path.of(taken + ".dot"));
        assertThat(run(command, taken)).isEqualTo(2);
        assertThat(err.toString()).contains(taken + ".").contains(" is a folder; name a file (see ").hasLineCount(1);

        Path below = folder.resolve("cases.csv/a/b");
        assertThat(run(command, below)).isEqualTo(2);
        assertThat(err.toString()).contains(" cannot be made: " + folder.resolve("cases.csv") + " is no folder")
                .hasLineCount(1);
    }
}
