package io.mdnf.gmm;

import java.io.IOException;
import java.nio.file.Path;

/** A CSV file is not a table of numbers; the message is one line that says where and what to do. */
public final class InvalidCsvException extends IOException {
    private static final long serialVersionUID = 1;

    InvalidCsvException(Path file, String problem) {
        super(file + ": " + problem);
    }

    InvalidCsvException(Path file, String problem, Throwable cause) {
        super(file + ": " + problem, cause);
    }
}
