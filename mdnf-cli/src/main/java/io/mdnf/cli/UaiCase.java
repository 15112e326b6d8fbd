package io.mdnf.cli;

import io.mdnf.evaluation.LogEvidence;
import io.mdnf.fit.Answer;
import io.mdnf.fit.Answers;
import io.mdnf.fit.Budget;
import io.mdnf.random.Seed;
import io.mdnf.uai.UaiEvidence;
import io.mdnf.uai.UaiModel;
import io.mdnf.uai.UaiReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Mixin for commands about a UAI model and evidence. What is wrong with either is one line and exit code 2. */
final class UaiCase {

    @Parameters(index = "0", paramLabel = "MODEL", description = "The path of a UAI file, MARKOV or BAYES.")
    private Path file;

    @Option(names = "--evidence", paramLabel = "FILE", description = "A UAI file of evidence; nothing unless given.")
    private Path observed;

    @Option(names = "--budget", paramLabel = "TIME", defaultValue = "60s",
            description = "How long an answer may take, such as 30s or 5m")
    private String budget;

    @Mixin
    private TableOptions tables;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private UaiModel model;
    private UaiEvidence evidence;

    UaiModel model() throws IOException {
        if (model == null) {
            model = UsageProblem.ifRefused(() -> UaiReader.model(file));
        }
        return model;
    }

    UaiEvidence evidence() throws IOException {
        if (evidence == null) {
            UaiModel about = model();
            evidence = observed == null ? UaiEvidence.none(about)
                    : UsageProblem.ifRefused(() -> UaiReader.evidence(observed, about));
        }
        return evidence;
    }

    /** In words, for the end of a sentence. */
    String given() {
        return observed == null ? "" : " given " + observed;
    }

    String name() {
        return file.getFileName().toString();
    }

    long memory() {
        return tables.memory();
    }

    /**
     * Answers within the budget, or with what is known by then if Ctrl-C comes before; evidence without a possible code
     * is refused.
     */
    void answer(Seed seed, Told told) throws IOException {
        Budget allowed = tables.within(budget);
        UaiEvidence given = evidence();
        AtomicReference<LogEvidence> known = new AtomicReference<>();
        try (Stopping stopping = Stopping.answering(command.commandLine().getErr(), () -> known.get() == null
                ? "nothing is known yet" : "log evidence " + known.get())) {
            told.tell(UsageProblem.ifRefused(() -> new Answers(model().target(given), allowed).whilst(now -> {
                known.set(now);
                return !stopping.wantsStop();
            }).ask(seed)));
            stopping.complete();
        }
    }

    /** Prints an answer. */
    interface Told {
        void tell(Answer answer) throws IOException;
    }
}
