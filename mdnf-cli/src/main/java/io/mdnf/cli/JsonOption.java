package io.mdnf.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Mixin for commands that answer a person or, with {@code --json}, a machine: by one object and nothing else. */
final class JsonOption {
    @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** Whether a machine is asking. */
    boolean given() {
        return json;
    }

    /**
     * Answers on the command's stdout.
     *
     * @param machine makes the one object: a record or a map
     * @param person prints what a person reads
     */
    void answer(Supplier<?> machine, Consumer<PrintWriter> person) {
        answer(command, machine, person);
    }

    /** The same for a command that has this option by way of another mixin. */
    void answer(CommandSpec by, Supplier<?> machine, Consumer<PrintWriter> person) {
        PrintWriter out = by.commandLine().getOut();
        if (json) {
            out.println(text(machine.get()));
        } else {
            person.accept(out);
        }
        out.flush();
    }

    /** The object as JSON. */
    static String text(Object answer) {
        try {
            return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(answer);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON form for " + answer.getClass().getName(), e);
        }
    }
}
