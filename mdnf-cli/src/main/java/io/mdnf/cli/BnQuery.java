package io.mdnf.cli;

import io.mdnf.bn.CaseTable;
import io.mdnf.bn.NamedFactors;
import io.mdnf.bn.NetworkPosterior;
import io.mdnf.bn.Queries;
import io.mdnf.checkpoint.RunManifest;
import io.mdnf.elimination.TooLargeException;
import io.mdnf.file.CsvFile;
import io.mdnf.file.Sha256;
import io.mdnf.report.Progress;
import io.mdnf.work.Workers;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mdnf bn query}: marginals for every row of a table of cases, or many questions about one case. */
@Command(name = "query", footer = {"  mdnf bn query asia --cases a.csv --out b.csv",
    "  mdnf bn query asia --evidence xray=yes --influences", "  mdnf bn query runs/hepar --joint carcinoma,ascites"},
        description = {"Answer exactly what is asked about one case, or about every row of a table of cases.",
            "Of a run of 'mdnf bn fit', its posterior answers what it can, fitted as it is.",
            "In a table columns are variables, and an empty cell or ? was not observed. A bad row gets an error, not a "
                + "stop."})
final class BnQuery implements Callable<Integer> {

    /** Cases that are answered and written together: some tenths of a second. */
    private static final int BLOCK = 4096;

    @Mixin
    private BnCase asked;

    @Mixin
    private BnQuestions questions;

    @Option(names = "--cases", paramLabel = "FILE", description = "The cases, CSV with a header; a cell"
            + " that is empty or ? was not observed, empty lines at the end are no cases.")
    private Path cases;

    @Option(names = {"--targets", "--query"}, paramLabel = "VARIABLE", split = ",",
            converter = BnQuestions.Listed.class, description = "Variables asked for; all unless given. Names "
            + "with commas go in double quotes.")
    private List<String> targets = List.of();

    @Option(names = "--ignore", paramLabel = "COLUMN", split = ",", converter = BnQuestions.Listed.class,
            description = "Columns that are no variables, such as an identifier.")
    private Set<String> ignored = Set.of();

    @Option(names = "--long", description = "A line for each state instead of one for each case.")
    private boolean isLong;

    @Option(names = "--out", paramLabel = "FILE", converter = FileToWrite.class,
            description = "Write the answers here instead of stdout.")
    private Path out;

    @Option(names = "--resume", description = "Go on with --out FILE after a stop or a kill.")
    private boolean resume;

    @Option(names = "--threads", paramLabel = "N",
            description = "How many threads answer; unless given, all there are.")
    private Integer threads;

    @Mixin
    private QuietOption quiet;

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() throws IOException {
        if (cases != null) {
            if (asked.isRun()) {
                throw new UsageProblem("--cases: " + asked.name() + " is a fit to one case; name its network");
            }
            if (asked.evidenceGiven() || questions.given()) {
                throw new UsageProblem("--cases: each row has its own evidence, and the marginals of --targets are all "
                        + "that is asked; leave other questions out");
            }
            return table();
        }
        if (Main.isOnCluster(command)) {
            throw new UsageProblem("--master: one case is answered in one process; a cluster answers those of a table, "
                    + "--cases FILE");
        }
        if (out != null || resume || isLong || threads != null || !ignored.isEmpty()) {
            throw new UsageProblem("--out, --resume, --long, --threads, --ignore: they need a table of cases, --cases "
                    + "FILE");
        }
        if (asked.isRun()) {
            Nd4jStart.now();
            try (NetworkPosterior kept = asked.kept()) {
                return UsageProblem.ifRefused(() -> {
                    questions.ask(kept, targets, seed, json);
                    return 0;
                });
            }
        }
        try {
            return UsageProblem.ifRefused(() -> {
                questions.ask(asked.evidence(), asked.memory(), targets, json);
                return 0;
            });
        } catch (TooLargeException e) {
            json.note("mdnf: exact inference is too large here (" + e.getMessage() + "); " + asked.instead(e.bytes()));
            return 1;
        }
    }

