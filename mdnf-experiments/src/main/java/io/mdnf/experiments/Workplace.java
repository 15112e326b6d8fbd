package io.mdnf.experiments;

import io.mdnf.mnist.Mnist;
import io.mdnf.random.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.commons.io.FileUtils;

/**
 * Where an experiment works.
 *
 * @param folder its own folder, for CSV files and plots; exists
 * @param scale how much of it is run
 * @param seed where its randomness comes from
 * @param data a folder with data files given by the user, if any
 * @param quiet whether to show no progress
 * @param notices is told, a sentence each, what the user should know of the data
 */
public record Workplace(Path folder, Scale scale, Seed seed, Optional<Path> data, boolean quiet,
        Consumer<String> notices) {

    /** Returns where finished fits are kept until all of the experiment is finished. */
    Path parts() {
        return folder.resolve("parts");
    }

    /** Returns whether an earlier run that did not end has left finished fits. */
    public boolean hasParts() {
        return Files.isDirectory(parts()) && !FileUtils.listFiles(parts().toFile(), null, true).isEmpty();
    }

    /** Forgets the fits that were kept. */
    public void forgetParts() throws IOException {
        FileUtils.deleteDirectory(parts().toFile());
    }

    Mnist mnist() throws IOException {
        return MnistData.load(data, quiet, notices);
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    /** One of two values by scale. */
    <T> T pick(T quick, T paper) {
        return scale == Scale.QUICK ? quick : paper;
    }
}
