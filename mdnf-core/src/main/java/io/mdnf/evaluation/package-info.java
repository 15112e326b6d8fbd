/**
 * How good is a fit: exact divergences where all codes can be listed, what the best member of a family reaches, and
 * diagnostics from importance weights and from simulation where they cannot.
 *
 * <p>Everything here is plain arithmetic on arrays, in nats; nothing depends on the number of threads.
 */
package io.mdnf.evaluation;
