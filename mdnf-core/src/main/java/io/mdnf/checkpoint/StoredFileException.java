package io.mdnf.checkpoint;

import java.io.IOException;
import java.nio.file.Path;

/** A stored file that cannot be written, read or trusted; one line says the file, what is wrong, what to do. */
public final class StoredFileException extends IOException {

    private static final long serialVersionUID = 1L;

    StoredFileException(Path file, String wrong, String advice, Throwable cause) {
        super(file + ": " + wrong + "; " + advice, cause);
    }
}
