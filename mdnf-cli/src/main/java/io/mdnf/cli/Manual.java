package io.mdnf.cli;

import io.mdnf.report.Terminal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.TypeConversionException;

/** What {@code --help} shows beyond what stands at a command: the first page, defaults, and the words of enums. */
final class Manual {
    /** Columns of help where the terminal is wider or nobody watches. */
    static final int WIDTH = 100;
    private static final int NARROWEST = 60;

    private Manual() { }

    /** Columns of the help that is asked for: as many as the terminal has, so that it breaks no words. */
    static int width(String... args) {
        boolean help = args.length == 0 || Stream.of(args).anyMatch(List.of("-h", "--help")::contains);
        return help && System.console() != null ? Math.max(NARROWEST, Math.min(WIDTH, Terminal.width())) : WIDTH;
    }

    /** The word of an enum's value on the command line and in JSON: small letters and hyphens. */
    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** All commands, from the first one on. */
    static CommandLine commands(Main main) {
        CommandLine first = new CommandLine(main);
        firstPage(first.getCommandSpec().usageMessage());
        first.getSubcommands().values().forEach(Manual::options);
        return first;
    }

    /** Says of every option what holds without it, and gives enums their {@link #word words}. */
    private static void options(CommandLine command) {
        command.getSubcommands().values().forEach(Manual::options);
        if (command.getSubcommands().isEmpty()) {
            CommandSpec spec = command.getCommandSpec();
            // all of them, also those that stay as they are: their order is that of a command method's parameters
            List<ArgSpec> all = List.copyOf(spec.args());
            all.forEach(spec::remove);
            all.forEach(arg ->
                    spec.add(arg instanceof OptionSpec option && !arg.inherited() ? completed(option) : arg));
        }
    }

    private static OptionSpec completed(OptionSpec option) {
        OptionSpec.Builder builder = OptionSpec.builder(option);
        if (option.defaultValue() != null && !option.defaultValue().isEmpty()) {
            builder.description(option.description()[0] + ": ${DEFAULT-VALUE} by default.");
        }
        if (option.type().isEnum()) {
            List<Enum<?>> values = Stream.of(option.type().getEnumConstants()).<Enum<?>>map(v -> (Enum<?>) v).toList();
            List<String> words = values.stream().map(Manual::word).toList();
            builder.completionCandidates(words).converters(text -> {
                int at = words.indexOf(text.toLowerCase(Locale.ROOT).replace('_', '-'));
                if (at < 0) {
                    throw new TypeConversionException("expected one of " + String.join(", ", words) + " but was '"
                            + text + "'");
                }
                return values.get(at);
            });
        }
        return builder.build();
    }

    /** Writes the page into the top-level command only; as annotations the commands would inherit it. */
    private static void firstPage(UsageMessageSpec page) {
        page.description("Approximates the posterior of categorical variables by mixtures of discrete normalizing"
                + " flows. What it prints as an ELBO is a lower bound of the log evidence, and where the truth can be"
                + " computed it stands beside the estimate.");
        page.exitCodeListHeading("%nExit codes:%n");
        page.exitCodeList(UsageMessageSpec.keyValuesMap("0:fine",
                "1:something failed; stderr says what in one line", "2:wrong usage or wrong input"));
        page.footerHeading("%nEnvironment:%n");
        page.footer(
                "  MDNF_BACKEND      native (default) or cuda: what the launcher builds and runs with",
                "  MDNF_BUILD        gradle or maven: what the launcher builds with, if not what it finds",
                "  MDNF_JAVA_OPTS    options for Java, such as -Xmx8g",
                "  OMP_NUM_THREADS   threads of a large matrix product, as many as processors unless set",
                "  XDG_CACHE_HOME    where downloads are kept, in mdnf/ (default ~/.cache)",
                "",
                "Examples:",
                "  mdnf doctor       says whether this machine is ready",
                "  mdnf bn fit asia --evidence asia=yes,xray=yes",
                "",
                "'mdnf COMMAND --help' explains a command; README.md and docs/ explain the rest.");
    }
}
