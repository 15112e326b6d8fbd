package io.mdnf.experiments;

import io.mdnf.random.Seed;
import io.mdnf.work.Workers;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * The fits of an experiment on a cluster, a task for each. A worker is sent no fit but the experiment: it runs it again
 * up to the study in question, with what is finished, and has the study's fits then. So whatever an experiment captures
 * may be captured, and data are read where the work is.
 *
 * @param workers who make the fits
 * @param body the experiment
 */
public record FitSweep(Workers workers, Experiment.Body body) implements Workplace.Fits {

    @Override
    public void make(Workplace workplace, List<String> names, Workers.Work<String, byte[]> fit,
            Workers.Taker<byte[]> taker) throws IOException {
        Replay again = new Replay(body, workplace.scale(), workplace.seed(),
                workplace.data().map(Path::toAbsolutePath).map(Path::toString).orElse(null), finished(workplace));
        try (Workers.Sent<Replay> sent = workers.send(again)) {
            workers.run(names, name -> sent.value().make(name), taker);
        }
    }

    /** What the experiment and those beside it have left, by its path from the experiment's folder. */
    private static Map<String, byte[]> finished(Workplace workplace) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        if (workplace.hasParts()) {
            for (File part : FileUtils.listFiles(workplace.parts().toFile(), null, true)) {
                add(files, workplace.folder(), part.toPath());
            }
        }
        try (Stream<Path> others = Files.list(workplace.folder().toAbsolutePath().getParent())) {
            for (Path other : others.map(folder -> folder.resolve(TemperatureGrid.FILE)).filter(Files::exists)
                    .toList()) {
                add(files, workplace.folder(), other);
            }
        }
        return files;
    }

    private static void add(Map<String, byte[]> files, Path folder, Path file) throws IOException {
        files.put(folder.toAbsolutePath().relativize(file.toAbsolutePath()).toString(), Files.readAllBytes(file));
    }

    /** Where an experiment that is run again has come to what it is run for. */
    private static final class Reached extends RuntimeException {

        private static final long serialVersionUID = 1;

        Reached() {
            super("reached", null, false, false);
        }
    }

    /** An experiment as a worker has it. */
    private static final class Replay implements Workplace.Fits, Serializable {

        private static final long serialVersionUID = 1;
        private final Experiment.Body body;
        private final Scale scale;
        private final Seed seed;
        private final String data;
        private final TreeMap<String, byte[]> finished;
        private transient Workers.Work<String, byte[]> fits;

        Replay(Experiment.Body body, Scale scale, Seed seed, String data, Map<String, byte[]> finished) {
            this.body = body;
            this.scale = scale;
            this.seed = seed;
            this.data = data;
            this.finished = new TreeMap<>(finished);
        }

        byte[] make(String name) throws Exception {
            return fits().of(name);
        }

        private synchronized Workers.Work<String, byte[]> fits() throws IOException {
            if (fits == null) {
                Path all = Files.createTempDirectory("mdnf-");
                try {
                    Path folder = Files.createDirectory(all.resolve("experiment"));
                    for (Map.Entry<String, byte[]> file : finished.entrySet()) {
                        Path path = folder.resolve(file.getKey()).normalize();
                        Files.createDirectories(path.getParent());
                        Files.write(path, file.getValue());
                    }
                    body.run(new Workplace(folder, scale, seed, Optional.ofNullable(data).map(Path::of), true,
                            notice -> { }, this));
                    throw new IOException("the experiment came to its end on a worker without the fit that was asked "
                            + "for: its data are others there; put them at one path on all machines, with --data DIR");
                } catch (Reached here) {
                    // what was asked for is there
                } finally {
                    FileUtils.deleteDirectory(all.toFile());
                }
            }
            return fits;
        }

        @Override
        public void make(Workplace workplace, List<String> names, Workers.Work<String, byte[]> fit,
                Workers.Taker<byte[]> taker) {
            fits = fit;
            throw new Reached();
        }
    }
}