    private int table() throws IOException {
        int own = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        UsageProblem.ifBelowOne("--threads", own);
        if (out == null && (resume || json.given())) {
            throw new UsageProblem((resume ? "--resume" : "--json") + ": name the file of answers with --out FILE");
        }
        long begun = System.nanoTime();
        Queries queries = UsageProblem.ifRefused(() -> Queries.of(asked.model(), targets)).seeded(seed.number());
        if (asked.memoryGiven()) {
            queries = queries.within(asked.memory());
        }
        NamedFactors model = queries.model();
        CaseTable table = UsageProblem.ifRefused(() -> CaseTable.of(model, CsvFile.read(cases), ignored));
        if (!queries.isExact()) {
            Nd4jStart.now();
        }
        BnAnswers answers = new BnAnswers(queries, isLong);
        // fits are made one at a time, and a kill should cost no more than one
        Workers workers = Main.workers(command, queries.isExact() ? own : 1);
        BnAnswers.Lines all;
        if (out == null) {
            Output stdout = (lines, last) -> {
                PrintWriter to = command.commandLine().getOut();
                to.print(lines);
                to.flush();
            };
            stdout.write(answers.header(), 0);
            all = answer(answers, table, 0, workers, stdout);
        } else {
            all = intoFile(queries, answers, table, workers);
        }
        report(table, all, (System.nanoTime() - begun) / 1e9);
        return 0;
    }

    private BnAnswers.Lines intoFile(Queries queries, BnAnswers answers, CaseTable table, Workers workers)
            throws IOException {
        String hash = Sha256.hex(String.join("\n", asked.input().sha256(), RunManifest.Input.of(cases).sha256(),
                targets.toString(), ignored.toString(), "" + isLong, "" + seed.number(), "" + queries.isExact())
                .getBytes(StandardCharsets.UTF_8)).substring(0, 12);
        try (GrowingFile file = GrowingFile.open(out, hash, answers.header(), resume);
                Stopping stopping = Stopping.keeping(command, out)) {
            if (resume) {
                json.note("mdnf: --resume: " + file.items() + " answers are kept" + (file.isCut()
                        ? "; what stood behind them was damaged or cut off, and is answered again" : ""));
            }
            BnAnswers.Lines all = answer(answers, table, (int) file.items(), workers, file::write);
            file.complete();
            stopping.complete();
            return all;
        }
    }

    private interface Output {
        /** Writes the lines of the cases up to one, counted from 1. */
        void write(String lines, int last) throws IOException;
    }

    /** Answers all cases behind the first few, block by block. */
    private BnAnswers.Lines answer(BnAnswers answers, CaseTable table, int before, Workers workers, Output to)
            throws IOException {
        int size = answers.isExact() ? BLOCK : 1;
        List<BnAnswers.Block> blocks = new ArrayList<>();
        for (int from = before; from < table.size(); from += size) {
            blocks.add(new BnAnswers.Block(from + 1, table.rows(from, Math.min(table.size(), from + size))));
        }
        BnAnswers.Lines[] sum = {new BnAnswers.Lines("", 0, 0, 0)};
        try (Progress progress = Progress.start("query", table.size(), "cases", quiet.given() || out == null,
                        System.err);
                Workers.Sent<BnAnswers> sent = workers.send(answers)) {
            workers.run(blocks, block -> sent.value().lines(block), Workers.inOrder((block, lines) -> {
                sum[0] = sum[0].plus(lines);
                to.write(lines.text(), before + sum[0].cases());
                progress.at(before + sum[0].cases(), Double.NaN);
            }));
        }
        return sum[0];
    }

    private void report(CaseTable table, BnAnswers.Lines all, double seconds) {
        int refused = all.cases() - all.exact() - all.fitted();
        int kept = table.size() - all.cases();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("network", asked.name());
        answer.put("cases", table.size());
        answer.put("kept", kept);
        answer.put("exact", all.exact());
        answer.put("fitted", all.fitted());
        answer.put("refused", refused);
        answer.put("seconds", seconds);
        answer.put("file", String.valueOf(out));
        if (json.given()) {
            json.answer(() -> answer, person -> { });
        } else if (out != null && !quiet.given()) {
            json.note(String.format(Locale.ROOT, "%d cases: %s%d exact, %d fitted, %d refused, in %.1f s; see %s",
                    table.size(), kept > 0 ? kept + " answered before, " : "", all.exact(), all.fitted(), refused,
                    seconds, out));
        }
    }
}
