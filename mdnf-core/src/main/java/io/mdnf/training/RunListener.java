package io.mdnf.training;

import java.io.IOException;
import java.nio.file.Path;

/** Watches a run. What it throws ends the run: a failed save is never swallowed. */
public interface RunListener {

    /**
     * After every step. It is called often: be quick.
     *
     * @param info where the run stands
     */
    default void onStep(Algorithm.Info info) {}

    /**
     * After every few steps.
     *
     * @param info where the run stands
     * @throws IOException if what it writes cannot be written
     */
    default void onProgress(Algorithm.Info info) throws IOException {}

    /**
     * After a checkpoint was saved.
     *
     * @param file the checkpoint
     * @throws IOException if what it writes cannot be written
     */
    default void onCheckpoint(Path file) throws IOException {}

    /**
     * When a run goes on from a checkpoint, or starts again because it was ended before the first one.
     *
     * @param info where it stands
     * @throws IOException if what it writes cannot be written
     */
    default void onResume(Algorithm.Info info) throws IOException {}

    /**
     * When a run met NaN or infinity and is about to end.
     *
     * @param problem what happened
     */
    default void onDivergence(DivergenceException problem) {}

    /**
     * Asked between steps: whether the run is to end now, with a checkpoint if it has a folder.
     *
     * @return true to stop, as when a person or a scheduler asked for it
     */
    default boolean wantsStop() {
        return false;
    }
}
