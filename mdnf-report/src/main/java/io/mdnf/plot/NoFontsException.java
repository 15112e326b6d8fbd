package io.mdnf.plot;

/** This machine has no fonts, or not the libraries to read them; usual for a slim container. */
public final class NoFontsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoFontsException(Throwable cause) {
        super("there are no fonts to paint a PNG picture with; install fontconfig and a font "
                + "(Debian: fontconfig fonts-dejavu-core). SVG needs none", cause);
    }
}
