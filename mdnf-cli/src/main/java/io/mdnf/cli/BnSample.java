package io.mdnf.cli;

import io.mdnf.bn.NetworkTarget;
import io.mdnf.fit.Fitter;
import io.mdnf.report.CsvTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mdnf bn sample}: codes drawn from a fitted posterior, as names of states. */
@Command(name = "sample",
        description = "Fit a posterior and print samples of it as CSV: a column per latent variable.%n")
final class BnSample implements Callable<Integer> {

    @Mixin
    private BnCase asked;

    @Option(names = {"-n", "--samples"}, paramLabel = "N", defaultValue = "1000",
            description = "How many: ${DEFAULT-VALUE} by default.")
    private int count;

    @Mixin
    private BnMethod method;

    @Mixin
    private SeedOption seed;

    @Option(names = "--out", paramLabel = "FILE", description = "Write the CSV here instead of stdout.")
    private Path out;

    @Mixin
    private JsonOption json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (count < 1) {
            throw new UsageProblem("-n " + count + ": at least 1 is needed");
        }
        NetworkTarget target = asked.target();
        var plan = method.plan(target.space());
        var exact = BnCase.exactIfFeasible(target.evidence());
        Nd4jStart.now();
        try (BnFitted fitted = BnFitted.fit(new Fitter(target, target.order()), target, exact, plan, seed.seed())) {
            int[][] codes = fitted.fit().distribution().sample(count, seed.seed().fold("samples"));
            if (out != null) {
                csv(target, codes).write(out);
            }
            json.answer(() -> answer(fitted, codes), writer -> {
                if (out == null) {
                    writer.print(csv(target, codes));
                }
                spec.commandLine().getErr().println(fitted.structure() + " posterior. "
                        + String.join(" ", fitted.sentences()));
            });
        }
        return 0;
    }

    private static CsvTable csv(NetworkTarget target, int[][] codes) {
        CsvTable table = new CsvTable(target.variables().toArray(String[]::new));
        for (int[] code : codes) {
            Object[] states = new Object[code.length];
            for (int d = 0; d < code.length; d++) {
                states[d] = target.states(d).get(code[d]);
            }
            table.row(states);
        }
        return table;
    }

    private Map<String, Object> answer(BnFitted fitted, int[][] codes) {
        Map<String, Object> answer = fitted.answer();
        answer.keySet().removeAll(List.of("marginals", "families"));
        answer.put("n", codes.length);
        if (out != null) {
            answer.put("file", out.toString());
            return answer;
        }
        List<Map<String, String>> samples = new ArrayList<>();
        for (int[] code : codes) {
            Map<String, String> sample = new LinkedHashMap<>();
            for (int d = 0; d < code.length; d++) {
                sample.put(fitted.target().variables().get(d), fitted.target().states(d).get(code[d]));
            }
            samples.add(sample);
        }
        answer.put("samples", samples);
        return answer;
    }
}
