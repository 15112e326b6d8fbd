package io.mdnf.cli;

/**
 * Wrong usage or wrong input, said in one line: the program prints the message on stderr and exits 2.
 *
 * <p>The message names the thing, the value it got and what is allowed, for example
 * {@code "--flows 0: at least 1 is needed"}.
 */
public final class UsageProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates a problem without a cause worth showing.
     *
     * @param message one line for the user
     */
    public UsageProblem(String message) {
        super(message);
    }

    /**
     * Creates a problem that was found by another exception; {@code --verbose} shows it.
     *
     * @param message one line for the user
     * @param cause what found the problem
     */
    public UsageProblem(String message, Throwable cause) {
        super(message, cause);
    }
}
