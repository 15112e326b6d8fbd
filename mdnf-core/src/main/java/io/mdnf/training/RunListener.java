package io.mdnf.training;

import java.io.IOException;
import java.nio.file.Path;

/** Watches a run. What it throws ends the run: a failed save is never swallowed. */
public interface RunListener {

    /** After every step. It is called often: be quick. */
    default void onStep(Algorithm.Info info) {}

    /** After every few steps. */
    default void onProgress(Algorithm.Info info) throws IOException {}

    /** After a checkpoint was saved. */
    default void onCheckpoint(Path file) throws IOException {}

    /** When a run goes on from a checkpoint, or starts again because it was ended before the first one. */
    default void onResume(Algorithm.Info info) throws IOException {}

    /** When a run met NaN or infinity and is about to end. */
    default void onDivergence(DivergenceException problem) {}

    /**
     * Returns whether the run is to end now, with a checkpoint if it has a folder, as when a person or a scheduler
     * asked for it; asked between steps.
     */
    default boolean wantsStop() {
        return false;
    }
}
