package io.mdnf.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Mixin for commands that answer a person or, with {@code --json}, a machine: by one object and nothing else. */
final class JsonOption {
    /** More digits than any figure is good for, fewer than rounding shows in: 0.1663, not 0.16629999999998984. */
    private static final MathContext DIGITS = new MathContext(12);

    @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

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

    void note(String line) {
        command.commandLine().getErr().println(line);
        command.commandLine().getErr().flush();
    }

    /** The object as JSON; numbers have at most 12 digits, and null stands for what is not finite. */
    static String text(Object answer) {
        StringWriter text = new StringWriter();
        ObjectMapper mapper = new ObjectMapper();
        try (JsonGenerator json = new Rounded(mapper.createGenerator(text).useDefaultPrettyPrinter())) {
            mapper.writeValue(json, answer);
        } catch (IOException e) {
            throw new IllegalStateException("no JSON form for " + answer.getClass().getName(), e);
        }
        return text.toString();
    }

    private static final class Rounded extends JsonGeneratorDelegate {
        Rounded(JsonGenerator to) {
            super(to);
        }

        @Override
        public void writeNumber(double value) throws IOException {
            if (Double.isFinite(value)) {
                super.writeNumber(new BigDecimal(value).round(DIGITS).doubleValue());
            } else {
                writeNull();
            }
        }

        @Override
        public void writeArray(double[] values, int offset, int length) throws IOException {
            writeStartArray();
            for (int i = offset; i < offset + length; i++) {
                writeNumber(values[i]);
            }
            writeEndArray();
        }
    }
}
