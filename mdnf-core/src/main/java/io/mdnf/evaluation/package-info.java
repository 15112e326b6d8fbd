/**
 * How good is a fit: what the best member of a family reaches where all codes can be listed, and diagnostics from
 * importance weights where they cannot.
 *
 * <p>Everything here is plain arithmetic on arrays, in nats; nothing depends on the number of threads.
 */
package io.mdnf.evaluation;
