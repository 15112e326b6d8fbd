package io.mdnf.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** Mixin for commands that can answer a machine: {@code --json} prints one object on stdout and nothing else. */
public final class JsonOption {
    @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
    private boolean json;

    /** Creates the option, not given; picocli does. */
    public JsonOption() { }

    /**
     * Whether a machine is asking.
     *
     * @return true with {@code --json}
     */
    public boolean given() {
        return json;
    }

    /**
     * Prints the one object.
     *
     * @param out the command's stdout
     * @param answer a record or a map
     */
    public void print(PrintWriter out, Object answer) {
        try {
            out.println(new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(answer));
            out.flush();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON form for " + answer.getClass().getName(), e);
        }
    }
}
