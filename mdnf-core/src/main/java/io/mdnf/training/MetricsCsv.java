package io.mdnf.training;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.mdnf.file.AtomicFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Writes a run's figures as CSV, a row whenever the run reports: step, temperature, elbo, bestElbo, components. A
 * resumed run drops rows after the step it resumes at.
 *
 * <p>Example: {@code new MetricsCsv(folder.resolve("metrics.csv"))} among a run's listeners.
 */
public final class MetricsCsv implements RunListener {

    private static final String HEADER = "step,temperature,elbo,bestElbo,components";

    private final Path file;

    /** Writes into a file, appended to if it exists. */
    public MetricsCsv(Path file) {
        this.file = file;
    }

    @Override
    public void onResume(Algorithm.Info info) throws IOException {
        if (Files.exists(file)) {
            List<String> kept = Files.readAllLines(file).stream()
                    .filter(line -> line.equals(HEADER) || line.matches("\\d+,.*")
                            && Long.parseLong(line.substring(0, line.indexOf(','))) <= info.step())
                    .toList();
            AtomicFiles.write(file, (String.join("\n", kept) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void onProgress(Algorithm.Info info) throws IOException {
        boolean first = !Files.exists(file);
        try (CsvWriter csv = CsvWriter.builder().build(file, StandardCharsets.UTF_8, StandardOpenOption.CREATE,
                StandardOpenOption.APPEND)) {
            if (first) {
                csv.writeRecord(HEADER.split(","));
            }
            csv.writeRecord(Long.toString(info.step()), Double.toString(info.temperature()),
                    Double.toString(info.elbo()), Double.toString(info.bestElbo()),
                    Integer.toString(info.components()));
        }
    }
}
