package io.mdnf.cli;

import static io.mdnf.report.Decimals.fixed;

import io.mdnf.plot.Quartiles;
import io.mdnf.report.Block;
import io.mdnf.report.Block.Column;
import io.mdnf.report.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mdnf bench peers}: training steps of this library and of programs one would write instead, in turn. */
@Command(name = "peers", footer = "  mdnf bench peers ../peers --rounds 3 --only hepar", description = {
    "Times training steps beside other programs for the same workload, in turn: PyTorch, TensorFlow, plain loops.",
    "FOLDER has a program peer.py that prints a line with steps_per_s= for the name of a peer and a number of threads; "
        + "the peer of the default autoencoder comes with this command. What cannot be run has a line that says so."})
final class BenchPeers implements Callable<Integer> {

    private static final Pattern FIGURE = Pattern.compile("(\\w+)=([0-9.]+)");
    private static final String STEPS = "steps_per_s";

    /** What a program is to a workload. */
    enum Role { FLOOR, PEER, OURS }

    /**
     * A program that times a workload.
     *
     * @param command what runs it
     * @param marked what its line holds where it prints several
     */
    private record Program(String workload, String name, Role role, List<String> command, String marked) { }

    /**
     * What the rounds of a program came to; NaN where nothing was measured.
     *
     * @param ms of a step by the clock, the median of rounds
     * @param cpuMs processor time of a step
     * @param nativeMb most megabytes of memory, less the heap where that is known
     * @param problem why there is nothing, or empty
     */
    record Row(String workload, String program, Role role, double ms, double cpuMs, double nativeMb, double heapMb,
            String problem) {

        private static Row of(Program program, List<Map<String, Double>> rounds, String problem) {
            double heap = median(rounds, "heap_mb");
            double memory = median(rounds, "resident_mb");
            return new Row(program.workload, program.name, program.role, 1e3 / median(rounds, STEPS),
                    median(rounds, "cpu_ms_per_step"), Double.isNaN(heap) ? memory : memory - heap, heap, problem);
        }

        private static double median(List<Map<String, Double>> rounds, String figure) {
            double[] found = rounds.stream().filter(round -> round.containsKey(figure))
                    .mapToDouble(round -> round.get(figure)).toArray();
            return found.length == 0 ? Double.NaN : Quartiles.of(found).median();
        }
    }

    record Answer(int rounds, List<Row> programs) {

        /** How long our step takes in units of the fastest of a role; NaN where there is none. */
        double ratio(String workload, Role role) {
            return time(workload, Role.OURS) / time(workload, role);
        }

        private double time(String workload, Role role) {
            OptionalDouble best = programs.stream().filter(row -> row.workload.equals(workload) && row.role == role)
                    .mapToDouble(Row::ms).filter(ms -> !Double.isNaN(ms)).min();
            return best.orElse(Double.NaN);
        }
    }

