package io.mdnf.cli.experiment;

/** How much of an experiment is run. */
public enum Scale {
    /** Enough to see the result: a minute or few. */
    QUICK,
    /** The paper's sizes, iterations and repeats. */
    PAPER
}
