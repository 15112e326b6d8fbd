package io.mdnf.network;

import io.mdnf.graph.Description;

/** A description that may look at the code, at logits given from outside, at both or at neither. */
public interface Dependent extends Description {

    /** Returns which variables of the code it looks at. */
    Dependence dependence();

    /** Returns whether it takes logits from outside, so that there is one distribution for every row of them. */
    boolean isConditional();

    /** Returns how many features of an observation it is given, [n, features], in the place of logits; 0 for logits. */
    default int features() {
        return 0;
    }
}
