package io.mdnf.cli;

import io.mdnf.file.AtomicFiles;
import io.mdnf.file.InvalidFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.function.ToIntFunction;
import org.apache.commons.text.similarity.LevenshteinDistance;

/**
 * Wrong usage or wrong input, said in one line: the program prints the message on stderr and exits 2.
 *
 * <p>The message names the thing, the value it got and what is allowed, for example
 * {@code "--flows 0: at least 1 is needed"}.
 */
final class UsageProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageProblem(String message) {
        super(message);
    }

    /** A problem that was found by another exception; {@code --verbose} shows it. */
    UsageProblem(String message, Throwable cause) {
        super(message, cause);
    }

    /** ": did you mean 'X'?" if one of the names is near the word: at most half of its letters are wrong. Dashes are
     * none: they make all options alike. */
    static String nearest(String word, Collection<String> names) {
        ToIntFunction<String> distance = name -> LevenshteinDistance.getDefaultInstance()
                .apply(name, word.toLowerCase(Locale.ROOT));
        return names.stream().filter(name -> distance.applyAsInt(name)
                <= Math.max(2, word.replaceFirst("^-+", "").length() / 2))
                .min(Comparator.comparingInt(distance)).map(name -> ": did you mean '" + name + "'?").orElse("");
    }

    /** What is read, or made of what a user gave. */
    interface Made<T> {
        T make() throws IOException;
    }

    /** Makes it; an argument or a file that is refused is wrong input, in the words of who refuses it. */
    static <T> T ifRefused(Made<T> made) throws IOException {
        try {
            return made.make();
        } catch (InvalidFileException | IllegalArgumentException e) {
            throw new UsageProblem(e.getMessage(), e);
        }
    }

    /** Makes a folder that a user named, or that a file so named stands in. */
    static void ifNotMade(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UsageProblem("--out: the folder " + folder + " cannot be made (" + AtomicFiles.reason(e)
                    + "); name another", e);
        }
    }

    /** Refuses a number below 1 that an option was given. */
    static void ifBelowOne(String option, int value) {
        if (value < 1) {
            throw new UsageProblem(option + " " + value + ": at least 1 is needed");
        }
    }
}
