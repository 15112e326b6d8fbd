/**
 * The only room that touches ND4J: graphs of tensors with static shapes, built from operations whose gradients are
 * known to be right, and the plan that runs them fast.
 *
 * <p>Some ND4J gradients are silently wrong (division by a trainable scalar, gather, the built-in losses). Everything
 * outside this package builds on {@link io.mdnf.graph.Tensor}, which offers only operations that the tests of this
 * package check against central differences. A graph made with others is looked through before it is compiled.
 *
 * <p>Internal but for what a target or a model of one's own is written with: {@link io.mdnf.graph.Graph},
 * {@link io.mdnf.graph.Tensor}, {@link io.mdnf.graph.Parameter}, {@link io.mdnf.graph.Initialiser},
 * {@link io.mdnf.graph.Precision}, {@link io.mdnf.graph.Optimiser}, {@link io.mdnf.graph.ExecutionPlan},
 * {@link io.mdnf.graph.ModularArithmetic} and {@link io.mdnf.graph.GradientCheck}; and what descriptions show:
 * {@link io.mdnf.graph.Description}, {@link io.mdnf.graph.StraightThrough}, {@link io.mdnf.graph.ParameterLayout} and
 * {@link io.mdnf.graph.ParameterValues}.
 */
package io.mdnf.graph;