    @Parameters(paramLabel = "FOLDER", description = "Where peer.py and what it needs are, built.")
    private Path folder;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "How often each program runs")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "6", description = "How long ours are measured")
    private double seconds;

    @Option(names = "--only", paramLabel = "WORKLOAD",
            description = "One of sachs, hepar, vae-paper, vae-paper-2, vae, vae-2; all by default.")
    private String only;

    @Option(names = "--python", paramLabel = "FILE", defaultValue = "/usr/bin/python3",
            description = "A Python with PyTorch")
    private String python;

    @Mixin
    private QuietOption quiet;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException {
        BenchTraining.checkSeconds(seconds);
        UsageProblem.ifBelowOne("--rounds", rounds);
        Path peers = folder.resolve("peer.py").toAbsolutePath();
        if (!Files.isRegularFile(peers)) {
            throw new UsageProblem(folder + ": there is no peer.py");
        }
        Path own = Files.createTempFile("mdnf-peer", ".py");
        try (InputStream source = BenchPeers.class.getResourceAsStream("deep_peer.py")) {
            Files.write(own, source.readAllBytes());
            List<Program> all = programs(peers.toString(), own.toString());
            List<Program> chosen = all.stream().filter(p -> only == null || p.workload.equals(only)).toList();
            if (chosen.isEmpty()) {
                throw new UsageProblem("--only " + only + ": expected one of "
                        + all.stream().map(Program::workload).distinct().collect(Collectors.joining(", ")));
            }
            Answer answer = new Answer(rounds, measured(chosen));
            json.answer(() -> answer, out -> print(out, answer));
            return 0;
        } finally {
            Files.delete(own);
        }
    }

    private List<Program> programs(String peers, String deep) {
        List<Program> all = new ArrayList<>();
        all.add(peer(peers, "sachs", "plain Java", Role.FLOOR, "floor-w1-java", 1, ""));
        all.add(peer(peers, "sachs", "PyTorch", Role.PEER, "torch-w1", 1, ""));
        all.add(peer(peers, "sachs", "TensorFlow Java", Role.PEER, "tf-w1", 1, ""));
        all.add(ours("sachs", "sachs"));
        all.add(peer(peers, "hepar", "plain C", Role.FLOOR, "floor-w3", 1, "B20S100"));
        all.add(peer(peers, "hepar", "PyTorch, backward by hand", Role.PEER, "torch-w3-custom-b20", 1, ""));
        all.add(peer(peers, "hepar", "PyTorch", Role.PEER, "torch-w3-autograd-b20", 1, ""));
        all.add(ours("hepar", "hepar", "--components", "20"));
        all.add(peer(peers, "vae-paper", "sgemm + Adam", Role.FLOOR, "floor-w2", 1, "W2-vae-mdnf-D10K2B40"));
        for (int threads = 1; threads <= 2; threads++) {
            String workload = threads == 1 ? "vae-paper" : "vae-paper-2";
            all.add(peer(peers, workload, "PyTorch", Role.PEER, "torch-w2-small", threads, ""));
            all.add(peer(peers, workload, "TensorFlow Java", Role.PEER, "tf-w2-small", threads, ""));
            all.add(ours(workload, "vae", "--paper", "--shards", "" + threads));
        }
        for (int threads = 1; threads <= 2; threads++) {
            String workload = threads == 1 ? "vae" : "vae-2";
            all.add(new Program(workload, "PyTorch", Role.PEER, List.of(python, deep, "" + threads, "" + seconds), ""));
            all.add(ours(workload, "vae", "--shards", "" + threads));
        }
        return all;
    }

    private static Program peer(String peers, String workload, String name, Role role, String id, int threads,
            String marked) {
        return new Program(workload, name, role, List.of(peers, id, "" + threads), marked);
    }

    private Program ours(String workload, String... bench) {
        List<String> command = BenchKill.itself();
        command.add("bench");
        command.addAll(List.of(bench));
        command.addAll(List.of("--line", "--seconds", "" + seconds));
        return new Program(workload, "MDNF", Role.OURS, command, "");
    }

    /** Every program once in each round, so that what else the machine does meets all alike. */
    private List<Row> measured(List<Program> programs) throws IOException {
        Map<Program, List<Map<String, Double>>> found = new LinkedHashMap<>();
        Map<Program, String> problems = new LinkedHashMap<>();
        programs.forEach(program -> found.put(program, new ArrayList<>()));
        try (Progress progress = quiet.progress("peers", (long) rounds * programs.size(), "")) {
            for (int run = 0; run < rounds * programs.size(); run++) {
                Program program = programs.get(run % programs.size());
                if (!problems.containsKey(program)) {
                    List<String> printed = new ArrayList<>();
                    double resident = run(program.command, printed);
                    Map<String, Double> figures = figures(printed, program.marked);
                    if (figures.isEmpty()) {
                        problems.put(program, printed.isEmpty() ? "it printed nothing"
                                : printed.get(printed.size() - 1));
                    } else {
                        figures.put("resident_mb", resident);
                        found.get(program).add(figures);
                    }
                }
                progress.at(run + 1L, Double.NaN);
            }
        }
        return programs.stream().map(p -> Row.of(p, found.get(p), problems.getOrDefault(p, ""))).toList();
    }

    /** The figures of the last line that tells steps per second; empty if none does. */
    static Map<String, Double> figures(List<String> printed, String marked) {
        Map<String, Double> figures = new LinkedHashMap<>();
        printed.stream().filter(line -> line.contains(STEPS + "=") && line.contains(marked))
                .reduce((first, second) -> second).ifPresent(line -> {
                    Matcher matcher = FIGURE.matcher(line);
                    while (matcher.find()) {
                        figures.put(matcher.group(1), Double.parseDouble(matcher.group(2)));
                    }
                });
        return figures;
    }

    /** Runs a program to its end, adds what it prints; the most megabytes that one of its processes held. */
    private static double run(List<String> command, List<String> printed) throws IOException {
        Path log = Files.createTempFile("mdnf-peer", ".log");
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile())
                    .start();
            double most = 0;
            try {
                while (!process.waitFor(50, TimeUnit.MILLISECONDS)) {
                    most = Math.max(most, Stream.concat(Stream.of(process.toHandle()), process.descendants())
                            .mapToDouble(each -> peakMb(each.pid())).max().orElse(0));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while a peer was measured", e);
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            Files.readString(log).lines().filter(line -> !line.isBlank()).forEach(printed::add);
            return most == 0 ? Double.NaN : most;
        } catch (IOException e) {
            printed.add(command.get(0) + " cannot be started");
            return Double.NaN;
        } finally {
            Files.delete(log);
        }
    }

    /** What Linux calls the high-water mark of a process; 0 elsewhere, or when it has ended. */
    private static double peakMb(long process) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", "" + process, "status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) * 1024 / 1e6).findFirst()
                    .orElse(0);
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    private static void print(PrintWriter out, Answer answer) {
        Block.Table table = Block.Table.of("milliseconds of a step", Column.text("workload"), Column.text("program"),
                Column.number("ms"), Column.number("of processors"), Column.number("ours / this"),
                Column.number("native MB"), Column.number("heap MB"), Column.text(""));
        for (Row row : answer.programs) {
            double ours = answer.time(row.workload, Role.OURS);
            table = table.row(row.workload, row.program, number(row, Row::ms, 3), number(row, Row::cpuMs, 3),
                    row.role == Role.OURS ? "" : number(row, r -> ours / r.ms, 2), number(row, Row::nativeMb, 0),
                    number(row, Row::heapMb, 0), row.problem.isEmpty() ? "" : "not measured: " + row.problem);
        }
        out.print(TextTables.text(table));
        answer.programs.stream().map(Row::workload).distinct().forEach(workload -> {
            double peer = answer.ratio(workload, Role.PEER);
            double floor = answer.ratio(workload, Role.FLOOR);
            out.println(workload + ": ours / best peer " + fixed(peer, 2)
                    + (Double.isNaN(floor) ? "" : ", ours / floor " + fixed(floor, 2)));
        });
        Stream.of("vae-paper", "vae").forEach(workload -> {
            double gain = answer.time(workload, Role.OURS) / answer.time(workload + "-2", Role.OURS);
            if (!Double.isNaN(gain)) {
                out.println(workload + ": two shards are " + fixed(gain, 2) + " times as fast as one");
            }
        });
        out.println("medians of " + answer.rounds + " rounds in turn");
    }

    private static String number(Row row, ToDoubleFunction<Row> figure, int digits) {
        double value = figure.applyAsDouble(row);
        return Double.isNaN(value) ? "-" : fixed(value, digits);
    }
}
