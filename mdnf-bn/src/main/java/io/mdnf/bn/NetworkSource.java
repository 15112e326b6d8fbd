package io.mdnf.bn;

import io.mdnf.uai.UaiReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where a network comes from when a person names it: a built-in one or a file, of any {@link NetworkFormat}. */
public final class NetworkSource {

    private NetworkSource() {
    }

    /**
     * Opens a network, called by its file's name if the file calls it {@code unknown}, as many do. A built-in name
     * wins over a file of the same name; write {@code ./asia} for the file.
     *
     * @throws IOException if the file exists but cannot be read
     * @throws IllegalArgumentException if there is neither, with the nearest name; or, saying where, if
     *     the file is not a valid network
     */
    public static BayesianNetwork open(String nameOrPath) throws IOException {
        if (BuiltInNetworks.names().contains(nameOrPath)) {
            return BuiltInNetworks.open(nameOrPath);
        }
        if (!isFile(nameOrPath)) {
            throw new IllegalArgumentException("no network file and no built-in network " + Names.quote(nameOrPath)
                    + Names.didYouMean(nameOrPath, BuiltInNetworks.names()) + ", built in: "
                    + Names.list(BuiltInNetworks.names()));
        }
        Path file = Path.of(nameOrPath);
        BayesianNetwork network = NetworkFormat.of(file).read(file);
        return network.name().equals(NetworkDraft.UNNAMED) && !NetworkFormat.stem(file).isEmpty()
                ? BayesianNetwork.of(NetworkFormat.stem(file), network.nodes()) : network;
    }

    /** The same as factors, for which a UAI file may be a Markov field too. */
    public static NamedFactors factors(String nameOrPath) throws IOException {
        boolean fields = !BuiltInNetworks.names().contains(nameOrPath) && isFile(nameOrPath)
                && NetworkFormat.of(Path.of(nameOrPath)) == NetworkFormat.UAI;
        return fields ? NamedFactors.of(UaiReader.model(Path.of(nameOrPath)), nameOrPath)
                : NamedFactors.of(open(nameOrPath));
    }

    private static boolean isFile(String path) {
        try {
            return Files.isRegularFile(Path.of(path));
        } catch (InvalidPathException e) {
            return false; // then it certainly names no file
        }
    }
}
