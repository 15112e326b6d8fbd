package io.mdnf.checkpoint;

import io.mdnf.file.AtomicFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints of one run: numbered files {@code step-00001234.mdnf}, of which the last three are kept.
 *
 * <p>One run writes at a time; any number may look. A file that was found damaged is renamed to {@code *.refused} when
 * the run writes past it, never deleted.
 *
 * <pre>{@code
 * CheckpointFolder folder = CheckpointFolder.open(run.resolve("checkpoints"));
 * Optional<CheckpointFolder.Latest> latest = folder.latest();
 * folder.save(checkpoint);
 * }</pre>
 */
public final class CheckpointFolder {

    /** How many checkpoints are kept. */
    public static final int KEPT = 3;

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointFolder.class);
    private static final Pattern NAME = Pattern.compile("step-(\\d{8,18})\\.mdnf");

    private final Path folder;

    private CheckpointFolder(Path folder) {
        this.folder = folder;
    }

    /** The newest valid checkpoint, and why newer files were not taken, newest first; usually for none. */
    public record Latest(Path file, Checkpoint checkpoint, List<StoredFileException> skipped) {}

    /**
     * Opens the folder for a run that will write: makes it if need be and removes temporaries that a killed run left.
     * Throws if it cannot be made or written.
     */
    public static CheckpointFolder open(Path folder) throws StoredFileException {
        try {
            Files.createDirectories(folder);
            if (!Files.isWritable(folder)) {
                throw new StoredFileException(folder, "no permission to write into this folder",
                        "change its permissions, or choose another run folder", null);
            }
            try (DirectoryStream<Path> parts =
                         Files.newDirectoryStream(folder, ".step-*.mdnf.*" + AtomicFiles.TEMPORARY)) {
                for (Path part : parts) {
                    LOG.info("removing {}, left by a run that was killed while it wrote", part);
                    Files.deleteIfExists(part);
                }
            }
            return new CheckpointFolder(folder);
        } catch (StoredFileException e) {
            throw e;
        } catch (IOException e) {
            throw new StoredFileException(folder, "cannot be used as a folder for checkpoints: "
                    + AtomicFiles.reason(e), "choose another run folder", e);
        }
    }

    /** Returns the folder for somebody who only looks, perhaps while a run writes: nothing is made or removed. */
    public static CheckpointFolder look(Path folder) {
        return new CheckpointFolder(folder);
    }

    /** Returns the numbered files in order of their steps, newest last, damaged ones included. */
    public List<Path> files() throws StoredFileException {
        return new ArrayList<>(byStep().values());
    }

    /**
     * Returns the newest checkpoint that can be trusted, or empty if there are none. Newer ones that cannot are
     * skipped with a warning in the log; throws if there are checkpoints but none can be trusted.
     */
    public Optional<Latest> latest() throws StoredFileException {
        List<Path> newestFirst = files();
        Collections.reverse(newestFirst);
        List<StoredFileException> skipped = new ArrayList<>();
        for (Path file : newestFirst) {
            try {
                return Optional.of(new Latest(file, Checkpoint.read(file), List.copyOf(skipped)));
            } catch (StoredFileException e) {
                LOG.warn("skipping a checkpoint: {}", e.getMessage());
                skipped.add(e);
            }
        }
        if (!skipped.isEmpty()) {
            throw new StoredFileException(folder, "none of its " + skipped.size()
                    + " checkpoints can be read; the newest, " + skipped.get(0).getMessage(),
                    "start again in another folder", skipped.get(0));
        }
        return Optional.empty();
    }

    /**
     * Writes a checkpoint under its step's number, replacing one of the same step, then removes all but the last
     * three. Throws if it cannot be written, or the folder holds a valid checkpoint of a later step, which belongs to
     * another run.
     */
    public Path save(Checkpoint checkpoint) throws StoredFileException {
        refuseLater(checkpoint.step());
        Path file = folder.resolve(String.format("step-%08d.mdnf", checkpoint.step()));
        checkpoint.write(file);
        prune();
        return file;
    }

    /** Files of later steps are there only if the run resumed behind damaged ones; they must not shadow the new one. */
    private void refuseLater(long step) throws StoredFileException {
        for (Path later : byStep().tailMap(step + 1).values()) {
            try {
                Checkpoint.read(later);
            } catch (StoredFileException damaged) {
                setAside(later);
                continue;
            }
            throw new StoredFileException(folder, "already holds " + later.getFileName() + ", later than step " + step,
                    "resume from it, or choose another run folder", null);
        }
    }

    private void setAside(Path damaged) throws StoredFileException {
        Path aside = damaged.resolveSibling(damaged.getFileName() + ".refused");
        try {
            Files.move(damaged, aside, StandardCopyOption.REPLACE_EXISTING);
            LOG.warn("renamed the damaged {} to {}", damaged, aside.getFileName());
        } catch (IOException e) {
            throw new StoredFileException(damaged, "is damaged and cannot be renamed: " + AtomicFiles.reason(e),
                    "remove it", e);
        }
    }

    /** Right after a write, so that what stays includes one known to be good. */
    private void prune() throws StoredFileException {
        List<Path> files = files();
        for (Path old : files.subList(0, Math.max(0, files.size() - KEPT))) {
            try {
                Files.deleteIfExists(old);
            } catch (IOException e) {
                LOG.warn("old checkpoint {} stays: {}", old, AtomicFiles.reason(e));
            }
        }
    }

    private SortedMap<Long, Path> byStep() throws StoredFileException {
        SortedMap<Long, Path> files = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path file : all) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches() && Files.isRegularFile(file)) {
                    files.put(Long.parseLong(name.group(1)), file);
                }
            }
        } catch (IOException e) {
            throw new StoredFileException(folder, "cannot be listed: " + AtomicFiles.reason(e),
                    "check that it is a folder of checkpoints", e);
        }
        return files;
    }
}
