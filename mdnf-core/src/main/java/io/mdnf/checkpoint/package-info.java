/**
 * Runs that survive: checkpoints that are read only after their hash matches, and the manifest that says what was
 * run.
 */
package io.mdnf.checkpoint;
