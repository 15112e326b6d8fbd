package io.mdnf.cli.experiment;

import io.mdnf.cli.UsageProblem;
import java.util.Comparator;
import java.util.List;

/** All experiments, in the order in which {@code reproduce all} runs them. */
public final class Experiments {

    private Experiments() {}

    /** Returns all experiments. */
    public static List<Experiment> all() {
        return List.of(new BnTable(), new BnAlgorithms(), new BnConvergence(), new BnTemperature(), new BnOracles(),
                new BnAnnealing(), new VaeElbo(), new VaeVariance(), new VaeDigits(), new PartialFlows(),
                new BaseDistributions(), new GaussianMixtures());
    }

    /**
     * One experiment.
     *
     * @param name its name
     * @return the experiment
     */
    public static Experiment named(String name) {
        return all().stream().filter(e -> e.name().equals(name)).findFirst().orElseThrow(() -> {
            String nearest = all().stream().map(Experiment::name)
                    .filter(n -> distance(n, name) <= Math.max(2, name.length() / 2))
                    .min(Comparator.comparingInt(n -> distance(n, name))).map(n -> ": did you mean '" + n + "'?").orElse("");
            return new UsageProblem("unknown experiment '" + name + "'" + nearest
                    + " ('mdnf reproduce --list' shows all)");
        });
    }

    /** Edit distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int corner = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = corner + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                corner = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
