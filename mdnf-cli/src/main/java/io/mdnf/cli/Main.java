package io.mdnf.cli;

import io.mdnf.work.Workers;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
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
        subcommands = {Bn.class, Uai.class, Convert.class, Vae.class, Gmm.class, Explore.class, Reproduce.class,
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

    private static final Set<Class<?>> ON_A_CLUSTER = Set.of(BnQuery.class, Reproduce.class, VaeTrain.class);

    @Option(names = {"-v", "--verbose"}, scope = ScopeType.INHERIT,
            description = "Log what happens on stderr; show where a failure came from.")
    private boolean verbose;

    @Option(names = "--master", paramLabel = "URL", description = "Work on this Spark cluster, such as "
            + "spark://host:7077 or local[2]: bn query --cases, reproduce, vae train.")
    private String master;

    private final Cluster cluster;

    /** Opens a cluster, when a command comes to need it. */
    public interface Cluster {

        /**
         * {@return who works there; the master is the one that {@code --master} names, or the environment's}
         *
         * @throws IllegalArgumentException if there is no cluster of that name
         */
        Workers open(Optional<String> master);
    }

    /** Without a cluster. */
    Main() {
        this(null);
    }

    private Main(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Runs the program and ends the virtual machine with its exit code. */
    public static void main(String[] args) {
        main(null, args);
    }

    /** The same on a cluster. */
    public static void main(Cluster cluster, String... args) {
        PrintWriter out = new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        // ND4J prints on System.out while it differentiates; stdout belongs to the command's answer alone.
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        int exitCode = run(cluster, Manual.width(args), out, err, args);
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
        return run(null, Manual.WIDTH, out, err, args);
    }

    /** The same on a cluster. */
    public static int run(Cluster cluster, PrintWriter out, PrintWriter err, String... args) {
        return run(cluster, Manual.WIDTH, out, err, args);
    }

    private static int run(Cluster cluster, int columns, PrintWriter out, PrintWriter err, String... args) {
        Main main = new Main(cluster);
        CommandLine commandLine = Manual.commands(main)
                .setOut(out)
                .setErr(err)
                .setUsageHelpWidth(columns)
                .setAbbreviatedOptionsAllowed(false)
                .setParameterExceptionHandler((e, given) -> main.refuse(e))
                .setExecutionExceptionHandler((e, at, parsed) -> main.fail(e, err));
        commandLine.setExecutionStrategy(parsed -> {
            main.chooseLogLevel();
            try {
                main.checkCluster(parsed);
            } catch (UsageProblem e) {
                // picocli hands over what commands throw, not what a strategy does
                return main.fail(e, err);
            }
            return new CommandLine.RunLast().execute(parsed);
        });
        try {
            return commandLine.execute(args);
        } catch (Error e) {
            // picocli passes errors on; ND4J reports a missing backend or native library by one.
            return main.fail(e, err);
        }
    }

    /** Waits, where Ctrl-C or SIGTERM ends the program, while its command saves: a cluster is needed until then. */
    public static void awaitStop() {
        Stopping.await();
    }

    private void chooseLogLevel() {
        if (verbose) {
            System.setProperty("mdnf.log.level", "INFO");
            System.setProperty("mdnf.log.libraries", "INFO");
        }
    }

    /** Refuses a cluster that is not there, or that a command has no work for. */
    private void checkCluster(CommandLine.ParseResult parsed) {
        List<CommandLine> commands = parsed.asCommandLineList();
        CommandLine last = commands.get(commands.size() - 1);
        if (cluster == null && master != null) {
            throw new UsageProblem("--master " + master + ": mdnf-spark is not on the class path; the launcher adds it "
                    + "where --master comes first, as in 'mdnf --master " + master + " bn query ...'");
        }
        if (cluster != null && !last.isUsageHelpRequested() && !last.isVersionHelpRequested()
                && !ON_A_CLUSTER.contains(last.getCommand().getClass())) {
            throw new UsageProblem("--master: '" + last.getCommandSpec().qualifiedName() + "' works in one process; bn "
                    + "query --cases, reproduce and vae train work on a cluster");
        }
    }

    /** Who works for a command: the cluster if there is one, else so many threads. */
    static Workers workers(CommandSpec command, int threads) {
        return cluster(command).orElseGet(() -> Workers.here(threads));
    }

    /** The cluster that works for a command, if there is one. */
    static Optional<Workers> cluster(CommandSpec command) {
        return ((Main) command.root().userObject()).cluster();
    }

    /** Whether a cluster works for a command. */
    static boolean isOnCluster(CommandSpec command) {
        return ((Main) command.root().userObject()).cluster != null;
    }

    private Optional<Workers> cluster() {
        try {
            return Optional.ofNullable(cluster).map(there -> there.open(Optional.ofNullable(master)));
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(e.getMessage(), e);
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
        Failure failure = Stopping.isTold() ? new Failure(Stopping.EXIT_CODE, "") : Failure.of(thrown);
        if (!Stopping.isTold()) {
            err.println("mdnf: " + failure.sentence());
        }
        if (verbose) {
            thrown.printStackTrace(err);
        }
        err.flush();
        return failure.exitCode();
    }
}
