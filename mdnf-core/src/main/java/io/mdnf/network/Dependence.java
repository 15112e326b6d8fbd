package io.mdnf.network;

/** Which variables of the code decide what happens to variable d, from nothing to all that came before. */
public enum Dependence {
    /** None. */
    NONE,
    /** A fixed set of variables, to which d does not belong. */
    BIPARTITE,
    /** The variables before d, in the network's order. */
    AUTOREGRESSIVE
}
