package io.mdnf.experiments;

import io.mdnf.mnist.Mnist;
import io.mdnf.random.Seed;
import io.mdnf.work.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
 * @param fits who makes fits
 */
public record Workplace(Path folder, Scale scale, Seed seed, Optional<Path> data, boolean quiet,
        Consumer<String> notices, Fits fits) {

    /** Makes fits. */
    public interface Fits {

        /** As many at a time as there are processors here. */
        Fits HERE = (workplace, names, fit, taker) ->
                Workers.here(Runtime.getRuntime().availableProcessors()).run(names, fit, taker);

        /** Makes fits by their names, begun in that order, and hands over each as it ends. */
        void make(Workplace workplace, List<String> names, Workers.Work<String, byte[]> fit,
                Workers.Taker<byte[]> taker) throws IOException;
    }

    /** Where fits are made here. */
    public Workplace(Path folder, Scale scale, Seed seed, Optional<Path> data, boolean quiet,
            Consumer<String> notices) {
        this(folder, scale, seed, data, quiet, notices, Fits.HERE);
    }

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
