package io.mdnf.experiments;

import java.util.Locale;

/** How much of an experiment is run. */
public enum Scale {
    /** Enough to see the result: a minute or few. */
    QUICK,
    /** The paper's sizes, iterations and repeats. */
    PAPER;

    /** Returns the word on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
