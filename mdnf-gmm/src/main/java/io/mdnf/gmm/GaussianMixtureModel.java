package io.mdnf.gmm;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.mdnf.checkpoint.StoredFile;
import io.mdnf.file.AtomicFiles;
import io.mdnf.space.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A fitted mixture as it is kept on disk: what the columns were called, the prior, the posterior and its ELBO. One JSON
 * file; loading gives back the same numbers bit by bit.
 *
 * @param columns the names of the data's columns [D]
 * @param prior the prior it was fitted with
 * @param posterior q(pi, mu, Lambda)
 * @param elbo the ELBO reached, in nats
 */
public record GaussianMixtureModel(List<String> columns, MixturePrior prior, MixturePosterior posterior, double elbo) {
    private static final String FORMAT = "mdnf-gaussian-mixture";
    private static final int VERSION = 1;

    /** Checks that the parts fit. */
    public GaussianMixtureModel {
        columns = List.copyOf(columns);
        Check.that(columns.size() == posterior.dimension() && prior.component().dimension() == posterior.dimension(),
                "there are " + columns.size() + " column names and a prior of dimension "
                + prior.component().dimension() + "; the posterior has dimension " + posterior.dimension());
        Check.that(prior.clusters() == posterior.clusters(), "the prior has " + prior.clusters()
                + " clusters; the posterior has " + posterior.clusters());
        Check.that(Double.isFinite(elbo), "elbo is " + elbo + "; it must be finite");
    }

    /** Returns the model EM has reached on a mixture. */
    public static GaussianMixtureModel of(BayesianGaussianMixture mixture, EmState state) {
        return new GaussianMixtureModel(mixture.data().columns(), mixture.prior(), state.posterior(), state.elbo());
    }

    /** Writes the model; the file appears whole or not at all, an existing one is replaced. */
    public void save(Path file) throws IOException {
        StoredComponent storedPrior = StoredComponent.of(prior.component());
        List<StoredComponent> components = posterior.components().stream().map(StoredComponent::of).toList();
        Stored stored = new Stored(FORMAT, VERSION, columns, elbo, prior.alpha(), storedPrior, posterior.alpha(),
                components);
        AtomicFiles.write(file, StoredFile.JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(stored));
    }

    /** Reads back what {@link #save} wrote; an IOException says in one line why it cannot. */
    public static GaussianMixtureModel load(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        try {
            Stored stored = StoredFile.JSON.readValue(bytes, Stored.class);
            if (!FORMAT.equals(stored.format()) || stored.version() != VERSION) {
                throw new IOException(file + " has format " + stored.format() + " version " + stored.version()
                        + "; this program reads " + FORMAT + " version " + VERSION);
            }
            List<GaussWishart> components = stored.components().stream().map(StoredComponent::restored).toList();
            MixturePrior prior = new MixturePrior(components.size(), stored.priorAlpha(), stored.prior().restored());
            return new GaussianMixtureModel(stored.columns(), prior, new MixturePosterior(stored.alpha(), components),
                    stored.elbo());
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is not a saved Gaussian mixture: " + e.getOriginalMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " does not hold a valid Gaussian mixture: " + e.getMessage(), e);
        }
    }

    private record Stored(String format, int version, List<String> columns, double elbo, double priorAlpha,
                          StoredComponent prior, double[] alpha, List<StoredComponent> components) {
    }

    private record StoredComponent(double beta, double nu, double[] mean, double[][] inverseScale) {
        static StoredComponent of(GaussWishart component) {
            return new StoredComponent(component.beta(), component.nu(), component.mean(), component.inverseScale());
        }

        GaussWishart restored() {
            return new GaussWishart(beta, nu, mean, inverseScale);
        }
    }
}
