package io.mdnf.cli;

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

    /** Refuses a number below 1 that an option was given. */
    static void ifBelowOne(String option, int value) {
        if (value < 1) {
            throw new UsageProblem(option + " " + value + ": at least 1 is needed");
        }
    }
}
