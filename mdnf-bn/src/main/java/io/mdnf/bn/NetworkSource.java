package io.mdnf.bn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where a network comes from when a person names it: a built-in name or the path of a BIF file. */
public final class NetworkSource {

    private NetworkSource() {
    }

    /**
     * Opens a network, called by its file's name if the file calls it {@code unknown}, as many do. A built-in name
     * wins over a file of the same name; write {@code ./asia} for the file.
     *
     * @throws IOException if the file exists but cannot be read
     * @throws IllegalArgumentException if there is neither, with the nearest name; or, as {@link BifException}, if the
     *     file is not a valid network
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
        BayesianNetwork network = BifReader.read(Path.of(nameOrPath));
        return network.name().equals(BifParser.UNNAMED)
                ? BayesianNetwork.of(fileName(Path.of(nameOrPath)), network.nodes()) : network;
    }

    /** The file's name without what says its format. */
    private static String fileName(Path file) {
        String name = file.getFileName().toString().replaceFirst("(\\.bif)?(\\.gz)?$", "");
        return name.isEmpty() ? BifParser.UNNAMED : name;
    }

    private static boolean isFile(String path) {
        try {
            return Files.isRegularFile(Path.of(path));
        } catch (InvalidPathException e) {
            return false; // then it certainly names no file
        }
    }
}
