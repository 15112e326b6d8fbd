package io.mdnf.mnist;

import java.util.OptionalLong;

/** Is told what happens while data are looked for and fetched; it may be called from another thread. */
public interface FetchListener {

    /**
     * How far a download has come.
     *
     * @param source where from: the mirror's host, or npm
     * @param file what is being fetched
     * @param bytes bytes received so far
     * @param total bytes expected, if known
     */
    record Fetched(String source, String file, long bytes, OptionalLong total) { }

    /** A download has come this far. */
    void progress(Fetched progress);

    /** Something the user should know was passed over or repaired, such as a folder that lacks files: one line. */
    void notice(String sentence);
}
