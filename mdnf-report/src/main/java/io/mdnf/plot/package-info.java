/**
 * Plots as values: records that hold their data, are drawn once as a {@link io.mdnf.plot.Scene} and written from it
 * both as SVG and as PNG, so that the two show the same picture.
 *
 * <p>Nothing here needs a display. SVG needs no fonts on the machine that writes it; PNG does.
 */
package io.mdnf.plot;
