package io.mdnf.plot;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.mdnf.file.AtomicFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;

/**
 * A plot as a value: its data, what the axes mean, and words for who cannot see it. JSON holds the data, not the
 * picture.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = LinePlot.class, name = "lines"),
    @JsonSubTypes.Type(value = ScatterPlot.class, name = "points"),
    @JsonSubTypes.Type(value = HeatMaps.class, name = "heatMaps"),
    @JsonSubTypes.Type(value = BoxPlot.class, name = "boxes"),
    @JsonSubTypes.Type(value = BarPlot.class, name = "bars"),
    @JsonSubTypes.Type(value = NetworkPlot.class, name = "network"),
    @JsonSubTypes.Type(value = ImageGrid.class, name = "images")})
public sealed interface Plot permits LinePlot, ScatterPlot, HeatMaps, BoxPlot, BarPlot, NetworkPlot, ImageGrid {

    /** {@return what stands above the plot} */
    String title();

    /** {@return what the plot shows, for who cannot see it} */
    String description();

    /** {@return the drawing} */
    Scene scene();

    /** {@return an svg element for a page that holds {@link Ink#darkStyle()}} */
    default String inlineSvg() {
        return Svg.inline(scene(), description());
    }

    /** {@return the content of an SVG file, light or dark as the viewer prefers} */
    default String svg() {
        return Svg.file(scene(), description());
    }

    /** Paints the plot on white, two pixels for each of the scene's; throws {@link NoFontsException} where there are no
     * fonts. */
    default PngImage png() {
        return PngImage.of(Raster.paint(scene()));
    }

    /**
     * Writes {@code name.svg} and {@code name.png} into a directory, made when missing. Where there are no fonts the
     * PNG file is left out with a warning in the log: a long experiment shall not fail for want of a second picture.
     */
    default void write(Path directory, String name) throws IOException {
        AtomicFiles.write(directory.resolve(name + ".svg"), svg());
        try {
            AtomicFiles.write(directory.resolve(name + ".png"), png().bytes());
        } catch (NoFontsException e) {
            LoggerFactory.getLogger(Plot.class).warn("{}.png is not written: {}", directory.resolve(name),
                    e.getMessage());
        }
    }
}
