package io.mdnf.experiments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mdnf.plot.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/**
 * Finished parts of an experiment that has not ended, one JSON file each, so that a run that was stopped or killed goes on
 * where it was. A part is a record of numbers, strings and enum values.
 *
 * @param folder where they are
 * @param type of a part
 * @param <T> of a part
 */
record KeptParts<T>(Path folder, TypeReference<T> type) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What was kept under a name, or else what is made now and kept. */
    T part(String name, Callable<T> make) throws Exception {
        Path file = folder.resolve(name + ".json");
        if (Files.exists(file)) {
            try {
                return JSON.readValue(Files.readAllBytes(file), type);
            } catch (JsonProcessingException e) {
                throw new IOException(file + ": not a part of this experiment: " + e.getOriginalMessage()
                        + "; run it again without --resume", e);
            }
        }
        T made = make.call();
        Files.createDirectories(folder);
        WholeFile.write(file, JSON.writeValueAsString(made));
        return made;
    }
}
