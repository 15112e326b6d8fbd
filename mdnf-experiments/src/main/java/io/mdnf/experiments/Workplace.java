package io.mdnf.experiments;

import io.mdnf.random.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
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

    /** Returns whether an earlier run that did not end has left finished fits. */
    public boolean hasParts() throws IOException {
        return Files.isDirectory(parts()) && walk().stream().anyMatch(Files::isRegularFile);
    }

    /** Forgets the fits that were kept. */
    public void forgetParts() throws IOException {
        if (Files.isDirectory(parts())) {
            for (Path file : walk()) {
                Files.delete(file);
            }
        }
    }

    /** What is kept, what is in a folder before the folder. */
    private List<Path> walk() throws IOException {
        try (Stream<Path> files = Files.walk(parts())) {
            return files.sorted(Comparator.reverseOrder()).toList();
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
