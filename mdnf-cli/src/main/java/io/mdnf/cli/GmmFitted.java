package io.mdnf.cli;

import io.mdnf.gmm.BayesianGaussianMixture;
import io.mdnf.gmm.EmState;
import io.mdnf.gmm.RestartedEm;
import io.mdnf.report.Decimals;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A fitted Gaussian mixture, as a person or a machine is told of it.
 *
 * @param data what the user called the table
 * @param components flows of the E-step, empty for the closed form
 * @param closedForm the ELBO of the closed form from the same start
 * @param seconds of all starts
 */
record GmmFitted(String data, BayesianGaussianMixture mixture, String algorithm, Optional<Integer> components,
        long seed, RestartedEm.End best, double closedForm, double seconds, Optional<Path> out) {

    record Cluster(double weight, double points, double[] mean) { }

    record Answer(String data, int rows, List<String> columns, List<String> constantColumns, String algorithm,
            Integer components, long seed, double elbo, double closedFormElbo, int steps, double seconds,
            List<Cluster> clusters, String out) { }

    Answer answer() {
        EmState em = best.em();
        return new Answer(data, mixture.data().size(), mixture.data().columns(), mixture.data().constantColumns(),
                algorithm, components.orElse(null), seed, em.elbo(), closedForm, em.step(), seconds, clusters(),
                out.map(Path::toString).orElse(null));
    }

    List<Cluster> clusters() {
        double[] weights = best.em().posterior().weights();
        double[] counts = best.em().responsibilities().counts();
        return IntStream.range(0, weights.length).mapToObj(k ->
                new Cluster(weights[k], counts[k], best.em().posterior().components().get(k).mean())).toList();
    }

    void print(PrintWriter writer) {
        writer.printf(Locale.ROOT, "ELBO %.3f nats after %d steps (%s%s, %.1f s)%n", best.em().elbo(), best.em().step(),
                algorithm, components.map(b -> ", B = " + b).orElse(""), seconds);
        if (components.isPresent()) {
            writer.printf(Locale.ROOT, "closed form from the same start: %.3f, difference %.3f%n", closedForm,
                    closedForm - best.em().elbo());
        }
        int number = 1;
        for (Cluster cluster : clusters()) {
            writer.printf(Locale.ROOT, "cluster %d: weight %.3f, %.1f points, mean %s%n", number++, cluster.weight(),
                    cluster.points(), Arrays.stream(cluster.mean()).mapToObj(m -> Decimals.fixed(m, 3))
                            .collect(Collectors.joining(" ")));
        }
        if (!mixture.data().constantColumns().isEmpty()) {
            writer.println("columns that never vary: " + String.join(", ", mixture.data().constantColumns()));
        }
        out.ifPresent(folder -> writer.println("written to " + folder));
    }
}
