package io.mdnf.mixture;

/**
 * Who chooses the component.
 *
 * <p>Sampling and scoring always use the same structure: a mixture that samples one way and scores the other reports
 * bounds that are none.
 */
public enum Structure {
    /** One component b for the whole code: q(x) = sum_b rho_b prod_d p_u^b(inverse^b(x))_d. */
    JOINT,
    /** A component b_d for each variable: q(x) = prod_d sum_b rho_bd p_u^b(inverse^b(x))_d. */
    PER_VARIABLE
}
