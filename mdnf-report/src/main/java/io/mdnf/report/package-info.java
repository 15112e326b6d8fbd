/**
 * What a run leaves for people: a self-contained report, the sections it is assembled from, the numbers behind plots,
 * and progress while it lasts.
 */
package io.mdnf.report;
