package io.mdnf.mnist;

import java.io.IOException;

/** MNIST cannot be had; the message is one line that says what was tried and what to do. */
public final class MnistUnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    MnistUnavailableException(String message) {
        super(message.replaceAll("\\s+", " "));
    }
}
