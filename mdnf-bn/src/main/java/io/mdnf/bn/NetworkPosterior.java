package io.mdnf.bn;

import io.mdnf.checkpoint.StoredFile;
import io.mdnf.checkpoint.StoredFileException;
import io.mdnf.distribution.CodeDistribution;
import io.mdnf.distribution.Marginals;
import io.mdnf.file.Sha256;
import io.mdnf.space.Check;
import io.mdnf.space.CodeSpace;
import io.mdnf.space.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A fitted posterior to be kept and asked again: q(latent variables) given what was observed in a network.
 *
 * <pre>{@code
 * try (NetworkPosterior posterior = NetworkPosterior.load(folder)) {   // as save(folder), or bn fit --out, left it
 *     int[][] codes = posterior.distribution().sample(1000, Seed.of(1));
 * }
 * }</pre>
 *
 * @param evidence the network and what was observed
 * @param distribution over the latent variables, in the order of {@link Evidence#latents}
 * @param bound its ELBO
 * @param marginals of the latent variables, as accurate as they were known
 * @param family what it is, in a word
 * @param algorithm what found it
 * @param trust how far to trust it, in a sentence
 */
public record NetworkPosterior(Evidence evidence, CodeDistribution distribution, Estimate bound, Marginals marginals,
        String family, String algorithm, String trust) implements AutoCloseable {

    /** The file of all but the distribution. */
    public static final String NAME = "posterior.mdnf";

    private static final String DISTRIBUTION = "distribution.mdnf";

    /** What {@link #NAME} says beside the marginals; the hash is that of the distribution's file. */
    private record About(String network, Map<String, String> observed, double bound, double standardError,
            int samples, String family, String algorithm, String trust, String hash) { }

    /** Checks that the distribution is one of the latent variables. */
    public NetworkPosterior {
        Check.that(Arrays.equals(distribution.space().cardinalities(), evidence.latentCardinalities()),
                "the distribution is over ", distribution.space(), ", expected the variables of ",
                evidence.network().name(), " that were not observed");
    }

    /**
     * Writes two files into a folder that exists, the distribution first; each appears whole or not at all and is
     * under a hash, and the second names the hash of the first.
     */
    public void save(Path folder) throws IOException {
        Map<String, String> observed = new LinkedHashMap<>();
        for (int i = 0; i < evidence.network().size(); i++) {
            if (evidence.isObserved(i)) {
                Node node = evidence.network().node(i);
                observed.put(node.name(), node.states().get(evidence.state(i)));
            }
        }
        distribution.save(folder.resolve(DISTRIBUTION));
        double[] flat = Arrays.stream(marginals.probabilities()).flatMapToDouble(Arrays::stream).toArray();
        StoredFile.write(folder.resolve(NAME), StoredFile.Kind.POSTERIOR,
                new About(BifWriter.text(evidence.network()), observed, bound.value(), bound.standardError(),
                        marginals.samples(), family, algorithm, trust, hash(folder)),
                new TreeMap<>(Map.of("marginals", flat)));
    }

    /** Reads a posterior back; throws, in one sentence, if it is not there, damaged, or its two files do not match. */
    public static NetworkPosterior load(Path folder) throws IOException {
        String hash = hash(folder);
        CodeDistribution distribution = CodeDistribution.load(folder.resolve(DISTRIBUTION));
        return StoredFile.read(folder.resolve(NAME), StoredFile.Kind.POSTERIOR, About.class,
                (about, arrays) -> of(about, arrays, distribution, hash));
    }

    private static NetworkPosterior of(About about, SortedMap<String, double[]> arrays, CodeDistribution distribution,
            String hash) {
        Check.that(about.hash.equals(hash), DISTRIBUTION, " beside it is not the one that was saved with it");
        Evidence evidence = Evidence.of(NetworkFormat.BIF.parse(about.network, NAME), about.observed);
        double[] flat = arrays.getOrDefault("marginals", new double[0]);
        int[] cardinalities = evidence.latentCardinalities();
        Check.that(flat.length == Arrays.stream(cardinalities).sum(), "it has ", flat.length, " probabilities");
        return new NetworkPosterior(evidence, distribution, new Estimate(about.bound, about.standardError),
                new Marginals(CodeSpace.of(cardinalities).parted(flat), about.samples), about.family, about.algorithm,
                about.trust);
    }

    private static String hash(Path folder) throws IOException {
        try (var in = Files.newInputStream(folder.resolve(DISTRIBUTION))) {
            return HexFormat.of().formatHex(Sha256.digest(in));
        }
    }

    /** Releases the distribution's native memory, if there is any. */
    @Override
    public void close() {
        distribution.close();
    }
}
