package io.mdnf.file;

import java.io.IOException;

/** A file is not what it should be; the message is one line that names the file, where and what is wrong. */
public final class InvalidFileException extends IOException {
    private static final long serialVersionUID = 1;

    /** A file that cannot be used; the problem is one line. */
    public InvalidFileException(Object file, String problem) {
        super(file + ": " + problem);
    }

    /** A file that cannot be used, and what showed it; the problem is one line. */
    public InvalidFileException(Object file, String problem, Throwable cause) {
        super(file + ": " + problem, cause);
    }
}
