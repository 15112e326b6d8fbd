package io.mdnf.gmm;

/**
 * What one E-step by flows gave.
 *
 * @param responsibilities flat r[N, K], a value the mixture of flows can take
 * @param flow the flows' parameters, where the next E-step starts
 * @param iterations gradient steps taken
 */
record FlowFit(double[] responsibilities, double[] flow, int iterations) {
}
