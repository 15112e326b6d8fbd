package io.mdnf.vae;

import java.io.IOException;

/** A file is not the IDX file it should be; the message is one line that names the file and what is wrong. */
public final class InvalidIdxException extends IOException {
    private static final long serialVersionUID = 1;

    InvalidIdxException(String name, String problem) {
        super(name + ": " + problem);
    }
}
