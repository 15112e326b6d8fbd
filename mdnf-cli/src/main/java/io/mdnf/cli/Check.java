package io.mdnf.cli;

/**
 * One finding of {@code mdnf doctor}.
 *
 * @param name what was looked at
 * @param value what was found
 * @param advice what to do about it; null when nothing needs doing
 */
record Check(String name, String value, String advice) {

    static Check fine(String name, String value) {
        return new Check(name, value, null);
    }

    /** Fine when {@code good}, otherwise with the advice. */
    static Check when(boolean good, String name, String value, String advice) {
        return new Check(name, value, good ? null : advice);
    }

    boolean ok() {
        return advice == null;
    }
}
