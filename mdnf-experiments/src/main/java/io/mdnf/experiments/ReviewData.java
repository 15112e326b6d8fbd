package io.mdnf.experiments;

import io.mdnf.file.CsvFile;
import io.mdnf.file.Gzip;
import io.mdnf.file.Sha256;
import io.mdnf.gmm.GaussianMixtureData;
import java.io.IOException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.io.IOUtils;

/**
 * The two tables of travel reviews: from a folder the user gives, or from the archive that publishes them. The archive
 * publishes no checksums, so the report says the sha256 of what was read, and a table of another shape is refused.
 */
enum ReviewData {
    /** 980 reviewers, 10 categories. */
    TRIPADVISOR("tripadvisor", "tripadvisor_review", "00484", 10, 980, 980),
    /** 5456 reviewers, 24 categories, two rows of which have cells that are no numbers. */
    GOOGLE("google", "google_review_ratings", "00485", 24, 5450, 5456);

    private static final String ARCHIVE = "https://archive.ics.uci.edu/ml/machine-learning-databases/";

    private final String word;
    private final String file;
    private final String folder;
    private final int columns;
    private final int leastRows;
    private final int mostRows;

    ReviewData(String word, String file, String folder, int columns, int leastRows, int mostRows) {
        this.word = word;
        this.file = file;
        this.folder = folder;
        this.columns = columns;
        this.leastRows = leastRows;
        this.mostRows = mostRows;
    }

    /** What was read: the points, and a sentence about where they came from. */
    record Source(GaussianMixtureData data, String origin) { }

    String word() {
        return word;
    }

    /** Reads the table, or throws an IOException whose message says why it cannot be had. */
    Source read(Optional<Path> directory) throws IOException {
        if (directory.isPresent()) {
            for (String name : List.of(file + "_clean.csv", file + ".csv")) {
                for (String ending : List.of("", ".gz")) {
                    Path candidate = directory.get().resolve(name + ending);
                    if (Files.isRegularFile(candidate)) {
                        return parse(Files.readAllBytes(candidate), candidate.getFileName().toString());
                    }
                }
            }
            throw new IOException("no " + file + ".csv or .csv.gz in " + directory.get());
        }
        return parse(fetch(ARCHIVE + folder + "/" + file + ".csv"), "the UCI archive");
    }

    private static byte[] fetch(String from) throws IOException {
        try {
            URLConnection connection = URI.create(from).toURL().openConnection();
            connection.setConnectTimeout(10_000);
            connection.setReadTimeout(60_000);
            return IOUtils.toByteArray(connection);
        } catch (IOException e) {
            throw new IOException(from + " cannot be read (" + e.getClass().getSimpleName()
                    + "); give the files with --data DIR", e);
        }
    }

    private Source parse(byte[] bytes, String from) throws IOException {
        List<double[]> rows = new ArrayList<>();
        List<List<String>> cells = CsvFile.parse(from, bytes).rows();
        for (List<String> row : cells.subList(1, cells.size())) {
            numbers(row).ifPresent(rows::add);
        }
        int left = cells.size() - 1 - rows.size();
        if (rows.size() < leastRows || rows.size() > mostRows) {
            throw new IOException(from + " has " + rows.size() + " rows of " + columns + " numbers; " + leastRows
                    + " to " + mostRows + " are expected");
        }
        return new Source(GaussianMixtureData.of(rows.toArray(double[][]::new)), rows.size() + " rows from " + from
                + ", " + left + " left out for cells that are no numbers, sha256 "
                + Sha256.hex(Gzip.unpacked(bytes, Integer.MAX_VALUE)));
    }

    /** The numbers after the reviewer's name, if none is missing or no number. */
    private Optional<double[]> numbers(List<String> cells) {
        if (cells.size() < columns + 1) {
            return Optional.empty();
        }
        List<String> rated = cells.subList(1, columns + 1);
        return rated.stream().allMatch(cell -> cell.matches("-?\\d+(\\.\\d*)?"))
                ? Optional.of(rated.stream().mapToDouble(Double::parseDouble).toArray()) : Optional.empty();
    }
}
