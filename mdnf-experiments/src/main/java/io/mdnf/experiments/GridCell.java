package io.mdnf.experiments;

/**
 * One fit of the grid.
 *
 * @param tau the posterior's temperature, the first one if it is annealed
 * @param priorTau tau_p; NaN for MDNF, which has none
 * @param kl KL(q || p) with the paper's floor: of the last posterior for Gumbel, of the one with the best bound for
 * MDNF
 * @param exactKl the same without a floor: +infinity where q has mass on impossible codes
 * @param lowestKl the lowest floored KL at any evaluation, which only an oracle could pick
 * @param lowestStep where that was
 */
record GridCell(PaperCases test, GridMethod method, double tau, double priorTau, double kl, double exactKl,
                double lowestKl, long lowestStep) { }
