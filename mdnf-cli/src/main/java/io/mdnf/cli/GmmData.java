package io.mdnf.cli;

import io.mdnf.gmm.GaussianMixtureData;
import io.mdnf.gmm.InvalidCsvException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        } catch (InvalidCsvException | IllegalArgumentException e) {
            throw new UsageProblem(e.getMessage() + " (--ignore COLUMN leaves one out)", e);
        }
    }
}
