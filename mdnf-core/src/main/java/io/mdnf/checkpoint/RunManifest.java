package io.mdnf.checkpoint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.mdnf.file.AtomicFiles;
import io.mdnf.file.InvalidFileException;
import io.mdnf.file.Sha256;
import io.mdnf.space.Check;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What was run, with what, by which versions, and how it ended: {@code manifest.json} of a run folder.
 *
 * <pre>{@code
 * RunManifest manifest = RunManifest.started("mdnf fit asia.bif", configuration, 1,
 *         List.of(RunManifest.Input.of(file)), Map.of("mdnf", "0.1.0", "java", "17", "nd4j", "1.0.0-M2.1"), "cpu");
 * manifest.write(run);
 * manifest.ended(RunManifest.Status.FINISHED, "").write(run);
 * }</pre>
 *
 * @param what the command or the task, for a person
 * @param configuration every setting by name, as text
 * @param seed the number the user gave
 * @param inputs the files that were read
 * @param versions of the software, by name
 * @param backend what computed, e.g. "cpu"
 * @param started when the run began
 * @param ended when it ended, empty while it runs
 * @param status how it stands
 * @param message why, for a run that failed or was stopped; else empty
 */
public record RunManifest(String what, Map<String, String> configuration, long seed, List<Input> inputs,
                          Map<String, String> versions, String backend, Instant started, Optional<Instant> ended,
                          Status status, String message) {

    /** The file's name in a run folder. */
    public static final String NAME = "manifest.json";

    private static final String FORMAT = "mdnf-run-1";
    private static final ObjectMapper JSON = StoredFile.JSON.copy().enable(SerializationFeature.INDENT_OUTPUT);

    /** How a run stands. A run that was killed stays RUNNING. */
    public enum Status {
        /** It has begun. */
        RUNNING,
        /** It did all it was asked to do. */
        FINISHED,
        /** A person or a time limit stopped it; it can be resumed. */
        STOPPED,
        /** It could not go on. */
        FAILED
    }

    /** A file that was read: its path as the user gave it, its length, and its SHA-256, 64 hexadecimal digits. */
    public record Input(String name, long bytes, String sha256) {

        /** Returns a file's name, length and hash. */
        public static Input of(Path file) throws IOException {
            try (InputStream in = Files.newInputStream(file)) {
                return new Input(file.toString(), Files.size(file), HexFormat.of().formatHex(Sha256.digest(in)));
            }
        }

        /** Returns name, length and hash of what did not come from a file, such as a built-in network. */
        public static Input of(String name, byte[] content) {
            return new Input(name, content.length, Sha256.hex(content));
        }
    }

    /** Copies lists and maps. */
    public RunManifest {
        Stream.of(what, backend, started, ended, message).forEach(Objects::requireNonNull);
        configuration = Collections.unmodifiableMap(new TreeMap<>(configuration));
        inputs = List.copyOf(inputs);
        versions = Collections.unmodifiableMap(new TreeMap<>(versions));
        Check.that((status == Status.RUNNING) == ended.isEmpty(), "status = " + status + " and ended = " + ended
                + ": a run has an end exactly if it is not RUNNING");
    }

    /** Returns the manifest of a run that begins now. */
    public static RunManifest started(String what, Map<String, String> configuration, long seed, List<Input> inputs,
                                      Map<String, String> versions, String backend) {
        return new RunManifest(what, configuration, seed, inputs, versions, backend, Instant.now(), Optional.empty(),
                Status.RUNNING, "");
    }

    /** Returns the manifest of the same run, ended now: how (not RUNNING), and why for a person, may be empty. */
    public RunManifest ended(Status how, String why) {
        return new RunManifest(what, configuration, seed, inputs, versions, backend, started,
                Optional.of(Instant.now()), how, why);
    }

    /** Returns the manifest of the same run going on after a resume: RUNNING, with the old start. */
    public RunManifest resumed() {
        return new RunManifest(what, configuration, seed, inputs, versions, backend, started, Optional.empty(),
                Status.RUNNING, "");
    }

    /** Writes {@code manifest.json} into the run's folder; it appears whole or not at all. */
    public void write(Path folder) throws IOException {
        Stored stored = new Stored(FORMAT, what, status, message, started.toString(),
                ended.map(Instant::toString).orElse(""), seed, backend, versions, new TreeMap<>(configuration), inputs);
        stored.configuration().replaceAll((name, value) -> typed((String) value));
        AtomicFiles.write(folder.resolve(NAME), JSON.writeValueAsBytes(stored));
    }

    /** A number where the text is one, written as numbers are: it is read back as the same text. */
    private static Object typed(String text) {
        return text.matches("-?(0|[1-9]\\d{0,17})") ? Long.valueOf(text)
                : text.matches("-?\\d+\\.\\d+(E-?\\d+)?") && Double.valueOf(text).toString().equals(text)
                        ? Double.valueOf(text) : text;
    }

    /** Reads {@code manifest.json} of a run's folder; throws, in one line, if it is not there or no manifest. */
    public static RunManifest read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read: " + AtomicFiles.reason(e), e);
        }
        try {
            Stored stored = JSON.readValue(bytes, Stored.class);
            if (stored == null || !FORMAT.equals(stored.format())) {
                throw new InvalidFileException(file, "has format " + (stored == null ? null : stored.format())
                        + "; this program reads " + FORMAT);
            }
            Map<String, String> configuration = new TreeMap<>();
            stored.configuration().forEach((name, value) -> configuration.put(name, String.valueOf(value)));
            return new RunManifest(stored.what(), configuration, stored.seed(), stored.inputs(),
                    stored.versions(), stored.backend(), Instant.parse(stored.started()),
                    Optional.of(stored.ended()).filter(t -> !t.isEmpty()).map(Instant::parse), stored.status(),
                    stored.message());
        } catch (JsonProcessingException e) {
            throw damaged(file, e);
        } catch (IllegalArgumentException | DateTimeException | NullPointerException e) {
            // what lacks or does not fit: an end of a run that runs, no configuration
            throw damaged(file, e);
        }
    }

    private static InvalidFileException damaged(Path file, Exception cause) {
        return new InvalidFileException(file, "no manifest of a run, or a damaged one; restore it, or begin a new run "
                + "in another folder", cause);
    }

    private record Stored(String format, String what, Status status, String message, String started, String ended,
                          long seed, String backend, Map<String, String> versions, Map<String, Object> configuration,
                          List<Input> inputs) {
    }
}
