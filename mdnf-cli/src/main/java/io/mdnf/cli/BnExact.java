package io.mdnf.cli;

import io.mdnf.bn.Evidence;
import io.mdnf.bn.ExactPosterior;
import io.mdnf.bn.TooLargeException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mdnf bn exact}: log evidence and marginals by variable elimination. */
@Command(name = "exact", description = "Log evidence and marginals by exact inference, where that is feasible.%n")
final class BnExact implements Callable<Integer> {

    @Mixin
    private BnCase asked;

    @Mixin
    private SeedOption seed;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Evidence evidence = asked.evidence();
        ExactPosterior exact;
        try {
            exact = BnCase.exact(evidence);
        } catch (TooLargeException e) {
            spec.commandLine().getErr().println("mdnf: exact inference is too large here (" + e.getMessage()
                    + "); use 'mdnf bn fit'");
            return 1;
        }
        BnMarginals marginals = BnMarginals.of(exact);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("network", evidence.network().name());
        answer.put("evidence", BnCase.observed(evidence));
        answer.put("logEvidence", exact.logEvidence());
        answer.put("marginals", marginals.byName());
        json.answer(() -> answer, out -> {
            out.printf(Locale.ROOT, "log evidence %.9f%n%n", exact.logEvidence());
            out.print(evidence.latents().length == 0 ? "Every variable was observed: there is nothing latent.\n"
                    : Tables.text(marginals.table("", "p", Optional.empty())));
        });
        return 0;
    }
}
