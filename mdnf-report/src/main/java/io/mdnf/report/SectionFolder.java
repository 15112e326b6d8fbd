package io.mdnf.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.file.AtomicFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A finished experiment's folder: {@code section.json}, and each figure and picture as files of its own. The JSON holds
 * the data of the plots, so a report can be assembled from folders without running anything again. It is written last:
 * where it stands, the experiment is finished.
 *
 * @param path the folder
 */
public record SectionFolder(Path path) {
    private static final int FORMAT = 1;
    private static final String FILE = "section.json";
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private record Stored(@JsonProperty("format") int format, @JsonProperty("section") ReportSection section) { }

    /** Writes a section with its figures. */
    public void save(ReportSection section) throws IOException {
        Files.createDirectories(path);
        for (Block block : section.blocks()) {
            if (block instanceof Block.Figure figure) {
                figure.plot().write(path, figure.name());
            } else if (block instanceof Block.Picture picture) {
                AtomicFiles.write(path.resolve(picture.name() + ".png"), picture.image().bytes());
            }
        }
        AtomicFiles.write(path.resolve(FILE), JSON.writeValueAsString(new Stored(FORMAT, section)));
    }

    /** Takes the section away, before an experiment runs again: the folder then holds an unfinished one. */
    public void forget() throws IOException {
        Files.deleteIfExists(path.resolve(FILE));
    }

    /** Reads the section, empty when the experiment is not finished; a file that is not a section of this version is
     * refused. */
    public Optional<ReportSection> load() throws IOException {
        Path file = path.resolve(FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            JsonNode tree = JSON.readTree(Files.readString(file));
            if (tree.path("format").asInt(-1) != FORMAT) {
                throw new IOException(file + ": format " + tree.path("format") + " is not " + FORMAT
                        + ", which this version reads; run the experiment again");
            }
            if (!tree.path("section").isObject()) {
                throw new IOException(file + ": there is no section in it; delete it and run the experiment again");
            }
            return Optional.of(JSON.treeToValue(tree, Stored.class).section());
        } catch (JsonProcessingException e) {
            throw new IOException(file + ": not a section of a report: " + e.getOriginalMessage()
                    + "; delete it and run the experiment again", e);
        }
    }
}
