package io.mdnf.bn;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Networks that come with the library: small ones from textbooks, one from biology and one from medicine. */
public final class BuiltInNetworks {

    private static final String KORB = "K. B. Korb, A. E. Nicholson: Bayesian Artificial Intelligence, 2nd edition. "
            + "CRC Press, 2010.";

    /** Names, and where the figures were published. */
    private static final List<Map.Entry<String, String>> NETWORKS = List.of(
            Map.entry("asia", "S. L. Lauritzen, D. J. Spiegelhalter: Local computations with probabilities on "
                    + "graphical structures and their application to expert systems. J. R. Stat. Soc. B 50(2), 1988."),
            Map.entry("cancer", KORB),
            Map.entry("earthquake", KORB),
            Map.entry("sachs", "K. Sachs, O. Perez, D. Pe'er, D. A. Lauffenburger, G. P. Nolan: Causal "
                    + "protein-signaling networks derived from multiparameter single-cell data. Science 308, 2005."),
            Map.entry("hepar2", "A. Onisko: Probabilistic causal models in medicine: application to diagnosis of liver "
                    + "disorders. PhD thesis, Polish Academy of Science, Warsaw, 2003."));

    private BuiltInNetworks() {
    }

    /** {@return the names, smallest networks first} */
    public static List<String> names() {
        return NETWORKS.stream().map(Map.Entry::getKey).toList();
    }

    /** Returns where the figures of one of {@link #names()} were published: author, title and year, one line. */
    public static String citation(String name) {
        return find(name).getValue();
    }

    /** Opens one of {@link #names()}; an IllegalArgumentException has the nearest name if there is no such network. */
    public static BayesianNetwork open(String name) {
        String file = find(name).getKey() + ".bif";
        try (InputStream in = BuiltInNetworks.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("resource " + file + " is missing from the library");
            }
            return NetworkFormat.BIF.read(in, file);
        } catch (IOException e) {
            throw new UncheckedIOException("resource " + file + " cannot be read", e);
        }
    }

    private static Map.Entry<String, String> find(String name) {
        return NETWORKS.stream().filter(network -> network.getKey().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no built-in network " + Names.quote(name)
                        + Names.didYouMean(name, names()) + ", built in: " + Names.list(names())));
    }
}
