package io.mdnf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What {@code --help} promises, of every command. */
class HelpTest {

    // built once: the commands are many, and parsing sets every option anew
    private static final CommandLine PARSER = Manual.commands(new Main());

    static Stream<CommandLine> commands() {
        return flat(Manual.commands(new Main()));
    }

    private static Stream<CommandLine> flat(CommandLine command) {
        return Stream.concat(Stream.of(command), command.getSubcommands().values().stream().flatMap(HelpTest::flat));
    }

    private static String help(CommandLine command, int columns) {
        return command.setUsageHelpWidth(columns).getUsageMessage(CommandLine.Help.Ansi.OFF);
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 100})
    void noWordIsBrokenWhateverTheWidth(int columns) {
        commands().forEach(command -> {
            String name = command.getCommandSpec().qualifiedName();
            Set<String> words = new HashSet<>(Arrays.asList(help(command, 2000).split("\\s+")));
            assertThat(help(command, columns).split("\\s+")).as(name).allMatch(words::contains);
        });
    }

    @ParameterizedTest
    @MethodSource("commands")
    void summariesAreSentencesAndOptionsSayWhatTheyDo(CommandLine command) {
        assertThat(command.getCommandSpec().usageMessage().description()[0]).endsWith(".");
        command.getCommandSpec().options().stream().filter(option -> !option.hidden()).forEach(option ->
                assertThat(String.join("", option.description())).as(option.longestName()).endsWith(".")
                        .doesNotContain("..", ".:"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyHelpHasExamplesThatParse(CommandLine command) {
        String help = help(command, 200);
        assertThat(help).contains("\nExamples:\n");
        List<String> examples = help.substring(help.indexOf("\nExamples:\n")).lines()
                .filter(line -> line.matches("  (source <\\()?mdnf .*")).toList();
        assertThat(examples).isNotEmpty();
        assertThat(help(command, 60).lines()).as("commands that are copied break nowhere").containsAll(examples);
        for (String example : examples) {
            String words = example.strip().replaceAll("^source <\\(|\\)$| >.*| {2,}.*", "");
            assertThat(words).startsWith(command.getCommandSpec().qualifiedName());
            assertThatCode(() -> PARSER.parseArgs(words.substring("mdnf ".length()).split(" ")))
                    .as(example).doesNotThrowAnyException();
        }
    }

    @Test
    void completionOffersTheWordsThatAreTyped() {
        commands().flatMap(command -> command.getCommandSpec().options().stream())
                .filter(option -> option.completionCandidates() != null)
                .forEach(option -> assertThat(option.completionCandidates()).as(option.longestName())
                        .allMatch(word -> word.matches("[a-z0-9-]+")));
    }

    @Test
    @Tag("slow")
    void everyMisspeltCommandGetsASuggestion() {
        commands().filter(command -> command.getCommandSpec().parent() != null).forEach(command -> {
            String name = command.getCommandName();
            String swapped = name.substring(0, name.length() - 2) + name.charAt(name.length() - 1)
                    + name.charAt(name.length() - 2);
            String group = command.getCommandSpec().parent().qualifiedName();
            for (String wrong : List.of(swapped.equals(name) ? "x" + name : swapped, name + "s",
                    name.toUpperCase(Locale.ROOT))) {
                StringWriter err = new StringWriter();
                String[] words = (group + " " + wrong).substring("mdnf ".length()).split(" ");
                assertThat(Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), words)).isEqualTo(2);
                assertThat(err.toString()).contains("unknown command '" + wrong + "': did you mean '");
            }
        });
    }

    @Test
    void optionsWithoutEffectAreNotTaken() {
        for (String command : List.of("bn info asia --seed 1", "bn exact asia --seed 1")) {
            StringWriter err = new StringWriter();
            assertThat(Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), command.split(" ")))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("unknown option '--seed' (see ");
        }
    }

    @Test
    void numbersInJsonShowNoRounding() {
        StringWriter out = new StringWriter();
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(new StringWriter()), "bn", "exact", "asia",
                "--evidence", "xray=yes", "--json")).isZero();
        assertThat(out.toString()).doesNotContainPattern(Pattern.compile("\\d{14}"));
        assertThat(JsonOption.text(new double[] {0.16629999999998984, Double.NaN, 1e-300, 1.0 / 3}))
                .isEqualTo("[ 0.1663, null, 1.0E-300, 0.333333333333 ]");
    }
}
