package io.mdnf.vae;

/** Is told what happens while data are looked for and fetched; it may be called from another thread. */
public interface FetchListener {

    /**
     * A download has come this far.
     *
     * @param progress how far
     */
    void progress(FetchProgress progress);

    /**
     * Something the user should know was passed over or repaired, such as a folder that lacks files.
     *
     * @param sentence one line
     */
    void notice(String sentence);
}
