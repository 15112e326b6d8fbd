package io.mdnf.cli;

import io.mdnf.checkpoint.RunManifest;
import io.mdnf.file.InvalidFileException;
import io.mdnf.gmm.GaussianMixtureData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Reads the table a command names, or says in one line what is wrong with it. */
final class GmmData {
    static final String ARTIFICIAL = "artificial";

    private GmmData() { }

    static GaussianMixtureData read(String name, long dataSeed, Set<String> ignored) throws IOException {
        if (name.equals(ARTIFICIAL)) {
            if (!ignored.isEmpty()) {
                throw new UsageProblem("--ignore " + ignored.iterator().next() + ": the data set 'artificial' has no "
                        + "columns to leave out");
            }
            return GaussianMixtureData.artificial(dataSeed);
        }
        Path file = Path.of(name);
        if (!Files.isRegularFile(file)) {
            throw new UsageProblem("no such file: " + name + " (a CSV file, or 'artificial', is needed)");
        }
        try {
            return GaussianMixtureData.readCsv(file, ignored);
        } catch (InvalidFileException | IllegalArgumentException e) {
            throw new UsageProblem(e.getMessage() + " (--ignore COLUMN leaves one out)", e);
        }
    }

    /** Where the table came from, for a run's manifest. */
    static List<RunManifest.Input> inputs(String name, GaussianMixtureData read) throws IOException {
        if (!name.equals(ARTIFICIAL)) {
            return List.of(RunManifest.Input.of(Path.of(name)));
        }
        ByteBuffer bytes = ByteBuffer.allocate(read.size() * read.dimension() * Double.BYTES);
        for (int n = 0; n < read.size(); n++) {
            for (double value : read.row(n)) {
                bytes.putDouble(value);
            }
        }
        return List.of(RunManifest.Input.of(name, bytes.array()));
    }
}
