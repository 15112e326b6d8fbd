package io.mdnf.explorer;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What a page is about, and who answers it. */
public sealed interface Page extends AutoCloseable permits NetworkPage, AutoencoderPage, RunPage {

    /** Returns what is shown first, as JSON has it; its {@code kind} says which page it is. */
    Map<String, Object> look() throws IOException;

    /**
     * Answers a question of the page.
     *
     * @param about what it sent along
     * @param cancelled whether nobody waits for the answer any more
     * @throws IllegalArgumentException for a person, if nothing can be answered
     */
    Object answer(String question, JsonNode about, BooleanSupplier cancelled) throws IOException;

    /** Returns a file that the page may show, by its name; nothing unless it is one of those. */
    default Optional<Path> file(String name) throws IOException {
        return Optional.empty();
    }

    @Override
    default void close() {
    }
}
