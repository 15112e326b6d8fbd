package io.mdnf.cli;

import io.mdnf.bn.BayesianNetwork;
import io.mdnf.bn.BifWriter;
import io.mdnf.bn.CaseTable;
import io.mdnf.bn.NamedFactors;
import io.mdnf.bn.NetworkFormat;
import io.mdnf.bn.NetworkSource;
import io.mdnf.bn.NetworkStructure;
import io.mdnf.bn.TableLearning;
import io.mdnf.checkpoint.RunManifest;
import io.mdnf.file.AtomicFiles;
import io.mdnf.file.CsvFile;
import io.mdnf.file.Sha256;
import io.mdnf.report.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mdnf bn learn}: a network's tables from data. */
@Command(name = "learn", footer = {"  mdnf bn learn asia --data a.csv --out b.bif",
    "  mdnf bn learn 'A->B;H:3->B' --data a.csv --out b.bif"},
        description = {"Learn a network's tables from data with missing cells and hidden variables.",
            "Expectation maximisation; with exact expectations no step lowers the objective. Where those take too "
                + "much memory, posteriors fitted to every case give them, and a bound of the log likelihood."})
final class BnLearn implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "STRUCTURE", description = "A built-in network or a file, whose "
            + "tables do not matter; or arcs, 'A -> B; C -> B', where states are those in the data and "
            + "H:3 is hidden with 3.")
    private String structure;

    @Option(names = "--data", paramLabel = "FILE", required = true,
            description = "CSV with a header; an empty cell or ? is missing, a variable without a column is hidden.")
    private Path data;

    @Option(names = "--prior", paramLabel = "N", defaultValue = "1",
            description = "Counts of every entry beforehand")
    private double prior;

    @Option(names = "--steps", paramLabel = "N", defaultValue = "500", description = "Steps at most")
    private int steps;

    @Option(names = "--held-out", paramLabel = "SHARE", defaultValue = "0.1",
            description = "Share of rows to judge by instead of learning from")
    private double heldOut;

    @Mixin
    private SeedOption seed;

    @Option(names = "--ignore", paramLabel = "COLUMN", split = ",", converter = BnQuestions.Listed.class,
            description = "Columns that are no variables.")
    private Set<String> ignored = Set.of();

    @Option(names = "--out", paramLabel = "FILE", required = true, converter = FileToWrite.class,
            description = "The network, in the format "
            + "that the name says: bif, xml (XMLBIF), net (Hugin) or uai.")
    private Path out;

    @Option(names = "--memory", paramLabel = "SIZE", description = "What exact expectations may take, such as 500m or "
            + "4g; unless given, most of what Java has left.")
    private String memory;

    @Option(names = "--resume", description = "Go on after a stop or a kill.")
    private boolean resume;

    @Mixin
    private QuietOption quiet;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws IOException {
        if (!(heldOut >= 0 && heldOut < 1)) {
            throw new UsageProblem("--held-out " + heldOut + ": a share from 0 to below 1 is needed");
        }
        UsageProblem.ifBelowOne("--steps", steps);
        NetworkFormat format = Convert.format("--out", out);
        CsvFile file = UsageProblem.ifRefused(() -> CsvFile.read(data));
        BayesianNetwork network = UsageProblem.ifRefused(() -> structure.contains("->")
                ? NetworkStructure.parse(structure, file, ignored) : NetworkSource.open(structure));
        CaseTable table = UsageProblem.ifRefused(() -> CaseTable.of(NamedFactors.of(network), file, ignored));
        int bad = IntStream.range(0, table.size()).filter(row -> !table.errors().get(row).isEmpty()).findFirst()
                .orElse(-1);
        if (bad >= 0) {
            throw new UsageProblem(data + ", row " + (bad + 2) + ": " + table.errors().get(bad));
        }
        List<int[]> kept = new ArrayList<>();
        List<int[]> judged = new ArrayList<>();
        var random = seed.seed().fold("held out").generator();
        table.cases().forEach(each -> (random.nextDouble() < heldOut ? judged : kept).add(each));
        try (Stopping stopping = Stopping.keeping(command, out)) {
            int code = learn(network, kept, judged, format);
            stopping.complete();
            return code;
        }
    }

    private int learn(BayesianNetwork network, List<int[]> kept, List<int[]> judged, NetworkFormat format)
            throws IOException {
        TableLearning learning = UsageProblem.ifRefused(
                () -> new TableLearning(kept, prior, TableOptions.bytes(memory)));
        if (!learning.isExact(network)) {
            Nd4jStart.now();
            json.note("mdnf: exact expectations are too large here: a posterior is fitted to every row");
        }
        Path part = part(network);
        TableLearning.Step from = resume ? resumed(part)
                : TableLearning.Step.none(learning.start(network, seed.seed()));
        List<TableLearning.Step> made = new ArrayList<>(List.of(from));
        BayesianNetwork learned;
        try (Progress progress = quiet.progress("learn", steps, "steps")) {
            learned = UsageProblem.ifRefused(() -> learning.learn(from, steps, step -> {
                made.add(step);
                progress.at(step.number(), step.logLikelihood() / kept.size());
                write(part, step);
            }));
        }
        format.write(learned, out);
        if (learning.isAtRest(made.get(made.size() - 1))) {
            // what is still gaining can be gone on with
            Files.deleteIfExists(part);
        }
        report(learning, learned, made, kept, judged);
        return 0;
    }

    /** Where tables are kept on the way: by what was asked, so that nothing else is gone on with. */
    private Path part(BayesianNetwork network) throws IOException {
        String asked = Sha256.hex((BifWriter.text(network) + RunManifest.Input.of(data).sha256() + prior + heldOut
                + ignored + seed.number()).getBytes(StandardCharsets.UTF_8)).substring(0, 12);
        Path whole = out.toAbsolutePath();
        return whole.resolveSibling("." + whole.getFileName() + "." + asked + AtomicFiles.TEMPORARY);
    }

    private TableLearning.Step resumed(Path part) throws IOException {
        if (!Files.exists(part)) {
            throw new UsageProblem("--resume: nothing of this was begun for " + out + "; without --resume it is");
        }
        try {
            String text = Files.readString(part);
            String[] words = text.lines().findFirst().orElse("").split(" ");
            return new TableLearning.Step(NetworkFormat.BIF.parse(text, part.toString()), Integer.parseInt(words[1]),
                    Double.parseDouble(words[2]), Double.parseDouble(words[3]), Double.parseDouble(words[4]));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new UsageProblem("--resume: " + part + " is damaged (" + e.getMessage() + "); begin anew", e);
        }
    }

    /** A network with the step's figures in a comment before it. */
    private static void write(Path part, TableLearning.Step step) {
        try {
            AtomicFiles.write(part, "// " + step.number() + " " + step.logLikelihood() + " " + step.objective() + " "
                    + step.gain() + "\n" + BifWriter.text(step.network()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of the steps made now, after the one they began with. */
    private void report(TableLearning learning, BayesianNetwork learned, List<TableLearning.Step> made,
            List<int[]> kept, List<int[]> judged) {
        TableLearning.Step last = made.get(made.size() - 1);
        boolean exact = learning.isExact(learned);
        double within = learning.logLikelihood(learned, kept) / kept.size();
        double outside = judged.isEmpty() ? Double.NaN : learning.logLikelihood(learned, judged) / judged.size();
        String called = exact ? "log likelihood" : "log likelihood at least";
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("network", learned.name());
        answer.put("rows", kept.size());
        answer.put("steps", last.number());
        answer.put("atRest", learning.isAtRest(last));
        answer.put("expectations", exact ? "exact" : "fitted");
        answer.put("logLikelihoodPerRow", within);
        answer.put("heldOutRows", judged.size());
        answer.put("heldOutLogLikelihoodPerRow", outside);
        answer.put("logLikelihoods", made.stream().skip(1).map(TableLearning.Step::logLikelihood).toList());
        answer.put("file", out.toString());
        json.answer(() -> answer, person -> {
            person.printf(Locale.ROOT, "%d steps on %d rows: %s %.6f per row%n", last.number(), kept.size(),
                    called, within);
            if (!judged.isEmpty()) {
                person.printf(Locale.ROOT, "%d rows held out: %s %.6f per row%n", judged.size(), called,
                        outside);
            }
            if (!learning.isAtRest(last)) {
                person.printf(Locale.ROOT, "the last step gained %.2g per row: --resume with more --steps goes on%n",
                        last.gain() / kept.size());
            }
        });
    }
}
