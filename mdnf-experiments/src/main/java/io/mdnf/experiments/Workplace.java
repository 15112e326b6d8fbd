package io.mdnf.experiments;

import io.mdnf.random.Seed;
import java.io.IOException;
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

    /** Returns where finished fits are kept until all of the experiment is finished. */
    Path parts() {
        return folder.resolve("parts");
    }

    /**
     * Whether an earlier run that did not end has left finished fits.
     *
     * @return whether there are any
     * @throws IOException if the folder cannot be read
     */
    public boolean hasParts() throws IOException {
        if (!Files.isDirectory(parts())) {
            return false;
        }
        try (Stream<Path> files = Files.walk(parts())) {
            return files.anyMatch(Files::isRegularFile);
        }
    }

    /**
     * Forgets the fits that were kept.
     *
     * @throws IOException if one cannot be removed
     */
    public void forgetParts() throws IOException {
        if (Files.isDirectory(parts())) {
            try (Stream<Path> files = Files.walk(parts())) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Returns a file of this experiment. */
    Path file(String name) {
        return folder.resolve(name);
    }

    /** One of two values by scale. */
    <T> T pick(T quick, T paper) {
        return scale == Scale.QUICK ? quick : paper;
    }
}
