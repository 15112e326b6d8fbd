package io.mdnf.plot;

import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a plot in both its forms. */
final class PlotFiles {
    private static final Logger LOG = LoggerFactory.getLogger(PlotFiles.class);

    private PlotFiles() {
    }

    static void write(Plot plot, Path directory, String name) throws IOException {
        WholeFile.write(directory.resolve(name + ".svg"), plot.svg());
        Path picture = directory.resolve(name + ".png");
        try {
            WholeFile.write(picture, plot.png().bytes());
        } catch (NoFontsException e) {
            LOG.warn("{} is not written: {}", picture, e.getMessage());
        }
    }
}
