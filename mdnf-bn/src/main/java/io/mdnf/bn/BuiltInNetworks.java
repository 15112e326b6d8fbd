package io.mdnf.bn;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/** Networks that come with the library: small ones from textbooks, one from biology and one from medicine. */
public final class BuiltInNetworks {

    /** A network and where its figures were published. */
    private enum BuiltIn {
        ASIA("asia", "S. L. Lauritzen, D. J. Spiegelhalter: Local computations with probabilities on graphical "
                + "structures and their application to expert systems. J. R. Stat. Soc. B 50(2), 1988."),
        CANCER("cancer", "K. B. Korb, A. E. Nicholson: Bayesian Artificial Intelligence, 2nd edition. "
                + "CRC Press, 2010."),
        EARTHQUAKE("earthquake", "K. B. Korb, A. E. Nicholson: Bayesian Artificial Intelligence, 2nd edition. "
                + "CRC Press, 2010."),
        SACHS("sachs", "K. Sachs, O. Perez, D. Pe'er, D. A. Lauffenburger, G. P. Nolan: Causal protein-signaling "
                + "networks derived from multiparameter single-cell data. Science 308, 2005."),
        HEPAR2("hepar2", "A. Onisko: Probabilistic causal models in medicine: application to diagnosis of liver "
                + "disorders. PhD thesis, Polish Academy of Science, Warsaw, 2003.");

        private final String id;
        private final String citation;

        BuiltIn(String id, String citation) {
            this.id = id;
            this.citation = citation;
        }
    }

    private BuiltInNetworks() {
    }

    /** {@return the names, smallest networks first} */
    public static List<String> names() {
        return Stream.of(BuiltIn.values()).map(network -> network.id).toList();
    }

    /**
     * Where the figures of a network were published.
     *
     * @param name one of {@link #names()}
     * @return author, title and year, one line
     * @throws IllegalArgumentException with the nearest name if there is no such network
     */
    public static String citation(String name) {
        return find(name).citation;
    }

    /**
     * Opens a network by name.
     *
     * @param name one of {@link #names()}
     * @return the network
     * @throws IllegalArgumentException with the nearest name if there is no such network
     */
    public static BayesianNetwork open(String name) {
        String file = find(name).id + ".bif";
        try (InputStream in = BuiltInNetworks.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("resource " + file + " is missing from the library");
            }
            return BifReader.read(in, file);
        } catch (IOException e) {
            throw new UncheckedIOException("resource " + file + " cannot be read", e);
        }
    }

    private static BuiltIn find(String name) {
        return Stream.of(BuiltIn.values()).filter(network -> network.id.equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no built-in network " + Names.quote(name)
                        + Names.didYouMean(name, names()) + ", built in: " + Names.list(names())));
    }
}
