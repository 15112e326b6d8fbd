package io.mdnf.search;

/** Hears how far a search is; called often, so it is quick. */
@FunctionalInterface
public interface SearchWatch {

    /** What is searched for. */
    enum Sought {
        /** The most probable codes. */
        CODES,
        /** The best product. */
        PRODUCT
    }

    /** Takes the share of a search that is done, from 0 to 1, as far as it can be told; it may fall. */
    void at(Sought what, double share);
}
