package io.mdnf.checkpoint;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A checkpoint that cannot be written, read or trusted. The message is one line: the file, what is wrong, what to do.
 */
public class CheckpointException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient Path file;

    /**
     * Refuses a checkpoint.
     *
     * @param file the file
     * @param wrong what is wrong with it
     * @param advice what to do
     * @param cause what led to it, or null
     */
    public CheckpointException(Path file, String wrong, String advice, Throwable cause) {
        super(file + ": " + wrong + "; " + advice, cause);
        this.file = file;
    }

    /** Returns the file, null after serialisation. */
    public Path file() {
        return file;
    }
}
