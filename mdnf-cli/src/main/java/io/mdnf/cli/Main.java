package io.mdnf.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The program {@code mdnf}: parses the command line, runs one command and turns whatever goes wrong into one line on
 * stderr and an exit code (0 fine, 1 failure, 2 wrong usage or input).
 */
@Command(
        name = "mdnf",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {Bn.class, Uai.class, Convert.class, Vae.class, Gmm.class, Reproduce.class,
            Bench.class, Doctor.class, Completion.class},
        sortOptions = false,
        abbreviateSynopsis = true,
        synopsisHeading = "Usage: ",
        descriptionHeading = "%n",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nExamples:%n")
public final class Main extends CommandGroup {
    @Option(names = {"-v", "--verbose"}, scope = ScopeType.INHERIT,
            description = "Log what happens on stderr; show where a failure came from.")
    private boolean verbose;

    /** Runs the program and ends the virtual machine with its exit code. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        // ND4J prints on System.out while it differentiates; stdout belongs to the command's answer alone.
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        int exitCode = run(Manual.width(args), out, err, args);
        out.flush();
        err.flush();
        System.exit(exitCode);
    }

    /**
     * Runs the program within this virtual machine, and returns its exit code.
     *
     * @param out where the command's answer goes
     * @param err where problems, logs and progress go
     */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return run(Manual.WIDTH, out, err, args);
    }

    private static int run(int columns, PrintWriter out, PrintWriter err, String... args) {
        Main main = new Main();
        CommandLine commandLine = Manual.commands(main)
                .setOut(out)
                .setErr(err)
                .setUsageHelpWidth(columns)
                .setAbbreviatedOptionsAllowed(false)
                .setParameterExceptionHandler((e, given) -> main.refuse(e))
                .setExecutionExceptionHandler((e, at, parsed) -> main.fail(e, err));
        commandLine.setExecutionStrategy(parsed -> {
            main.chooseLogLevel();
            return new CommandLine.RunLast().execute(parsed);
        });
        try {
            return commandLine.execute(args);
        } catch (Error e) {
            // picocli passes errors on; ND4J reports a missing backend or native library by one.
            return main.fail(e, err);
        }
    }

    private void chooseLogLevel() {
        if (verbose) {
            System.setProperty("mdnf.log.level", "INFO");
            System.setProperty("mdnf.log.libraries", "INFO");
        }
    }

    private int refuse(ParameterException e) {
        CommandLine at = e.getCommandLine();
        String command = at.getCommandSpec().qualifiedName();
        at.getErr().println(command + ": " + problem(e) + " (see '" + command + " --help')");
        return 2;
    }

    private static String problem(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
            String word = unmatched.getUnmatched().get(0);
            String kind = word.startsWith("-") ? "option"
                    : unmatched.getCommandLine().getSubcommands().isEmpty() ? "argument" : "command";
            CommandLine at = unmatched.getCommandLine();
            return "unknown " + kind + " '" + word + "'" + UsageProblem.nearest(word, word.startsWith("-")
                    ? at.getCommandSpec().optionsMap().keySet() : at.getSubcommands().keySet());
        }
        return e.getMessage().lines().findFirst().orElse("wrong usage");
    }

    private int fail(Throwable thrown, PrintWriter err) {
        Failure failure = Failure.of(thrown);
        err.println("mdnf: " + failure.sentence());
        if (verbose) {
            thrown.printStackTrace(err);
        }
        err.flush();
        return failure.exitCode();
    }
}
