package io.mdnf.experiments;

import com.fasterxml.jackson.core.type.TypeReference;
import io.mdnf.report.Progress;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where an experiment works.
 *
 * @param folder its own folder, for CSV files and plots; exists
 * @param scale how much of it is run
 * @param seed where its randomness comes from
 * @param data a folder with data files given by the user, if any
 * @param quiet whether to show no progress
 */
public record Workplace(Path folder, Scale scale, Seed seed, Optional<Path> data, boolean quiet) {
    private static final String PARTS = "parts";

    /**
     * Shows progress on stderr.
     *
     * @param what is being done
     * @param parts how many parts there are
     * @return the progress, to be closed
     */
    public Progress progress(String what, long parts) {
        return Progress.start(what, parts, quiet, stderr());
    }

    private static PrintStream stderr() {
        return System.err;
    }

    /**
     * Where parts of this experiment are kept until all of it is finished.
     *
     * @param name of this kind of part
     * @param type of a part
     * @param <T> of a part
     * @return the parts
     */
    <T> KeptParts<T> parts(String name, TypeReference<T> type) {
        return new KeptParts<>(folder.resolve(PARTS).resolve(name), type);
    }

    /**
     * Whether an earlier run that did not end has left parts.
     *
     * @return whether there are any
     * @throws IOException if the folder cannot be read
     */
    public boolean hasParts() throws IOException {
        Path all = folder.resolve(PARTS);
        if (!Files.isDirectory(all)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(all)) {
            return files.anyMatch(Files::isRegularFile);
        }
    }

    /**
     * Forgets parts that a run kept.
     *
     * @throws IOException if one cannot be removed
     */
    public void forgetParts() throws IOException {
        Path all = folder.resolve(PARTS);
        if (Files.isDirectory(all)) {
            try (Stream<Path> files = Files.walk(all)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /**
     * One of two values by scale.
     *
     * @param quick at quick scale
     * @param paper at the paper's scale
     * @return the value
     */
    public int pick(int quick, int paper) {
        return scale == Scale.QUICK ? quick : paper;
    }
}
