/** The paper's experiments by name: each writes CSV, plots and a section of the report. */
package io.mdnf.experiments;
